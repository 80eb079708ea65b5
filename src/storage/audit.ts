import type { UserState } from '../rules/state.ts'
import type { NoticeCursor } from './outbox.ts'
import type { Award, LeaderboardRow, Page, Snapshot, StreakPeriod, UserKey } from './rows.ts'

/**
 * Compares derived rows with the facts from the log, row by row as stored. Rows that cannot be read as a state are
 * reported, and no error is thrown. The caller replays the log; adapters never do.
 */
export interface StorageAudit {
  /** How many users to audit at once: 1 if the database is in the process, and answers one call after the other. */
  readonly auditsAtOnce: number

  /**
   * The rows of a user that differ from the facts, as of one moment, in order of table, then key; holds up no write.
   * With `null`, an empty log, there should be no row. `version` is the user's, 0 if there is no such user.
   */
  audit(key: UserKey, facts: UserFacts | null): Promise<UserAudit>

  /**
   * Writes a user's rows from the facts and gives the user a new version, in one step. Returns false, and writes
   * nothing, if the user's version is no longer `version`. Counters and blocks stay unchanged. They have audits of
   * their own.
   */
  repair(key: UserKey, facts: UserFacts | null, version: number): Promise<boolean>

  /**
   * Users of all tenants who have a row in the log or in a table of derived rows, in order of (tenant, user). These are
   * the users of `listUsers`, and owners of rows that are left although the user is gone.
   */
  listOwners(options?: Page<UserKey>): Promise<readonly UserKey[]>

  /**
   * Compares the counters of all tenants with the rows they count, in one snapshot, and returns the counters that
   * differ. With `repair` it corrects them, and includes concurrent counts.
   */
  auditCounters(options?: UserAuditOptions): Promise<readonly Drift[]>

  /**
   * Groups of leaderboards that are counted in blocks, in order of tenant, leaderboard, run and group, at most `limit`
   * (default 1,000) after the given one. None if a storage has no blocks.
   */
  listBlockGroups(options?: Page<BlockGroup>): Promise<readonly BlockGroup[]>

  /**
   * Compares the blocks of a group with its entries, pending ones included, in one snapshot, and returns the blocks
   * that differ. With `repair` it rebuilds the blocks of such a group.
   */
  auditBlocks(group: BlockGroup, options?: UserAuditOptions): Promise<readonly Drift[]>
}

export interface UserAuditOptions {
  readonly repair?: boolean
}

/** The rows that a user should have, according to the log. */
export interface UserFacts {
  readonly state: UserState
  readonly awards: readonly Award[]
  readonly periods: readonly StreakPeriod[]
  readonly leaderboards: readonly LeaderboardRow[]
  /**
   * All snapshots that may be stored. An audit compares the stored ones, and a repair stores all. If absent, there
   * should be none.
   */
  readonly snapshots?: readonly Snapshot[]
  /**
   * The notice cursor. It is not compared, because the log does not say it. A repair stores it; if absent, the stored
   * cursor stays.
   */
  readonly notices?: NoticeCursor | null
}

export interface UserAudit {
  readonly version: number
  /** How many lines the user's log has, as of the same moment. */
  readonly lines: number
  readonly drift: readonly Drift[]
  /** How many snapshots are stored, as of the same moment. */
  readonly snapshots: number
  /** The stored cursor, from the same snapshot. */
  readonly notices: NoticeCursor | null
}

/** A derived row that differs from the log. */
export interface Drift {
  /** As the documentation names it, without the prefix or the schema. */
  readonly table: string
  /** The columns of the primary key. */
  readonly key: DriftRow
  /** `null` if there is no such row. */
  readonly stored: DriftRow | null
  /** `null` if the row should not exist. */
  readonly expected: DriftRow | null
}

/** By column, but for the user's version, which follows from nothing. */
export type DriftRow = { readonly [column: string]: DriftValue }

export type DriftValue = string | number | boolean | null

/** One group of one run of a leaderboard, by the names under which blocks are kept: long ones are hashes. */
export interface BlockGroup {
  readonly tenant: string
  readonly leaderboard: string
  readonly run: string
  readonly group: string
}
