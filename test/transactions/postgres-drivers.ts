import type pg from 'pg'
import postgresJs from 'postgres'
import { fromPg } from '../../adapters/postgres/index.ts'
import { deferred } from './deferred.ts'
import { type Begin, beginPg } from './postgres-hosts.ts'

/*
 * Transactions of libraries that are no pg, through the few lines that a host writes: an object with `query`. What they do
 * otherwise than pg is what these are for.
 */

/** The types of columns that Prisma reads, by their OIDs. It reads no `void`. */
const READABLE = new Set([16, 20, 21, 23, 25, 114, 700, 701, 1043, 1114, 1184, 1700, 2950, 3802])

/** Prisma's `$queryRawUnsafe`, over a connection of pg: any other column is refused, and bigint comes as such. */
async function queryRawUnsafe(client: pg.PoolClient, text: string, ...values: unknown[]): Promise<unknown[]> {
  const { rows, fields } = await client.query(text, values)
  for (const { dataTypeID } of fields) {
    if (READABLE.has(dataTypeID)) continue
    throw new Error(`Failed to deserialize column of type ${dataTypeID === 2278 ? "'void'" : dataTypeID}.`)
  }
  const large = fields.filter(({ dataTypeID }) => dataTypeID === 20).map(({ name }) => name)
  return rows.map((row) => ({ ...row, ...Object.fromEntries(large.map((name) => [name, BigInt(row[name])])) }))
}

export const beginLikePrisma: Begin = async (pool, isolation) => {
  const client = await pool.connect()
  const transaction = {
    $queryRawUnsafe: (text: string, ...values: unknown[]) => queryRawUnsafe(client, text, ...values),
  }
  // The rest of what a pool lends is the host's affair.
  const lent = { connect: async () => client } as unknown as pg.Pool
  const opened = await beginPg(lent, isolation)
  return {
    ...opened,
    tx: fromPg({
      query: async (text, values = []) => ({ rows: await transaction.$queryRawUnsafe(text, ...values) }),
    }),
  }
}

/** postgres.js writes a parameter as JSON wherever Postgres says that json is its type. */
export const beginPostgresJs: Begin = async (pool, isolation = 'read committed') => {
  const { connectionString = '', application_name = '' } = pool.options
  const sql = postgresJs(connectionString, { max: 1, onnotice: () => undefined, connection: { application_name } })
  const end = deferred<'commit' | 'rollback'>()
  const begun = deferred<postgresJs.TransactionSql>()
  const undone = new Error('The host rolls back')
  const ended = sql
    .begin(`isolation level ${isolation}`, async (transaction) => {
      begun.resolve(transaction)
      if ((await end.promise) === 'rollback') throw undone
    })
    .finally(() => sql.end())
  ended.catch(begun.reject)
  const transaction = await begun.promise
  const query = async (text: string, values: readonly unknown[] = []): Promise<unknown[]> => [
    ...(await transaction.unsafe(text, [...values] as never[])),
  ]
  return {
    tx: fromPg({ query: async (text, values) => ({ rows: await query(text, values) }) }),
    query,
    commit: async () => {
      end.resolve('commit')
      await ended
    },
    rollback: async () => {
      end.resolve('rollback')
      await ended.catch((error: unknown) => {
        if (error !== undone) throw error
      })
    },
  }
}

export const DRIVERS: readonly (readonly [name: string, begin: Begin])[] = [
  ['fromPg over a Prisma transaction', beginLikePrisma],
  ['fromPg over postgres.js', beginPostgresJs],
]
