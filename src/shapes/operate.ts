import type { ErrorCode, Issue } from '../errors.ts'
import type { Drift } from '../storage/audit.ts'
import type { MigrationReport } from '../storage/storage.ts'
import type { Count, DateText, InstantText } from './formats.ts'
import type { DamagedUser, LogEntry } from './users.ts'

export type ApplyPolicy = 'forward' | 'grant' | 'recompute'

/** The health of the engine. */
export interface Health {
  /** `failing`: the storage did not answer in time, or is unusable. */
  readonly status: 'ok' | 'failing'
  /** The milliseconds that the storage took to answer. */
  readonly storageMs: Count
  /** True if the game of this process is the newest stored one. During a deploy, old processes are behind. */
  readonly isNewestGame: boolean
  /** The error code of the failure, or `null` if there is none. */
  readonly code: ErrorCode | null
  /** The failure, or that the rules of another deploy are in force, and how to fix it. For operators of the server. */
  readonly message: string | null
}

/** The report of `migrate`. */
export interface MigrateResponse extends MigrationReport {
  /** The game that is in force now. */
  readonly game: {
    readonly epoch: Count
    /** True if it is the game of this process. */
    readonly isOwn: boolean
    /**
     * That the rules of another deploy are in force, and how to change that, or `null` if the game of this process is.
     */
    readonly message: string | null
    /** Metrics that this process removed by putting its game in force, with the number of users who have totals. */
    readonly removedMetrics: readonly { readonly metric: string; readonly users: number }[]
  }
}

/** The state of a tenant, and of what serves it. */
export interface StatusResponse {
  readonly health: Health
  readonly game: {
    /** The newest epoch that has the game of this process. */
    readonly epoch: Count
    /** True if the newest stored game is that of this process. */
    readonly isNewest: boolean
    readonly newestEpoch: Count
  }
  /** In all tenants: users with messages that are due and not yet published. */
  readonly due: {
    /** Their number; at most 10,000 are counted. */
    readonly users: Count
    /** The instant since which the first user waits, ISO 8601, or `null` if there is none. */
    readonly oldest: InstantText | null
  }
  /** In all tenants: messages that were written, and that no subscription and no webhook can see yet. */
  readonly messages: {
    /** Their number; at most 10,000 are counted. */
    readonly waiting: Count
    /** When the first of them happened, ISO 8601, or `null` if there is none. */
    readonly oldest: InstantText | null
  }
  /** Active leaderboards, by dates in UTC, in the game's order. */
  readonly leaderboards: readonly LeaderboardStatusItem[]
  /** `sqlite`, `postgres`, `memory`, or the name of another adapter. */
  readonly storage: string
  /** The number of users. */
  readonly users: Count
}

/** An active leaderboard, with its current run. */
export interface LeaderboardStatusItem {
  readonly key: string
  readonly name: string
  /** The first and the last date of the current run. The end is `null` if it never ends. */
  readonly run: { readonly start: DateText; readonly end: DateText | null }
  /** The number of users in that run, in all its groups; at most 10,000 are counted. */
  readonly users: Count
}

/** The progress of a walk over the users, sent during the walk. */
export interface StreamProgress {
  /** The number of users that were read. */
  readonly users: Count
  /** The number of entries in their logs. */
  readonly entries: Count
  /** The user that was read last, or `null` at the start and at the end. */
  readonly last: { readonly tenant: string; readonly user: string } | null
  /** The number of users to read, or `null` if it is not known. */
  readonly of: Count | null
}

/** The body of every error answer of every route. */
export interface Problem {
  /** The problem and its remedy, for people. */
  readonly error: string
  /** For programs; stable. */
  readonly code: string
  /**
   * On a schema violation: the first 20 mistakes.
   *
   * @maxItems 20
   */
  readonly issues?: readonly Issue[]
}

/**
 * A line of a stream: progress any number of times, then exactly one of the others. An error is the body of the same refusal
 * outside of a stream.
 */
export type StreamLine<Report> =
  | { readonly progress: StreamProgress }
  | { readonly report: Report }
  | { readonly error: Problem }

/** A game that is stored. */
export interface StoredGameSummary {
  /** The number of the stored game: 1, 2, 3 … */
  readonly epoch: Count
  /** SHA-256 of the canonical definition, in hex. */
  readonly fingerprint: string
  /** The policy under which it was put in force. */
  readonly policy: ApplyPolicy
  /** ISO 8601. */
  readonly createdAt: InstantText
  /** As `defineGame` takes it. */
  readonly definition: { readonly [name: string]: unknown }
}

/** Each rule in one plain sentence, by key. */
export interface GameSentences {
  readonly achievements: { readonly [key: string]: string }
  /** By points system, then by id of the trigger. */
  readonly points: { readonly [system: string]: { readonly [trigger: string]: string } }
  /** The limit of events, by metric. Only metrics with limits. */
  readonly metrics: { readonly [key: string]: string }
  /** The cap and the most points, by points system. Only systems with one of them. */
  readonly systems: { readonly [key: string]: string }
  /** By points system, then by id of the boost. */
  readonly boosts: { readonly [system: string]: { readonly [boost: string]: string } }
  /** The game's `streak` is there as `streak`, before the named ones. */
  readonly streaks: { readonly [key: string]: string }
  readonly leaderboards: { readonly [key: string]: string }
  /** By challenge, then by quest. The key of the quest is empty if the challenge has no pool. */
  readonly challenges: { readonly [key: string]: { readonly [quest: string]: string } }
}

/** The newest stored game. */
export interface CurrentGameResponse extends StoredGameSummary {
  /** True if it is the game of the process that answers. */
  readonly isNewest: boolean
  /** Each rule in one sentence, by key. */
  readonly sentences: GameSentences
}

