export interface UserAuditOptions {
  readonly repair?: boolean
}

/** A derived row that differs from the log. */
export interface Drift {
  /** The name of the table in the documentation, without the prefix `laurels_` or the schema. */
  readonly table: string
  /** The values of the primary key. */
  readonly key: DriftRow
  /** `null` if there is no such row. */
  readonly stored: DriftRow | null
  /** `null` if the row should not exist. */
  readonly expected: DriftRow | null
}

/** The values by column, without the user's version, which does not follow from the log. */
export type DriftRow = { readonly [column: string]: DriftValue }

export type DriftValue = string | number | boolean | null

/** One group of one run of a leaderboard, by the names under which blocks are kept: long ones are hashes. */
export interface BlockGroup {
  readonly tenant: string
  readonly leaderboard: string
  readonly run: string
  readonly group: string
}
