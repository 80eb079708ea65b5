export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * The text of a migration for a schema. In the text, `"laurels".` is the schema before a name, `{schema}` is its name
 * within quotes, and `$laurels$` marks the begin and end of the body of a function.
 */
export function inSchema(text: string, schema: string): string {
  let tag = 'laurels'
  while (schema.includes(`$${tag}$`)) tag += '_'
  const marks: { readonly [mark: string]: string } = {
    '"laurels".': `${quoteIdentifier(schema)}.`,
    '{schema}': schema.replaceAll("'", "''"),
    $laurels$: `$${tag}$`,
  }
  return text.replace(/"laurels"\.|\{schema\}|\$laurels\$/g, (mark) => marks[mark] ?? mark)
}

/**
 * The condition for a user in lookups by idempotency key or new value. Their indexes have expressions, so that no other
 * query is planned with them. Only the columns themselves tell Postgres the partition.
 */
export function ofIndexedUser(partitions: number, [tenant, user]: readonly [string, string], log = ''): string {
  const indexed = `(${log}tenant_id || '') = ${tenant} and (${log}user_id || '') = ${user}`
  return partitions === 0 ? indexed : `${indexed} and ${log}tenant_id = ${tenant} and ${log}user_id = ${user}`
}

export type ColumnType = 'text' | 'bytea' | 'bigint' | 'int' | 'float8' | 'boolean'

const TYPES: readonly (readonly [kept: string, type: ColumnType])[] = [
  ['text', 'text'],
  ['bytes', 'bytea'],
  ['integer', 'bigint'],
  ['small', 'int'],
  ['double', 'float8'],
  ['boolean', 'boolean'],
]

/** The type of a column that a table declares. */
export function toColumnType(kind: string): ColumnType {
  const found = TYPES.find(([name]) => kind.startsWith(name))
  if (found === undefined) throw new Error(`Postgres has no type for ${kind}.`)
  return found[1]
}
