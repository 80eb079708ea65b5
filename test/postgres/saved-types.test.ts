// Rows of a save arrive in Postgres as they were sent: texts of every kind, numbers to their last digit, and what is null.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toDocumentText } from '../../adapters/postgres/document-text.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { SaveRows } from '../../adapters/postgres/save-rows.ts'
import { SAVED_TYPES, toSavedText, toSavedTextInTurns } from '../../adapters/postgres/saved-types.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'

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

  test.each([0, 1, 1_000, 2_500])('has the same text when it is made in turns: %i rows', async (count) => {
    const type = SAVED_TYPES.counters
    if (type === undefined) throw new Error('There is no list of counters.')
    const rows = Array.from({ length: count }, (_, n) => {
      return { n, tenant_id: TEXTS[n % TEXTS.length], kind: 'completions', key: `key-${n}`, amount: n }
    })
    const others = { epoch: 3, users: [{ n: 0, user: 'a "b" \\ c' }], slot: undefined }
    const inTurns = new SaveRows()
    for (const row of rows) {
      inTurns.add('counters', row)
      inTurns.add('unread', row)
    }
    const lists = { counters: toSavedText(type, rows), ...(count === 0 ? {} : { unread: rows }) }
    const made = { counters: await toSavedTextInTurns(type, rows), ...(await inTurns.toObjectInTurns()) }
    expect(toDocumentText({ ...made, ...others })).toBe(JSON.stringify({ ...lists, ...others }))
    expect(toDocumentText(others)).toBe(JSON.stringify(others))
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
