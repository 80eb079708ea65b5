import pg from 'pg'
import { expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'
import { POSTGRES_NAMES } from '../../support/migrations.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'

const file = useFiles()
const nextSchema = useSchemas()

const game = file(
  'game.json',
  JSON.stringify({
    metrics: { words: { name: 'Words' } },
    achievements: { first: { name: 'First words', trigger: 'metric', metric: 'words', value: 1 } },
  }),
)
const csv = file('events.csv', 'metric,userId,value,idempotencyKey\nwords,ada,25,k1\nwords,ada,5,k2\nwords,lin,5,k3\n')

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** As messages have it: without the password. */
const shown = (schema: string): string => `${databaseUrl().replace(/:[^:@/]+@/, '@')}, schema ${schema}`

test('verify names what differs in a schema of Postgres, and rebuild repairs it', async () => {
  const schema = nextSchema()
  const of = ['--db', databaseUrl(), '--schema', schema]
  const imported = await laurels(['import', csv, '--game', game, ...of])
  expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/^3 read, 3 recorded/), err: '' })
  expect(await laurels(['verify', ...of])).toMatchObject({
    code: 0,
    out: '2 users, 3 entries: nothing differs\n',
    err: '',
  })

  await query(`update "${schema}".totals set total = 31 where user_id = 'ada'`)
  const drift = 'totals user_id="ada" metric="words": stored total=31, expected total=30\n'
  expect(await laurels(['verify', ...of])).toMatchObject({
    code: 1,
    out: `${drift}2 users, 3 entries: 1 row differs\n`,
  })
  expect(await laurels(['rebuild', ...of])).toMatchObject({
    code: 0,
    out: `${drift}2 users, 3 entries: 1 row repaired\n`,
  })
  expect((await laurels(['verify', ...of])).code).toBe(0)
})

test('migrate and info look at a schema, and say where it is without the password', async () => {
  const schema = nextSchema()
  const of = ['--db', databaseUrl(), '--schema', schema]
  expect(await laurels(['verify', ...of])).toMatchObject({
    code: 2,
    out: '',
    err: `laurels: There is no database at ${shown(schema)}. Give another URL or --schema, or make it: laurels migrate --db <url>\n`,
  })
  await query(`create schema "${schema}"`)
  expect((await laurels(['verify', ...of])).err).toBe(
    `laurels: ${shown(schema)} lacks tables of laurels. Give another URL or --schema, or make them: laurels migrate --db <url>\n`,
  )
  const dry = await laurels(['migrate', '--dry-run', '--game', game, ...of])
  const applied = await laurels(['migrate', '--game', game, ...of])
  expect(applied.out).toBe(`${POSTGRES_NAMES.map((name) => `applied ${name}\n`).join('')}stored the game as epoch 1\n`)
  expect(dry.out).toBe(
    `${applied.out.replaceAll('applied', 'would apply').replace('stored', 'would store')}Nothing was written.\n`,
  )
  expect((await laurels(['migrate', '--dry-run', ...of])).out).toBe('no migration to apply\nNothing was written.\n')

  await laurels(['import', csv, '--game', game, ...of])
  expect(JSON.parse((await laurels(['info', '--json', ...of])).out)).toMatchObject({
    database: shown(schema),
    migrations: { applied: POSTGRES_NAMES, pending: [] },
    games: [{ epoch: 1, policy: 'forward' }],
    users: 2,
    logEntries: 3,
    completions: { total: 2, achievements: [{ achievement: 'first', users: 2 }] },
  })
  expect((await laurels(['keys', 'list', ...of])).out).toBe('no admin keys\n')
})
