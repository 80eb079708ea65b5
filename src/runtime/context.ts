import type { GivenBoosts } from '../game/stored-game.ts'
import type { Instant } from '../rules/calendar.ts'
import type { Game, GameFrom, Games } from '../rules/game.ts'
import type { KeyHolder } from '../shapes/keys.ts'
import type { Eventually } from '../storage/steps.ts'
import type { JoinedTransaction, Storage, StoredGame } from '../storage/storage.ts'
import type { CommandOutcome, TimedCommand } from './command.ts'
import type { Emitter } from './host-events.ts'
import type { MessageSignal } from './message-signal.ts'
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
  readonly validKeys: ValidKeys
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
   * True if a write may begin, or a promise that the storage is asked first, which is so before the first write, and if
   * the clock has moved ahead since. It rejects with `unavailable` while the clock of this process is too far ahead, and
   * with `storage_unusable` if the tables do not belong to this code.
   */
  mayWrite(storage: Pick<Storage, 'checkTables'>): true | Promise<void>
  /** The same for the calls within the host's transaction, by its connection. */
  guardJoined(joined: JoinedTransaction): JoinedTransaction
}

export interface WrappedSettings {
  /** In a tenant with more events users are not compared with one another. */
  readonly mostEvents: number
}

/**
 * Receives what no answer reports. Each method takes the details and then the message, as pino, Fastify's logger and
 * bunyan do. An error is among the details as `err`, with its cause. `console` works too.
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
  /** True if nothing is stored. Default: false. */
  readonly isDryRun?: boolean
  /** The host's transaction, if the calls write within one. */
  readonly joined?: JoinedTransaction
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
  lookInBackground(): void
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

export interface Recorder {
  /** How many commands have come through the queue of calls. */
  readonly count: number
  record(command: TimedCommand): Promise<CommandOutcome>
  /** The same for an import, in larger batches and without ranks. */
  recordItem(command: TimedCommand): Promise<CommandOutcome>
  /** Resolves when nothing waits and nothing is under way. */
  drained(): Promise<void>
}

/** Admin keys that are valid as of a value of `Storage.changes`. Application keys are used too seldom to be cached. */
export interface ValidKeys {
  get(key: string, asOf: number): KeyHolder | undefined
  /** `asOf`: before the key was read. */
  put(key: string, asOf: number, holder: KeyHolder): void
}

export interface KeyUses {
  note(keyId: string, now: number): void
  drained(): Promise<void>
}
