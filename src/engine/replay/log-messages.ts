import type { Instant } from '../../rules/calendar.ts'
import { timeBrings } from '../../rules/due.ts'
import { type Folded, gameOf } from '../../rules/fold.ts'
import type { UserState } from '../../rules/state.ts'
import type { UserKey } from '../../storage-rows.ts'
import { wantsTime } from '../accept/user-messages.ts'
import type { Draft } from '../answers/messages/draft.ts'
import { draftsOfStep } from '../answers/messages/of-step.ts'
import { draftsOfTime } from '../answers/messages/of-time.ts'
import type { CurrentGame, Wanted } from '../types.ts'

/** What a log tells as it is folded: of its entries, and of the time between them. */
export interface LogMessages {
  see(folded: Folded): void
  /** What time brings after the newest entry, until an instant. */
  end(state: UserState, until: Instant): void
  /** Ids of all that was told, but for messages of what changes often. */
  readonly ids: ReadonlySet<string>
  /** The drafts that were to be kept, in order. */
  readonly drafts: readonly Draft[]
}

export interface LogMessagesOptions {
  readonly key: UserKey
  readonly current: Pick<CurrentGame, 'games' | 'noticesFrom'>
  readonly wanted: Wanted
  /** Which drafts are to be kept: each keeps a state in memory, and a log may have many. */
  readonly keeps: (draft: Draft) => boolean
}

export function startLogMessages({ key, current, wanted, keeps }: LogMessagesOptions): LogMessages {
  const { games, noticesFrom: newer } = current
  const ids = new Set<string>()
  const drafts: Draft[] = []
  const tellsTime = wantsTime(wanted)

  const put = (told: readonly Draft[]): void => {
    for (const each of told) {
      if (each.due === null) ids.add(each.id)
      if (keeps(each)) drafts.push(each)
    }
  }
  const bring = (state: UserState, until: Instant, entry?: Folded['entry']): void => {
    if (!tellsTime) return
    const game = gameOf(games, state.epoch)
    const brought = timeBrings(game, state, Math.max(state.at, wanted.since), until, { newer, entry })
    put(draftsOfTime({ key, games }, brought, wanted.types))
  }

  return {
    ids,
    drafts,
    see: ({ entry, before, step }) => {
      const known = before.seq === 0 ? null : before
      if (known !== null) bring(known, entry.at, entry)
      const game = gameOf(games, entry.epoch)
      put(
        draftsOfStep(
          { key, game, games, before: known, entry, changes: step.changes, after: step.state },
          wanted.types,
        ),
      )
    },
    end: (state, until) => bring(state, until),
  }
}
