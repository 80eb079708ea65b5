// Rows of a save arrive in Postgres as sent: texts of every kind, numbers to their last digit, and what is null.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { SAVED_TYPES, toSavedText } from '../../../adapters/postgres/save-rows.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'

const nextSchema = useSchemas()
const TEXTS = [
  ...[
    '',
    ' ',
    'plain',
    'NULL',
    'null',
    'a,b',
    '(a)',
    '{a}',
    '"',
    '""',
    '\\',
    '\\"',
    '\\\\',
    "'",
    'tab\there',
    'line\nbreak',
  ],
  ...['ä', '😀', '\u2028', '{"a":"b\\"c"}', '[1,"x"]', 'ends with \\', '\\N', ')', ',', '","', ' leads', 'trails '],
]
const NUMBERS = [0, -0, 1, -1, 0.1, -0.000001, 1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, 123456789.123456]

describe('A list of rows', () => {
  let client: pg.Client
  let schema = ''

  beforeAll(async () => {
    schema = nextSchema()
    const game = defineGame({ metrics: { words: { name: 'Words' } } })
    const engine = createGamification({ game, storage: postgres(databaseUrl(), { schema }) })
    await engine.migrate()
    await engine.close()
    client = new pg.Client({ connectionString: databaseUrl() })
    await client.connect()
  })
  afterAll(() => client?.end())

  const arrived = async (list: string, rows: Parameters<typeof toSavedText>[1]): Promise<unknown> => {
    const type = SAVED_TYPES[list]
    if (type === undefined) throw new Error(`There is no list ${list}.`)
    const text = `select row_to_json(r) as row from unnest($1::text::"${schema}".${type.name}[]) r`
    const { rows: answered } = await client.query<{ row: unknown }>(text, [toSavedText(type, rows)])
    return answered.map(({ row }) => row)
  }

  test('brings every text', async () => {
    const rows = TEXTS.map((text, n) => ({ n, tenant_id: text, kind: text, key: `${text}${text}`, amount: n }))
    expect(await arrived('counters', rows)).toEqual(rows)
  })

  test('brings numbers to the last digit, and what is null', async () => {
    const rows = NUMBERS.map((total, n) => ({ n, tenant_id: '', user_id: 'ann', system: 'xp', total, level: null }))
    // There is one zero.
    expect(await arrived('points', rows)).toEqual(rows.map((row) => ({ ...row, total: row.total + 0 })))
  })

  test('brings truth values, null where a column is not given', async () => {
    const given = { n: 3, tenant_id: '', user_id: 'ann', leaderboard: 'top', run: '', group_key: '', minus_value: -7.5 }
    const [yes, no] = [true, false].map((unlimited) => ({ ...given, reached_at: 12, unlimited }))
    const left = { until: null, names: null }
    expect(await arrived('leaderboard_entries', [yes, no] as never)).toEqual([
      { ...yes, ...left },
      { ...no, ...left },
    ])
  })
})
