import { PrismaPg } from '@prisma/adapter-pg'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleOnPostgresJs } from 'drizzle-orm/postgres-js'
import knexFactory from 'knex'
import type pg from 'pg'
import postgresJs from 'postgres'
import { DataSource } from 'typeorm'
import { onTestFinished } from 'vitest'
import {
  fromDrizzle,
  fromKnex,
  fromPostgresJs,
  fromPrisma,
  fromTypeORM,
  type PrismaTransaction,
} from '../../adapters/postgres/index.ts'
import { generatedClient } from '../support/prisma-client.ts'
import { type Held, held } from './held.ts'
import type { Begin, Opened } from './postgres-hosts.ts'

/*
 * Transactions of libraries, as their users begin them.
 */

type Query = Opened['query']

function opened<T>({ commit, rollback }: Held<T>, tx: Opened['tx'], query: Query): Opened {
  return { tx, query, commit, rollback }
}

/** The address of the pool's database, with its name for the connection. */
function urlOf({ options }: pg.Pool): string {
  const url = new URL(options.connectionString ?? '')
  url.searchParams.set('application_name', options.application_name ?? '')
  return url.href
}

/** A statement of the host's, as the `sql` of Drizzle takes it. */
function toDrizzle(text: string, values: readonly unknown[]): SQL {
  const parts = text.split(/\$\d+/).map((part) => sql.raw(part))
  return sql.join(parts.flatMap((part, index) => (index === 0 ? [part] : [sql.param(values[index - 1]), part])))
}

const beginDrizzle: Begin = async (pool, isolation = 'read committed') => {
  const db = drizzle(pool)
  type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0]
  const run = (work: (tx: Transaction) => Promise<void>) => db.transaction(work, { isolationLevel: isolation })
  const host = await held(run)
  const query: Query = async (text, values = []) => (await host.transaction.execute(toDrizzle(text, values))).rows
  return opened(host, fromDrizzle(host.transaction), query)
}

export function openPostgresJs(pool: pg.Pool): postgresJs.Sql {
  const { connectionString = '', application_name = '' } = pool.options
  const client = postgresJs(connectionString, { max: 1, onnotice: () => undefined, connection: { application_name } })
  onTestFinished(() => client.end())
  return client
}

const beginDrizzleOnPostgresJs: Begin = async (pool, isolation = 'read committed') => {
  const client = openPostgresJs(pool)
  const db = drizzleOnPostgresJs(client)
  type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0]
  const run = (work: (tx: Transaction) => Promise<void>) => db.transaction(work, { isolationLevel: isolation })
  const host = await held(run)
  const query: Query = async (text, values = []) => [...(await host.transaction.execute(toDrizzle(text, values)))]
  return opened(host, fromDrizzle(host.transaction), query)
}

const beginPostgresJs: Begin = async (pool, isolation = 'read committed') => {
  const client = openPostgresJs(pool)
  const run = (work: (transaction: postgresJs.TransactionSql) => Promise<void>) =>
    client.begin(`isolation level ${isolation}`, work)
  const host = await held(run)
  const query: Query = async (text, values = []) => [
    ...(await host.transaction.unsafe(text, [...values] as postgresJs.ParameterOrJSON<never>[])),
  ]
  return opened(host, fromPostgresJs(host.transaction), query)
}

export function openKnex(pool: pg.Pool): knexFactory.Knex {
  const knex = knexFactory({ client: 'pg', connection: urlOf(pool), pool: { min: 0, max: 1 } })
  onTestFinished(() => knex.destroy())
  return knex
}

const beginKnex: Begin = async (pool, isolation = 'read committed') => {
  const knex = openKnex(pool)
  const run = (work: (transaction: knexFactory.Knex.Transaction) => Promise<void>) =>
    knex.transaction(work, { isolationLevel: isolation })
  const host = await held(run)
  const query: Query = async (text, values = []) =>
    (await host.transaction.raw(text.replaceAll(/\$\d+/g, '?'), [...values] as string[])).rows
  return opened(host, fromKnex(host.transaction), query)
}

const LEVELS = {
  'read committed': ['READ COMMITTED', 'ReadCommitted'],
  'repeatable read': ['REPEATABLE READ', 'RepeatableRead'],
  serializable: ['SERIALIZABLE', 'Serializable'],
} as const

export async function openTypeORM(pool: pg.Pool): Promise<DataSource> {
  const source = await new DataSource({ type: 'postgres', url: urlOf(pool), entities: [], poolSize: 1 }).initialize()
  onTestFinished(() => source.destroy())
  return source
}

const beginTypeORM: Begin = async (pool, isolation = 'read committed') => {
  const source = await openTypeORM(pool)
  type Manager = DataSource['manager']
  const run = (work: (manager: Manager) => Promise<void>) => source.transaction(LEVELS[isolation][0], work)
  const host = await held(run)
  const query: Query = (text, values = []) => host.transaction.query(text, [...values])
  return opened(host, fromTypeORM(host.transaction), query)
}

/** The part of Prisma's generated client that the tests use. */
interface PrismaClient extends PrismaTransaction {
  $transaction<T>(
    work: (transaction: PrismaTransaction) => Promise<T>,
    options?: { readonly isolationLevel?: string; readonly timeout?: number; readonly maxWait?: number },
  ): Promise<T>
  $disconnect(): Promise<void>
}

export async function openPrisma(pool: pg.Pool): Promise<PrismaClient> {
  const { default: generated } = await import(generatedClient())
  const client: PrismaClient = new generated.PrismaClient({ adapter: new PrismaPg({ connectionString: urlOf(pool) }) })
  onTestFinished(() => client.$disconnect())
  return client
}

const beginPrisma: Begin = async (pool, isolation = 'read committed') => {
  const client = await openPrisma(pool)
  const options = { isolationLevel: LEVELS[isolation][1], timeout: 20_000 }
  const run = (work: (transaction: PrismaTransaction) => Promise<void>) => client.$transaction(work, options)
  const host = await held(run)
  const query: Query = async (text, values = []) => {
    const rows = await host.transaction.$queryRawUnsafe(text, ...values)
    return Array.isArray(rows) ? rows : []
  }
  return opened(host, fromPrisma(host.transaction), query)
}

/** With the place in the library's own error that has the state of Postgres. */
export const LIBRARIES: readonly (readonly [name: string, begin: Begin, state: readonly string[]])[] = [
  ['fromDrizzle', beginDrizzle, ['cause', 'code']],
  ['fromDrizzle over postgres.js', beginDrizzleOnPostgresJs, ['cause', 'code']],
  ['fromPrisma', beginPrisma, ['meta', 'driverAdapterError', 'cause', 'originalCode']],
  ['fromKnex', beginKnex, ['code']],
  ['fromTypeORM', beginTypeORM, ['driverError', 'code']],
  ['fromPostgresJs', beginPostgresJs, ['code']],
]
