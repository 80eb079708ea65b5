import type { Statement } from '../sql/statement.ts'

/** Runs statements, each of which is prepared once. */
export interface Statements {
  run<Params>(statement: Statement<Params, unknown>, params: Params): number
  get<Params, Row>(statement: Statement<Params, Row>, params: Params): Row | undefined
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): readonly Row[]
}
