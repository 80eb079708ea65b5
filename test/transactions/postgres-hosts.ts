import { CamelCasePlugin, CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import { fromKysely, fromPg } from '../../adapters/postgres/index.ts'
import type { HostTransaction } from '../../src/index.ts'
import { deferred } from './deferred.ts'

/** A transaction that the host has begun. */
export interface Opened {
  readonly tx: HostTransaction
  query(text: string, values?: readonly unknown[]): Promise<readonly unknown[]>
  commit(): Promise<void>
  rollback(): Promise<void>
}

type Isolation = 'read committed' | 'repeatable read' | 'serializable'

/** Begins a transaction on a connection of the host's pool. */
export type Begin = (pool: pg.Pool, isolation?: Isolation) => Promise<Opened>

export const beginPg: Begin = async (pool, isolation = 'read committed') => {
  const client = await pool.connect()
  await client.query(`begin isolation level ${isolation}`)
  const end = async (text: string): Promise<void> => {
    try {
      await client.query(text)
    } finally {
      client.release()
    }
  }
  return {
    tx: fromPg(client),
    query: async (text, values = []) => (await client.query(text, [...values])).rows,
    commit: () => end('commit'),
    rollback: () => end('rollback'),
  }
}

function beginKysely(...plugins: readonly KyselyPlugin[]): Begin {
  return async (pool, isolation = 'read committed') => {
    const kysely = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }), plugins: [...plugins] })
    const end = deferred<'commit' | 'rollback'>()
    const begun = deferred<Transaction<Record<string, never>>>()
    const undone = new Error('The host rolls back')
    const ended = kysely
      .transaction()
      .setIsolationLevel(isolation)
      .execute(async (transaction) => {
        begun.resolve(transaction)
        if ((await end.promise) === 'rollback') throw undone
      })
    ended.catch(begun.reject)
    const transaction = await begun.promise
    return {
      tx: fromKysely(transaction),
      query: async (text, values = []) => (await transaction.executeQuery(CompiledQuery.raw(text, [...values]))).rows,
      commit: () => {
        end.resolve('commit')
        return ended
      },
      rollback: async () => {
        end.resolve('rollback')
        await ended.catch((error: unknown) => {
          if (error !== undone) throw error
        })
      },
    }
  }
}

export const HOSTS: readonly (readonly [name: string, begin: Begin])[] = [
  ['fromPg', beginPg],
  ['fromKysely', beginKysely()],
  ['fromKysely with camelCase', beginKysely(new CamelCasePlugin())],
]
