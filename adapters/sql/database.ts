import type { Statement } from './statement.ts'

/**
 * What `sqlStorage` needs of a database. Each statement sees one moment. Methods reject with a
 * `GamificationError`, and end by the deadline to which the database is bound.
 */
export interface SqlDatabase {
  /** The rows of a statement that only reads, and may run twice. */
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /**
   * As `all`, for a page of a long list. The database reads it in the order of an index and sorts nothing, even without
   * statistics.
   */
  page<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /**
   * As `all`, for lines of the log in their order or against it. Ends with the line that brings these texts to about
   * `CHUNK_BYTES`.
   */
  chunk<Params, Row extends LogTexts>(
    statement: Statement<Params, Row>,
    params: Params,
    texts: readonly (keyof LogTexts)[],
    order?: 'asc' | 'desc',
  ): Promise<readonly Row[]>
  /** The rows that a statement returns which writes, and does the same again when it runs twice. */
  change<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** The rows that a statement returns which writes, and must not run twice. */
  once<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** As `once`, but waits until all others under this name have ended. */
  locked<Params, Row>(name: string, statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** One transaction, which may run again as a whole if nothing of it was stored. */
  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>
  /** One transaction, which runs once and begins with its first statement. */
  transact<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>
}

export interface SqlTransaction {
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<readonly Row[]>
  /** A statement of the host's, with whatever rows it answers. */
  ask(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
}

/** The long texts of a line of the log. */
export interface LogTexts {
  readonly profile?: string | null
  readonly data: string | null
}
