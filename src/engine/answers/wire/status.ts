import type { ErrorCode } from '../../../errors.ts'
import type { Count, DateText, InstantText } from './formats.ts'

/** Whether the engine can do its work now. */
export interface Health {
  /** `failing`: the storage did not answer in time, or cannot be used as it is. */
  readonly status: 'ok' | 'failing'
  /** How many milliseconds the storage took to answer. */
  readonly storageMs: Count
  /** Whether the game of this process is the newest stored one. While a deploy goes on, old processes are behind. */
  readonly isNewestGame: boolean
  /** The code of what failed; null: nothing did. */
  readonly code: ErrorCode | null
  /** What failed, and how to mend it, for whoever runs the server. */
  readonly message: string | null
}

/** The state of a tenant, and of what serves it. */
export interface StatusResponse {
  readonly health: Health
  readonly game: {
    /** The newest epoch that has the game of this process. */
    readonly epoch: Count
    /** Whether the newest stored game is that of this process. */
    readonly isNewest: boolean
    readonly newestEpoch: Count
  }
  /** Of all tenants: users to whom time has brought something that is not told yet. */
  readonly due: {
    /** How many there are; no more than 10,000 are counted. */
    readonly users: Count
    /** Since when the first of them waits, ISO 8601; null: nobody does. */
    readonly oldest: InstantText | null
  }
  /** Of all tenants: messages that have been written, and that no subscription and no webhook can see yet. */
  readonly messages: {
    /** How many there are; no more than 10,000 are counted. */
    readonly waiting: Count
    /** When the first of them happened, ISO 8601; null: there is none. */
    readonly oldest: InstantText | null
  }
  /** Those that are active, by dates in UTC, in the game's order. */
  readonly leaderboards: readonly LeaderboardStatusItem[]
  /** `sqlite`, `postgres`, `memory`, or what another adapter calls itself. */
  readonly storage: string
  /** How many users there are. */
  readonly users: Count
}

/** An active leaderboard, with its current run. */
export interface LeaderboardStatusItem {
  readonly key: string
  readonly name: string
  /** The first and the last date of the current run; an end of null: it never ends. */
  readonly run: { readonly start: DateText; readonly end: DateText | null }
  /** How many users are in that run, in all its groups; no more than 10,000 are counted. */
  readonly users: Count
}
