import type { Step } from '../../rules/decide.ts'
import type { Entry } from '../../rules/entry.ts'
import type { Game } from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'
import type { UserSave } from '../../storage.ts'
import type { Award, LeaderboardRow, StreakPeriod } from '../../storage-rows.ts'
import { movesOf, toRequests } from '../ranks/standings.ts'
import type { Command, Move } from '../types.ts'
import { countChanges, emptyProjection, leaderboardRowKey, project, toAwardRow, unlimitedOf } from './derived-rows.ts'

/** The commands of one user in one batch, as they are accepted one after the other. */
export interface Course {
  /** After the last accepted command; null while the user is unknown. */
  readonly state: UserState | null
  /** The entry that used the idempotency key of a command in this batch already. */
  usedBy(command: Command): string | null
  /** Appends an entry; returns the awards it gave, and how it moved the user in leaderboards. */
  accept(
    command: Command,
    entry: Entry,
    step: Step,
    game: Game,
  ): { readonly awards: readonly Award[]; readonly moves: readonly Move[] }
  /** What to store, null when nothing was accepted. */
  toSave(): UserSave | null
}

/** `slack`: how many moves in leaderboards the whole batch may hold; null: nobody is told any ranks. */
export function startCourse(before: UserState | null, slack: number | null): Course {
  let state = before
  const used = new Map<string, string>()
  const appended: Entry[] = []
  const awards: Award[] = []
  const periods = new Map<number, StreakPeriod>()
  const rows = new Map<string, LeaderboardRow>()
  const left = new Map<string, LeaderboardRow>()
  const moves: Move[] = []
  let current: Game | null = null
  return {
    get state() {
      return state
    },
    usedBy: (command) => used.get(idempotencyText(command)) ?? null,
    accept: (command, entry, step, game) => {
      const own = emptyProjection()
      project(own, entry, step.changes)
      const given = [...own.awards.values()].map((award) => toAwardRow(award))
      awards.push(...given)
      for (const [start, period] of own.periods) periods.set(start, period)
      const ownMoves = movesOf(
        game,
        step.changes,
        command.receivedAt,
        slack !== null && entry.kind === 'eventRecorded' ? entry.dating : null,
      )
      for (const { leaderboard, from, to } of ownMoves) {
        const row = to ?? from
        if (row === null) continue
        const id = leaderboardRowKey({ leaderboard, run: row.run })
        if (to === null) left.set(id, { leaderboard, ...row })
        else left.delete(id)
        rows.delete(id)
        if (to !== null) rows.set(id, { leaderboard, ...to })
      }
      moves.push(...ownMoves)
      current = game
      appended.push(entry)
      used.set(idempotencyText(command), entry.id)
      state = step.state
      return { awards: given, moves: ownMoves }
    },
    toSave: () => {
      if (state === null || current === null || appended.length === 0) return null
      const put = [...rows.values()]
      return {
        before,
        after: state,
        appended,
        redated: [],
        awards: { put: awards, remove: [] },
        periods: { put: [...periods.values()], remove: [] },
        leaderboards: { put, remove: [...left.values()] },
        unlimited: unlimitedOf(current, put),
        standings: slack === null ? [] : toRequests(moves, slack),
        counted: countChanges(before, state),
      }
    },
  }
}

/** Equal for two commands of one user that are one: the same metric and idempotency key, the same void, or the same id. */
export function idempotencyText({ body, entryId }: Command): string {
  if (body.kind === 'eventVoided') return JSON.stringify(['void', body.event, ''])
  const key = body.kind === 'eventRecorded' ? body.idempotencyKey : null
  return body.kind === 'eventRecorded' && key !== null ? JSON.stringify([body.metric, key]) : entryId
}
