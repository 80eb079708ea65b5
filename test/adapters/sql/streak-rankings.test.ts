// The longest streaks are read from an index, however many users there are.

import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { postgresTraits } from '../../../adapters/postgres/traits.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../../adapters/sqlite/traits.ts'
import { NO_STREAK } from '../../../src/rules/state.ts'
import { saveOf } from '../../../src/testing/storage/case.ts'
import { eventOf } from '../../../src/testing/storage/samples.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'
import { statementOf } from '../../support/statements.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const PAGE = { after: { length: 7, user: 'ann' }, limit: 10 }
const ORDERS = ['length', 'longest'] as const

describe('A page of the longest streaks is read in order from an index', () => {
  test('of SQLite', async () => {
    const file = nextFile()
    const storage = sqlite(file)
    await storage.migrate()
    await storage.close()
    const database = new Database(file)
    onTestFinished(() => void database.close())
    const plans = ORDERS.map(async (by) => {
      const [text, values] = await statementOf(sqliteTraits, (reads) => reads.longestStreaks('', by, PAGE))
      const plan = database.prepare(`explain query plan ${text}`).all(values) as { readonly detail: string }[]
      return plan.map(({ detail }) => detail)
    })
    expect(await Promise.all(plans)).toEqual([
      [
        'SEARCH laurels_users USING INDEX laurels_users_by_streak (tenant_id=? AND streak_length>? AND streak_length<?)',
      ],
      [
        'SEARCH laurels_users USING INDEX laurels_users_by_longest (tenant_id=? AND streak_longest>? AND streak_longest<?)',
      ],
    ])
  })

  test('of Postgres', async () => {
    const schema = nextSchema()
    const storage = postgres(databaseUrl(), { schema })
    onTestFinished(() => storage.close())
    await storage.migrate()
    const requests = times(2_000, (n) => ({ tenant: '', user: `user-${n}`, lookups: [] }))
    await storage.commit(requests, (users) =>
      users.map((user, n) => {
        const streak = { ...NO_STREAK, length: n % 50, longest: n % 60 }
        return saveOf(user, { appended: [eventOf(user, 1)], state: { streak } })
      }),
    )
    const client = new pg.Client({ connectionString: databaseUrl() })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query(`analyze ${schema}.users`)
    for (const [by, index] of [
      ['length', 'laurels_users_by_streak'],
      ['longest', 'laurels_users_by_longest'],
    ] as const) {
      const [text, values] = await statementOf(postgresTraits(schema), (reads) => reads.longestStreaks('', by, PAGE))
      const { rows } = await client.query(`explain ${text}`, values)
      const plan = rows.map((row) => String(Object.values(row)[0]).trim())
      expect(plan[1]).toContain(`Index Scan using ${index} on users`)
      expect(plan.filter((line) => line.includes('Sort'))).toEqual([])
    }
  })
})
