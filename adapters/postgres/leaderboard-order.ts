/*
 * The order of the entries of a leaderboard's group, as texts of SQL: (minus_value, reached_at, user_id), ascending, so that
 * the best comes first.
 */

/** The position before every other: the first block of a group begins there. */
export const FIRST_POSITION_TEXT: string = `-1e308::float8, ${Number.MIN_SAFE_INTEGER}::bigint, ''`

/** After every position. */
export const LAST_POSITION_TEXT: string = `1e308::float8, 0::bigint, ''`

export function positionOf(alias: string): string {
  return `(${alias}.minus_value, ${alias}.reached_at, ${alias}.user_id)`
}

export function order(alias: string, direction: 'asc' | 'desc' = 'asc'): string {
  return ['minus_value', 'reached_at', 'user_id'].map((column) => `${alias}.${column} ${direction}`).join(', ')
}

/** The advisory lock of a group: whoever changes its blocks holds it. `group` has expressions of the four columns. */
export function groupLock(schema: string, group: readonly [string, string, string, string]): string {
  const name = `laurels ${schema} leaderboard`.replaceAll("'", "''")
  return `hashtextextended(json_build_array('${name}', ${group.join(', ')})::text, 0)`
}
