/*
 * The parts of Cloudflare's API that laurels uses. They are named here, so that our types need no package of Cloudflare's.
 */

/** `ctx.storage` of a Durable Object whose class is in `new_sqlite_classes`. */
export interface ObjectStorage {
  readonly sql: SqlStorage
  transactionSync<T>(body: () => T): T
  transaction<T>(body: (transaction: { rollback(): void }) => Promise<T>): Promise<T>
  getAlarm(): Promise<number | null>
  setAlarm(at: number): Promise<void>
}

export interface SqlStorage {
  exec(text: string, ...values: unknown[]): Iterable<object> & { toArray(): object[] }
}

/** `ctx`, the first argument of a Durable Object's constructor. */
export interface ObjectContext {
  readonly storage: ObjectStorage
  blockConcurrencyWhile<T>(body: () => Promise<T>): Promise<T>
}
