/** The migrations of each database, in order. */
export const SQLITE_NAMES: readonly string[] = ['0001-schema']
export const POSTGRES_NAMES: readonly string[] = ['0001-schema']