/** Stored games, the newest first. */
export interface GamesResponse {
  /** The newest first. Epochs that changed only boosts or wanted messages are left out. */
  readonly games: readonly StoredGameSummary[]
  /** Send it as `before` to get older ones. `null` on the last page. */
  readonly before: Count | null
}

/** One line of an export. `laurels` names its kind. */
export type ExportLine = ExportHeader | ExportedGame | ExportedUser | ExportedEntry | ExportEnd

/** Some lines of a user's export. `laurels` names the kind of each line. */
export interface ExportPage {
  readonly lines: readonly ExportLine[]
  /** Send it as `after` to get the next page. `null` on the last page. */
  readonly after: string | null
}

/** The first line of an export of any number of users. */
export interface ExportHeader {
  readonly laurels: 'export'
  readonly version: 1
  /** The tenant of the users, or `null` for the users of all tenants. */
  readonly tenant: string | null
}

/** A game that entries were decided under, as stored. */
export interface ExportedGame extends Omit<StoredGameSummary, 'definition'> {
  readonly laurels: 'game'
  /** Why the epoch was stored. `boosts` and `messages`: the game is the same, with other boosts or wanted messages. */
  readonly cause: 'start' | 'return' | 'apply' | 'boosts' | 'messages'
  readonly definition: unknown
}

/** The line before a user's entries. It is the first line of an export of one user. */
export interface ExportedUser {
  readonly laurels: 'user'
  readonly version: 1
  /** The empty text in a game without tenants. */
  readonly tenant: string
  readonly id: string
  /** The number of entries that follow. */
  readonly entries: number
}

/** One entry of a user's log. Entries follow in the order of the log. */
export interface ExportedEntry {
  readonly laurels: 'entry'
  readonly entry: LogEntry
}

/** The line after a user's entries, or at the end of an export of all users. */
export type ExportEnd =
  | {
      readonly laurels: 'end'
      readonly of: 'user'
      readonly id: string
      /** The number of entries. */
      readonly entries: number
      /**
       * False if the log changed while it was read, for example because the user was deleted. Discard the lines of this
       * user.
       */
      readonly complete: boolean
    }
  | { readonly laurels: 'end'; readonly of: 'export'; readonly users: number }

/** The number of users who gain or lose. */
export interface WhatIfAchievement {
  readonly key: string
  /** Users who would have it, or would have completed it more often. */
  readonly gained: Count
  /** Users who would not have it, or would have completed it less often. */
  readonly lost: Count
}

/** The points that a points system would pay more, and less. */
export interface WhatIfPoints {
  readonly system: string
  /** Users who would get more. */
  readonly gains: Count
  /** The additional points. */
  readonly minted: number
  /** Users who would get less. */
  readonly loses: Count
  /** The lost points. */
  readonly gone: number
}

/** The points that a trigger would pay more, and less. */
export interface WhatIfTrigger extends WhatIfPoints {
  /** Id of the trigger. If the systems of both games have it, the id is from the other game. */
  readonly trigger: string
}

/** The users who would move up or down in levels. Levels of both games with the same key are the same level. */
export interface WhatIfLevels {
  readonly system: string
  readonly up: Count
  readonly down: Count
}

/** The users who would have completed more, or fewer, quests of a challenge. */
export interface WhatIfChallenge {
  readonly key: string
  readonly gained: Count
  readonly lost: Count
}

/** The users whose balance of a spendable points system would be below 0, and is not now. */
export interface WhatIfBalances {
  readonly system: string
  readonly negative: Count
}

/** The number of users who would have another position. */
export interface WhatIfLeaderboard {
  readonly key: string
  /** Users who would be on it, and are not now. */
  readonly entered: Count
  /** Users who are on it now, and would not be. */
  readonly left: Count
  readonly up: Count
  readonly down: Count
}

/** The changes for one user. */
export interface WhatIfUser {
  /** Empty in a game without tenants. */
  readonly tenant: string
  readonly user: string
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** By points system: how much more or less. */
  readonly points: { readonly [system: string]: number }
}

/** The differences if another game had always been in force. Rules without a difference are left out. */
export interface WhatIfReport {
  /** The number of users that were read. */
  readonly users: Count
  /** Users with a difference. */
  readonly changed: Count
  readonly achievements: readonly WhatIfAchievement[]
  readonly points: readonly WhatIfPoints[]
  readonly triggers: readonly WhatIfTrigger[]
  readonly levels: readonly WhatIfLevels[]
  readonly balances: readonly WhatIfBalances[]
  readonly challenges: readonly WhatIfChallenge[]
  /** The newest run of each. */
  readonly leaderboards: readonly WhatIfLeaderboard[]
  /** The hundred users with the largest differences: of points, then of achievements. */
  readonly largest: readonly WhatIfUser[]
  /** Users with an unreadable row, or with missing lines of the log. They were not checked. */
  readonly damaged: readonly DamagedUser[]
}

/** Derived rows that differ from a replay of the logs. */
export interface AuditReport {
  /** The number of users that were read. */
  readonly users: Count
  readonly entries: Count
  /** Every derived row that differs from a replay of the logs. Over HTTP, the first 10,000. */
  readonly drift: readonly Drift[]
  /** Users with an unreadable row, or with missing lines of the log. Such a row is left unchanged. */
  readonly damaged: readonly DamagedUser[]
}

/** The report of applying a game. */
export interface ApplyReport {
  readonly epoch: Count
  readonly policy: ApplyPolicy
  /** The number of users that were read; 0 with `forward`, which reads no user. */
  readonly users: Count
  /** The number of these users whose rows or log were written. */
  readonly changed: Count
  /** Users with an unreadable row, or with missing lines of the log. They are left unchanged. */
  readonly damaged: readonly DamagedUser[]
}
