import type { Step } from '../rules/decide.ts'
import type { Entry } from '../rules/entry.ts'
import type { UserState } from '../rules/state.ts'
import type { Award, StreakPeriod, UserSave } from '../storage.ts'
import type { Command } from './command.ts'
import { countChanges, emptyProjection, project, toAwardRow } from './projection.ts'

/** The commands of one user in one batch, as they are accepted one after the other. */
export interface Course {
  /** After the last accepted command; null while the user is unknown. */
  readonly state: UserState | null
  /** The entry that used the idempotency key of a command in this batch already. */
  usedBy(command: Command): string | null
  /** Appends an entry; returns the awards it gave. */
  accept(command: Command, entry: Entry, step: Step): readonly Award[]
  /** What to store, null when nothing was accepted. */
  toSave(): UserSave | null
}

export function startCourse(before: UserState | null): Course {
  let state = before
  const used = new Map<string, string>()
  const appended: Entry[] = []
  const awards: Award[] = []
  const periods = new Map<number, StreakPeriod>()
  return {
    get state() {
      return state
    },
    usedBy: (command) => used.get(idempotencyText(command)) ?? null,
    accept: (command, entry, step) => {
      const own = emptyProjection()
      project(own, entry, step.changes)
      const given = [...own.awards.values()].map((award) => toAwardRow(award))
      awards.push(...given)
      for (const [start, period] of own.periods) periods.set(start, period)
      appended.push(entry)
      used.set(idempotencyText(command), entry.id)
      state = step.state
      return given
    },
    toSave: () => {
      if (state === null || appended.length === 0) return null
      return {
        before,
        after: state,
        appended,
        redated: [],
        awards: { put: awards, remove: [] },
        periods: { put: [...periods.values()], remove: [] },
        counted: countChanges(before, state),
      }
    },
  }
}

/** Equal for two commands of one user that are one event: the same metric and idempotency key, or the same id. */
export function idempotencyText({ body, entryId }: Command): string {
  const key = body.kind === 'eventRecorded' ? body.idempotencyKey : null
  return body.kind === 'eventRecorded' && key !== null ? JSON.stringify([body.metric, key]) : entryId
}
