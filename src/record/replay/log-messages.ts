import type { Draft } from '../../answers/message-draft.ts'
import { draftsOfEntry } from '../../answers/messages-of-entry.ts'
import { draftsBetween } from '../../answers/messages-of-time.ts'
import type { Instant } from '../../rules/calendar.ts'
import { type AppliedEntry, gameOf } from '../../rules/fold.ts'
import type { UserState } from '../../rules/state.ts'
import { isTurnedOff } from '../../rules/visibility.ts'
import type { CurrentGame, Wanted } from '../../runtime/context.ts'
import type { UserKey } from '../../storage/rows.ts'

/** The messages of a replayed log: about its entries, and about the time between them. */
export interface LogMessages {
  see(appliedEntry: AppliedEntry): void
  /** Adds the messages that time causes after the newest entry, until an instant. */
  end(state: UserState, until: Instant): void
  readonly ids: ReadonlySet<string>
  readonly drafts: readonly Draft[]
}

export interface LogMessagesOptions {
  readonly key: UserKey
  readonly current: Pick<CurrentGame, 'games' | 'noticesFrom'>
  readonly wanted: Wanted
  /** Selects the drafts to keep. Each holds a state in memory, and a log may have many. */
  readonly keeps: (draft: Draft) => boolean
}

export function startLogMessages({ key, current, wanted, keeps }: LogMessagesOptions): LogMessages {
  const { games } = current
  const ids = new Set<string>()
  let drafts: Draft[] = []
  const completions: Pick<Draft, 'id' | 'completed'>[] = []
  const { withTime } = wanted

  const put = (some: readonly Draft[]): void => {
    for (const each of some) {
      if (each.due === null) ids.add(each.id)
      if (each.completed !== undefined) completions.push({ id: each.id, completed: each.completed })
      if (keeps(each)) drafts.push(each)
    }
  }
  const bring = (state: UserState, until: Instant, entry?: AppliedEntry['entry']): void => {
    if (withTime && !isTurnedOff(state))
      put(draftsBetween(key, { ...current, wanted }, state, { from: state.at, to: until, entry }))
  }

  /** A revoked achievement leaves no message of its completions. */
  const retract = (achievement: string): void => {
    for (const { id, completed } of completions) if (completed === achievement) ids.delete(id)
    drafts = drafts.filter(({ completed }) => completed !== achievement)
  }

  return {
    ids,
    get drafts() {
      return drafts
    },
    see: ({ entry, before, decided }) => {
      const known = before.seq === 0 ? null : before
      if (known !== null) bring(known, entry.at, entry)
      if (entry.kind === 'achievementRevoked') retract(entry.achievement)
      const { changes, state: after } = decided
      if (isTurnedOff(after)) return
      const game = gameOf(games, entry.epoch)
      put(draftsOfEntry({ key, game, games, before: known, entry, changes, after }, wanted.types))
    },
    end: (state, until) => bring(state, until),
  }
}
