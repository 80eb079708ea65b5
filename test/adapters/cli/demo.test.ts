// @heavy: It takes more than three seconds.

import { writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'
import { dump } from '../../support/dump.ts'

const file = useFiles()
const now = '2026-05-04T12:00:00Z'

let databases = 0
function nextDatabase(): string {
  databases += 1
  return file(`${databases}/app.db`)
}

const demo = (db: string, ...args: readonly string[]) =>
  laurels(['demo', '--db', db, '--users', '12', ...args], { now, tick: 1 })

function read(db: string): ReadonlyMap<string, readonly string[]> {
  const database = new Database(db)
  try {
    return dump(database, { everything: true })
  } finally {
    database.close()
  }
}

const without = (rows: ReadonlyMap<string, readonly string[]>, column: string): unknown =>
  [...rows].map(([table, lines]) => [
    table,
    lines.map((line) => line.replace(new RegExp(`\\["${column}",[^\\]]*\\]`), '')),
  ])

test('fills an empty database, says what to look at, and all of it can be done', async () => {
  const db = nextDatabase()
  const { code, out, err } = await demo(db, '--until', '2026-03-31')
  expect(out).toMatch(/^recorded \d{3} events of 12 users in 90 days, in \d+\.\d s\nLook at it:\n/)
  expect([code, err]).toEqual([0, ''])

  const calls = [...out.matchAll(/^ {2}npx laurels (.*)$/gm)].map(([, call = '']) => call.split(' '))
  expect(calls.map(([name]) => name)).toEqual(['console', 'info', 'explain', 'verify'])
  // The console runs until it is stopped.
  for (const call of calls.slice(1)) expect(await laurels(call)).toMatchObject({ code: 0 })

  const info = JSON.parse((await laurels(['info', '--db', db, '--json'])).out)
  expect(info.users).toBe(12)
  expect(info.completions.achievements).toContainEqual({ achievement: 'first-lesson', users: 12 })
  expect(info.completions.achievements.map((each: { achievement: string }) => each.achievement)).toContain(
    'week-in-a-row',
  )
  const { out: challenges } = await laurels(['call', 'challenges.list', '--db', db])
  expect(JSON.parse(challenges)).toMatchObject([
    { key: 'daily', participants: 12 },
    { key: 'month', participants: 12 },
  ])
})

test('gives the same each time for the same last day', async () => {
  const [one, two, other] = [nextDatabase(), nextDatabase(), nextDatabase()]
  await demo(one, '--until', '2026-03-31')
  await laurels(['demo', '--db', two, '--users', '12', '--until', '2026-03-31'], { now: '2026-11-01T00:00:00Z' })
  await demo(other, '--until', '2026-03-30')
  expect(without(read(two), 'version')).toEqual(without(read(one), 'version'))
  expect(read(other).get('laurels_log')).not.toEqual(read(one).get('laurels_log'))
})

test('takes the game that is named, or else that of the database, with values that reach what it asks for', async () => {
  const game = file(
    'game.json',
    JSON.stringify({
      metrics: { words: { name: 'Words' }, old: { name: 'Old', status: 'archived' } },
      userAttributes: ['plan'],
      eventAttributes: ['source'],
      achievements: {
        novelist: {
          name: 'Novelist',
          trigger: 'metric',
          metric: 'words',
          value: 30_000,
          userAttributes: { plan: 'pro' },
        },
        editor: {
          name: 'Editor',
          trigger: 'metric',
          metric: 'words',
          value: 500,
          eventAttributes: { source: 'editor' },
        },
      },
      streak: { frequency: 'daily', metrics: { words: { threshold: 100 } } },
    }),
  )
  const named = nextDatabase()
  expect(await demo(named, '--game', game)).toMatchObject({ code: 0, err: '' })
  const stored = nextDatabase()
  await laurels(['migrate', '--db', stored, '--game', game], { now })
  expect(await demo(stored)).toMatchObject({ code: 0, err: '' })
  for (const db of [named, stored]) {
    const { games, completions } = JSON.parse((await laurels(['info', '--db', db, '--json'])).out)
    expect(games).toHaveLength(1)
    expect(completions.achievements.map((each: { achievement: string }) => each.achievement)).toEqual([
      'editor',
      'novelist',
    ])
  }
})

test('records every event of a metric that counts different values', async () => {
  const game = file('distinct.json')
  const metrics = { books: { name: 'Books', aggregation: 'distinct', of: 'book' } }
  writeFileSync(game, JSON.stringify({ eventAttributes: ['book'], metrics }))
  const { code, out } = await demo(nextDatabase(), '--game', game, '--until', '2026-03-31', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ users: 12, replayed: 0, refused: 0 })
})

test('refuses a database that has users, unless they are to be added', async () => {
  const db = nextDatabase()
  const first = await demo(db, '--until', '2026-03-31', '--json')
  const { users, recorded } = JSON.parse(first.out)
  expect(users).toBe(12)
  expect(await demo(db, '--until', '2026-03-31')).toMatchObject({
    code: 2,
    out: '',
    err: `laurels: ${db} has 12 users: give an empty database, or --add to put the demo's beside them\nSee laurels demo --help\n`,
  })
  const added = await demo(db, '--until', '2026-03-31', '--add', '--json')
  expect(JSON.parse(added.out)).toEqual({ users: 12, days: 90, recorded: 0, replayed: recorded, refused: 0 })
})

test.each([
  [['--until', '2026-05-05'], '--until 2026-05-05 has not come yet: today is 2026-05-04, in UTC'],
  [['--until', '2026-02-30'], "--until must be a date such as 2026-03-31, not '2026-02-30'"],
  [['--until', '1999-12-31'], '--until 1999-12-31 is too early: give a date from 2000-01-01 on'],
  [['--users', '0'], "--users must be a whole number from 1 to 5,000, not '0'"],
  [['--users', '5001'], "--users must be a whole number from 1 to 5,000, not '5001'"],
])('%j is wrong', async (args, message) => {
  expect(await demo(nextDatabase(), ...args)).toMatchObject({
    code: 2,
    out: '',
    err: `laurels: ${message}\nSee laurels demo --help\n`,
  })
})
