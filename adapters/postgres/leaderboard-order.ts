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
