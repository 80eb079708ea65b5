/** A call of the library, from its beginning to its answer. */
export interface CallTrace {
  /** As `metrics.event`. */
  readonly operation: string
}

/** Commands of one or several users that are recorded in one commit. */
export interface BatchTrace {
  readonly commands: number
}

/** What the storage was asked for: a round trip, or several. */
export interface StorageTrace {
  /** As `commit`, `readUser`. */
  readonly operation: string
}

/** A user's log that is replayed, because an event is late or voided. */
export interface RefoldTrace {
  readonly tenant: string
  readonly user: string
  readonly commands: number
  /** How many lines the log has. */
  readonly entries: number
}
