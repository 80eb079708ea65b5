import type { UserState } from '../rules/state.ts'
import type { NoticeCursor } from './outbox.ts'
import type { Award, LeaderboardRow, Page, Snapshot, StreakPeriod, UserKey } from './rows.ts'

/**
 * Compares derived rows with what the log says, row by row as stored, so that rows which cannot be read as a state are
 * reported and no error is thrown. The caller folds the log; adapters fold nothing.
 */
export interface StorageAudit {
  /** How many users to audit at once: 1 where the database is in the process, and answers one after the other. */
  readonly auditsAtOnce: number

  /**
   * The rows of a user that differ from the facts, as of one moment, in order of table, then key; holds up no write.
   * With `null`, an empty log, there should be no row. `version` is the user's, 0 if there is no such user.
   */
  audit(key: UserKey, facts: UserFacts | null): Promise<UserAudit>

  /**
   * Makes every row of a user what the facts say and gives the user a new version, in one step; false, and nothing is
   * written, when `version` is not the user's any more. Counters and blocks stay unchanged. They have audits of their
   * own.
   */
  repair(key: UserKey, facts: UserFacts | null, version: number): Promise<boolean>

  /**
   * Users of all tenants who have a row in the log or in a table of derived rows, in order of (tenant, user). These are
   * the users of `listUsers`, and owners of rows that are left although the user is gone.
   */
  listOwners(options?: Page<UserKey>): Promise<readonly UserKey[]>

  /**
   * The counters of all tenants that are not what the rows they count say, as of one moment. With `repair` it makes every
   * counter what the rows say, together with what others count in the meantime.
   */
  auditCounters(options?: UserAuditOptions): Promise<readonly Drift[]>

  /**
   * Groups of leaderboards that are counted in blocks, in order of tenant, leaderboard, run and group, at most `limit`
   * (default 1,000) after the given one. None if a storage has no blocks.
   */
  listBlockGroups(options?: Page<BlockGroup>): Promise<readonly BlockGroup[]>

  /**
   * The blocks of a group that are not what the entries say, pending ones included, as of one moment. With `repair` it
   * makes the blocks of such a group again.
   */
  auditBlocks(group: BlockGroup, options?: UserAuditOptions): Promise<readonly Drift[]>
}

export interface UserAuditOptions {
  readonly repair?: boolean
}

/** What a user's log says, and the rows should say. */
export interface UserFacts {
  readonly state: UserState
  readonly awards: readonly Award[]
  readonly periods: readonly StreakPeriod[]
  readonly leaderboards: readonly LeaderboardRow[]
  /**
   * All snapshots that may be stored. An audit compares those that are stored, and a repair stores all. Absent: there
   * should be none.
   */
  readonly snapshots?: readonly Snapshot[]
  /**
   * How far notices were sent. It is not compared, because the log does not say it. A repair stores it; absent, it leaves what is stored.
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
  /** As it is stored, as of the same moment. */
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
  /** null: there should be none. */
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
