import type { Eventually } from './steps.ts'

/** A chunk of a log ends when its profiles and attributes reach this size. */
export const CHUNK_BYTES = 262_144

/** A statement that `src/sql` made for every database, with the types of its parameters and of its rows. */
export interface Statement<Params, Row> {
  /** The parameters as the text names them. */
  readonly toParams: (params: Params) => object
  /** Never present; it carries the type of the rows. */
  readonly row?: Row
}

/** A statement with its parameters; null returns no rows. */
export type Part<Row> = { readonly statement: Statement<object, Row>; readonly params: object } | null

export interface Parts {
  readonly [name: string]: Part<object>
}

export type RowsOf<Some extends Parts> = {
  readonly [Name in keyof Some]: Some[Name] extends Part<infer Row> ? readonly Row[] : never
}

export function part<Params extends object, Row>(
  statement: Statement<Params, Row>,
  params: Params,
): NonNullable<Part<Row>> {
  return { statement: statement as Statement<object, Row>, params }
}

/** The long texts of a line of the log. */
export interface LogTexts {
  readonly profile?: string | null
  readonly data: string | null
}

/** Reads of a database, or of a transaction, which sees what it has written. Each statement sees one moment. */
export interface Reader {
  /** The rows of a statement. */
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Eventually<readonly Row[]>
  /** The rows of several statements that only read, as of one moment. */
  read<Some extends Parts>(parts: Some): Eventually<RowsOf<Some>>
  /** As `all`, for lines of the log in their order or against it. Ends when these texts reach about `CHUNK_BYTES`. */
  chunk<Params, Row extends object>(
    statement: Statement<Params, Row>,
    params: Params,
    texts: readonly (keyof LogTexts & keyof Row)[],
    order?: 'asc' | 'desc',
  ): Eventually<readonly Row[]>
}
