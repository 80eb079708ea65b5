import type { GivenBoosts } from '../game/stored-game.ts'
import type { Instant } from '../rules/calendar.ts'
import type { EntryBody, ProfilePatch } from '../rules/entry.ts'
import type { Game, GameFrom, Games } from '../rules/game.ts'
import type { Refusal } from '../rules/refuse.ts'
import type { Completion, LeaderboardEntry, UserState } from '../rules/state.ts'
import type { Award, UserKey } from '../storage/rows.ts'
import type { Eventually } from '../storage/steps.ts'
import type { Storage, StoredGame } from '../storage/storage.ts'
import type { Emitter } from './host-events.ts'
import type { MessageSignal } from './message-signal.ts'
import type { BatchCaller, Guard } from './tracing.ts'
import type { YearCache } from './year-cache.ts'

export interface Context {
  readonly storage: Storage
  /** When the call has to be answered, by `performance.now()`; infinite for work that consists of many calls. */
  readonly deadline: number
  /** Id of the API key that made the call, or `null` if the call came in-process or from a session. */
  readonly by: string | null
  /** True if a client made the call; secret achievements are hidden from it. */
  readonly isClient: boolean
  /**
   * Called before a call continues with another user, into whom its own was merged. Rejects if the caller may not read
   * or write that user. If `null`, every caller may.
   */
  readonly confirm: (() => Promise<void>) | null
  readonly now: () => Instant
  readonly newId: (now: Instant) => string
  readonly logger: Logger
  readonly games: GameRegistry
  readonly emitter: Emitter
  readonly recorder: Recorder
  /** The write mode of calls that join no transaction. */
  readonly queued: WriteMode
  readonly keyUses: KeyUses
  readonly wrapped: WrappedSettings
  readonly yearSums: YearCache
  readonly databaseClock: DatabaseClock
  readonly messageSignal: MessageSignal
}

export interface Call extends Context {
  readonly tenant: string
}

export interface WriteCall extends Call {
  readonly mode: WriteMode
}

/** The clock of this process beside the clock of the database, as of the last comparison. */
export interface DatabaseClock {
  /** Compares the clocks. Returns the problem of this process's clock, or null. Rejects as `checkWritable` does. */
  compare(storage?: Storage): Promise<string | null>
  /** Compares the clocks unless that was done within the last minute. */
  refresh(): Promise<void>
  /** The time for leases: the database's, or the process's if the database has no clock. */
  leaseNow(): Instant
  /**
   * Rejects writes to a storage with `unavailable` while the clock of this process is too far ahead. Rejects them with
   * `storage_unusable` if the tables do not belong to this code. Asks the storage before the first write, and again if
   * the clock has moved ahead since.
   */
  readonly guard: Guard
}

export interface WrappedSettings {
  /** In a tenant with more events users are not compared with one another. */
  readonly mostEvents: number
}

/**
 * The library reports here what no answer says: the details first and then the message, as pino, Fastify's logger and
 * bunyan take them. An error is among the details as `err`, with its cause. `console` may be given too.
 */
export interface Logger {
  warn(details: { readonly [name: string]: unknown }, message: string): void
  error(details: { readonly [name: string]: unknown }, message: string): void
}

/** How calls are recorded: through the queue, by an import, in the host's transaction, or not at all. */
export interface WriteMode {
  record(command: TimedCommand): Eventually<CommandOutcome>
  current(): Eventually<CurrentGame>
  /** Calls the host's handlers, at once or after the commit. */
  notify(run: () => void): void
  /** True if the entries publish no messages. Default: false. */
  readonly isSilent?: boolean
}

/** The game of this process, as its host defined it. */
export type OwnGame = Pick<StoredGame, 'fingerprint' | 'definition'>

export interface CurrentGame {
  readonly game: Game
  readonly games: Games
  readonly epoch: number
  /** The newest epoch that replaces all before it; 0 if there is none. */
  readonly baselineEpoch: number
  readonly boosts: GivenBoosts
  /** Every epoch that replaced all before it, in ascending order. */
  readonly baselines: readonly number[]
  /** Every game with the instant after which it was in force, in ascending order of epoch. */
  readonly gamesFrom: readonly GameFrom[]
  /** The games whose notices differ from the notices of the game before. */
  readonly noticesFrom: readonly GameFrom[]
  /** The types of messages that have a subscriber, or `null` if there are no subscribers, and no message is made. */
  readonly messages: Wanted | null
}

/** The types of messages that are written, and the instant from which messages of time are sent. */
export interface Wanted {
  readonly types: ReadonlySet<string>
  readonly since: Instant
  /** True if the worker visits users: time causes some of the types, or the game has memberships. */
  readonly withTime: boolean
}

export interface GameRegistry {
  readonly fingerprint: string
  /** The newest game, read by the deadline of `storage`. Stores this process's own first if that is new. */
  current(storage?: Storage): Promise<CurrentGame>
  known(): CurrentGame | null
  /** The text that another game is in force. Returns `null` if it is not, or not known yet. */
  otherGame(): string | null
  /** The same, by these stored games. */
  otherGameIn(stored: readonly StoredGame[]): string | null
  /** Throws `invalid_game`, with the epoch, if one of these stored games cannot be read. */
  check(stored: readonly StoredGame[]): void
  /** The games until this process put its own in force. Returns `null` if it did not. */
  replaced(): CurrentGame | null
  /** The periodic read of `current`, for calls that do not wait for it. */
  lookBeside(): void
  /** Resolves when nothing is under way beside calls. */
  drained(): Promise<void>
  /** Reads the stored games again, because one of a newer epoch was met. */
  refresh(storage?: Storage): Promise<void>
  /** Puts a game in force. Stores nothing if the newest game is the same and has the same policy. */
  apply(game: OwnGame, policy: StoredGame['policy']): Promise<CurrentGame>
  /**
   * Gives, changes or deletes boosts of all users, as an epoch with the same definition. `change` is called again if
   * another process was faster. Its errors are thrown. A change without an effect stores nothing.
   */
  changeBoosts(change: (boosts: GivenBoosts, current: CurrentGame) => GivenBoosts): Promise<CurrentGame>
  /**
   * Writes messages of these types from now on, and no others, as an epoch with the same definition. `typesOf` is called
   * again if another process was faster. Types that are wanted already store nothing.
   */
  changeMessages(typesOf: () => Promise<Iterable<string>>): Promise<CurrentGame>
}

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
  /** More voids, each an entry of its own, of the same user and recorded in the same fold of the log. */
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
  | { readonly code: 'unknown_user' | 'unknown_event' | 'event_not_held'; readonly message: string }

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

export interface Recorder {
  /** How many commands have come through the queue of calls. */
  readonly count: number
  record(command: TimedCommand): Promise<CommandOutcome>
  /** The same for an import, in larger batches and without ranks. */
  recordItem(command: TimedCommand): Promise<CommandOutcome>
  /** Resolves when nothing waits and nothing is under way. */
  drained(): Promise<void>
}

export interface KeyUses {
  note(keyId: string, now: number): void
  drained(): Promise<void>
}
