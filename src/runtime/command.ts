import type { Instant } from '../rules/calendar.ts'
import type { Decided } from '../rules/decide.ts'
import type { EntryBody, ProfilePatch } from '../rules/entry.ts'
import type { Game, Games } from '../rules/game.ts'
import type { Refusal } from '../rules/refuse.ts'
import type { Completion, LeaderboardEntry, UserState } from '../rules/state.ts'
import type { Award, Movement, UserKey } from '../storage/rows.ts'
import type { BatchCaller } from './tracing.ts'

export interface Command extends UserKey {
  /** Made before anything is stored, so that a retry by the engine never records twice. */
  readonly entryId: string
  readonly receivedAt: Instant
  readonly occurredAt: Instant | null
  readonly profile: ProfilePatch | null
  /** `userUpserted` when there is nothing but the profile. */
  readonly body: EntryBody
  readonly by?: string
  /** The value to look up, of an event whose metric has the aggregation `distinct` (`distinctValue`). */
  readonly newValue?: string
  /** More voids, each an entry of its own, of the same user and recorded in the same replay of the log. */
  readonly voids?: readonly VoidCommand[]
  /** True if an unknown user is created, and false if the command is refused. */
  readonly createsUser: boolean
  readonly isSilent?: boolean
}

export interface VoidCommand {
  readonly entryId: string
  readonly event: string
}

export interface TimedCommand extends Command {
  /** By `performance.now()`; infinite for an item of an import, which may wait for the others. */
  readonly deadline: number
  /** Absent if the channel of batches has no subscriber. */
  readonly caller?: BatchCaller
}

export type CommandRefusal =
  | Refusal
  | { readonly code: 'unknown_user' | 'unknown_event' | 'event_not_held' | 'out_of_stock'; readonly message: string }

export interface CompletionMade extends Completion {
  readonly achievement: string
}

interface Judged {
  /** Id of the user in whose log it is. */
  readonly user: string
  readonly game: Game
  readonly games: Games
  readonly at: Instant
}

export type CommandOutcome =
  | (Judged & {
      readonly type: 'recorded'
      readonly entryId: string
      /** `null` if the call created the user. */
      readonly before: UserState | null
      readonly after: UserState
      readonly awards: readonly Award[]
      /** The movements of the entry itself, in spendable points systems. */
      readonly movements: readonly Movement[]
      /** The points that caps and cooldowns removed from the entry. */
      readonly capped: readonly CappedAward[]
      readonly moves: readonly Move[]
      readonly ranks: ReadonlyMap<Move, Ranks>
      /** How many events were voided by a command that named several. */
      readonly voided?: number
      /**
       * Present if a late command changed completions of achievements that repeat. Absent if the entry made them all
       * itself.
       */
      readonly completions?: readonly CompletionMade[]
      /** Present if the entry is late: what it changed itself, and the state right after it. */
      readonly own?: Decided
      /** True if it is an event that is held back, because of a limit of its metric. */
      readonly isHeld: boolean
    })
  | (Judged & {
      /** Nothing to write: the key was used, the achievement claimed, or nothing was asserted. */
      readonly type: 'unchanged'
      /** The entry of the first use of the idempotency key, or `null` if none was looked for. */
      readonly entryId: string | null
      readonly state: UserState
      /** The completion that the first use of a claim's idempotency key made. If absent, the newest completion. */
      readonly completion?: Completion
    })
  | { readonly type: 'refused'; readonly refusal: CommandRefusal }
  /** Nothing was recorded: the user is another name for this one, which should get the command. */
  | { readonly type: 'merged'; readonly into: string }

export interface CappedAward {
  readonly system: string
  readonly trigger: string
  readonly due: number
  readonly awarded: number
  readonly resetsAt: Instant | null
}

/** How an entry moved its user in one run. Neither `from` nor `to`: the user is left out of leaderboards. */
export interface Move {
  readonly leaderboard: string
  readonly run: string
  readonly limit: number | null
  readonly isShared: boolean
  /** The moment at which streaks have to be alive. */
  readonly at: Instant
  readonly from: LeaderboardEntry | null
  readonly to: LeaderboardEntry | null
  /** True if the answer has its ranks. */
  readonly isAnswered: boolean
}

/** The ranks before and after a move, at one moment, or `null` if the user does not rank. */
export interface Ranks {
  readonly rank: number | null
  readonly previousRank: number | null
  /** The value of the last who ranks when the leaderboard is full, else 0. */
  readonly threshold: number
}
