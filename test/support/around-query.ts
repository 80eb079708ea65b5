import type { Storage } from '../../src/index.ts'

/** Runs a query and returns its rows, perhaps others. `params` belong to the statement, or to the first of several. */
export type Around = (run: () => Promise<never>, params: never) => Promise<unknown>

/** Answers no rows, and notes the statements. */
function statementsOf(query: (storage: Storage) => unknown): ReadonlySet<unknown> {
  const statements = new Set<unknown>()
  const note = (statement: unknown): Promise<never[]> => {
    statements.add(statement)
    return Promise.resolve([])
  }
  const read = (parts: { readonly [name: string]: { readonly statement: unknown } | null }) => {
    for (const part of Object.values(parts)) if (part !== null) note(part.statement)
    return Promise.resolve(Object.fromEntries(Object.keys(parts).map((name) => [name, []])))
  }
  const storage = { toBoolean: Number, all: note, page: note, chunk: note, change: note, read } as unknown as Storage
  // A query may miss the rows that it asked for.
  Promise.resolve(query(storage)).catch(() => undefined)
  return statements
}

/** Members of a storage that runs `around` in place of the statements of a query. For `extendStorage`. */
export function aroundQuery(
  query: (storage: Storage) => unknown,
  around: Around,
): (storage: Storage) => Pick<Storage, 'all' | 'page' | 'chunk' | 'read'> {
  return aroundQueries([[query, around]])
}

export function aroundQueries(
  queries: readonly (readonly [query: (storage: Storage) => unknown, around: Around])[],
): (storage: Storage) => Pick<Storage, 'all' | 'page' | 'chunk' | 'read'> {
  const known = queries.map(([query, around]) => ({ statements: statementsOf(query), around }))
  const by = <T>(statements: readonly unknown[], params: unknown, run: () => Promise<T>): Promise<T> => {
    const found = known.find((each) => statements.some((statement) => each.statements.has(statement)))
    return found === undefined ? run() : (found.around(run as () => Promise<never>, params as never) as Promise<T>)
  }
  return (storage) => ({
    all: (statement, params) => by([statement], params, () => storage.all(statement, params)),
    page: (statement, params) => by([statement], params, () => storage.page(statement, params)),
    chunk: (statement, params, ...rest) => by([statement], params, () => storage.chunk(statement, params, ...rest)),
    read: (parts) => {
      const asked = Object.values(parts).filter((part) => part !== null)
      const owned = asked.find(({ params }) => 'user' in params)
      const statements = asked.map(({ statement }) => statement)
      return by(statements, owned?.params ?? asked[0]?.params, () => storage.read(parts))
    },
  })
}
