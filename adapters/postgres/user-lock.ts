/**
 * SQL for the advisory lock of a user who may not be stored yet. Two users may share a lock, and then wait without
 * need.
 */
export function userLock(schema: string, tenant: string, user: string): string {
  const name = `laurels ${schema} `.replaceAll("'", "''")
  return `hashtextextended('${name}' || length(${tenant}) || ' ' || ${tenant} || ${user}, 0)`
}
