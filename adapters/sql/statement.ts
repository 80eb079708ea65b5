import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { SqlTraits } from './traits.ts'

/** A query compiled once, to be run with ever new parameters. */
export interface Statement<Params, Row> {
  readonly text: string
  /** The parameters in the order of their places in the text. */
  readonly toValues: (params: Params) => unknown[]
  /** Never there: carries the type of the rows. */
  readonly row?: Row
}

/** `convert` makes what is bound of the parameter. */
export type Bind<Params> = <Name extends keyof Params>(
  name: Name,
  convert?: (value: Params[Name]) => unknown,
) => RawBuilder<Params[Name]>

/** `execute` is never called. It is asked for because `Compilable` alone would fit any type of row. */
interface Query<Row> extends Compilable {
  execute(): Promise<readonly Row[]>
}

/**
 * Compiles a query in which `bind('name')` stands where a parameter goes. `bind` puts an empty object into the query,
 * which kysely treats as a value; its place among the compiled parameters says where the real value belongs.
 */
export function statement<Params, Row>(
  traits: SqlTraits,
  build: (bind: Bind<Params>) => Query<Row>,
): Statement<Params, Row> {
  const readers = new Map<unknown, (params: Params) => unknown>()
  const compiled = build((name, convert) => {
    const mark = {}
    readers.set(mark, convert === undefined ? (params) => params[name] : (params) => convert(params[name]))
    return sql`${mark}`
  }).compile()

  const places = compiled.parameters.map((value) => readers.get(value) ?? (() => value))
  return { text: traits.spell(compiled.sql), toValues: (params) => places.map((read) => read(params)) }
}

/** `bind` for several columns at once. */
export function bindAll<Params, Name extends keyof Params & string>(
  bind: Bind<Params>,
  names: readonly Name[],
): { [Column in Name]: RawBuilder<Params[Column]> } {
  const bound = names.map((name) => [name, bind(name)])
  // `fromEntries` cannot say that each name has the type of its own column.
  return Object.fromEntries(bound) as { [Column in Name]: RawBuilder<Params[Column]> }
}
