import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkProcess } from '../../../adapters/cli/doctor.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

const WORDS = { metrics: { words: { name: 'Words' } } }
const game = file('game.json', JSON.stringify(WORDS))
const other = file('other.json', JSON.stringify({ metrics: { words: { name: 'Words' }, pages: { name: 'Pages' } } }))
const csv = file('events.csv', 'metric,userId,value,idempotencyKey\nwords,ada,5,k1\nwords,lin,7,k2\n')

let databases = 0
async function filled(): Promise<string> {
  databases += 1
  const db = file(`${databases}/app.db`, '')
  await laurels(['import', csv, '--db', db, '--game', game])
  return db
}

function change(db: string, text: string): void {
  const database = new Database(db)
  database.exec(text)
  database.close()
}

interface Told {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly fix: readonly string[]
}

async function doctor(...args: readonly string[]): Promise<{ code: number; findings: readonly Told[] }> {
  const { code, out } = await laurels(['doctor', '--json', ...args])
  return { code, findings: JSON.parse(out).findings }
}

const wrong = (findings: readonly Told[]): readonly Told[] => findings.filter(({ status }) => status !== 'ok')

test('says a line for each check where nothing is wrong', async () => {
  const db = await filled()
  const { code, out, err } = await laurels(['doctor', '--db', db, '--game', game])
  expect(out.replace(/(node|zones|driver): .*$/gm, '$1')).toBe(`ok       node
ok       zones
ok       driver
ok       database: ${db}
ok       migrations: all are applied
ok       game: epoch 1 is in force, and is the one given
ok       keys: no application keys
ok       writes: the database takes writes
ok       drift: nothing differs from the logs of 2 users
`)
  expect([code, err]).toEqual([0, ''])
})

test('tells the game that is given from the one in force', async () => {
  const db = await filled()
  const newer = await doctor('--db', db, '--game', other)
  expect(newer.code).toBe(0)
  expect(wrong(newer.findings)).toMatchObject([
    { check: 'game', status: 'warning', fix: [`npx laurels what-if --db ${db} --game <file>`] },
  ])
  await laurels(['migrate', '--db', db, '--game', other])
  expect(wrong((await doctor('--db', db, '--game', game)).findings)).toMatchObject([
    {
      check: 'game',
      message:
        'epoch 2 is in force, and the one given is an earlier one (epoch 1): a process that starts with it puts it in force when no process with epoch 2 was seen for a minute',
      fix: [`npx laurels apply --db ${db} --game <file> --policy forward`],
    },
  ])

  const bare = file('bare.db')
  await laurels(['migrate', '--db', bare])
  expect(wrong((await doctor('--db', bare)).findings)).toMatchObject([{ check: 'game', status: 'warning' }])
})

test('names metrics that a deploy removed, with the users who have totals, as migrate does', async () => {
  const db = await filled()
  const renamed = file('renamed.json', JSON.stringify({ metrics: { word: { name: 'Words' } } }))
  expect((await laurels(['migrate', '--db', db, '--game', renamed])).out).toContain(
    'The metric "words" is gone: 2 users have totals. If you renamed it, give it its old key again.\n',
  )
  const { code, findings } = await doctor('--db', db)
  expect(wrong(findings)).toEqual([
    {
      check: 'metrics',
      status: 'warning',
      message: 'metric words is gone (2 users have totals)',
      fix: ["if you renamed it, give it its old key again; else keep it with status: 'archived'"],
    },
  ])
  expect(code).toBe(0)
})

test('counts the application keys, which may score', async () => {
  const db = await filled()
  const gamification = createGamification({ game: defineGame(WORDS), storage: sqlite(db) })
  await gamification.admin.applicationApiKeys.create([{ userId: 'ada' }, { userId: 'lin' }])
  await gamification.close()
  const { code, findings } = await doctor('--db', db)
  expect(wrong(findings)).toMatchObject([
    {
      check: 'keys',
      status: 'warning',
      message: expect.stringMatching(/^2 application keys\. Each may record events/),
    },
  ])
  expect(code).toBe(0)
})

test('finds what differs from the logs', async () => {
  const db = await filled()
  change(db, `update laurels_totals set total = 6 where user_id = 'ada'`)
  const { code, findings } = await doctor('--db', db)
  expect(wrong(findings)).toEqual([
    {
      check: 'drift',
      status: 'problem',
      message:
        'of 2 users 1 row differs from the logs, such as totals user_id="ada" metric="words": stored total=6, expected total=5',
      fix: [`npx laurels verify --db ${db}`, `npx laurels rebuild --db ${db}`],
    },
  ])
  expect(code).toBe(1)
})

describe('of the process', () => {
  const facts = { node: '24.1.0', zoneData: '2025b', now: Date.parse('2026-05-04T12:00:00Z') }
  let sound: readonly Told[] = []
  beforeAll(() => {
    sound = checkProcess(facts)
  })

  test('nothing is wrong with a Node of today', () => {
    expect(wrong(sound)).toEqual([])
  })

  test('zones that are old are a warning', () => {
    expect(wrong(checkProcess({ ...facts, zoneData: '2022a' }))).toMatchObject([{ check: 'zones', status: 'warning' }])
  })
})
