import { beforeAll, describe, expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const game = file(
  'game.json',
  JSON.stringify({
    metrics: { words: { name: 'Words' } },
    streak: { frequency: 'daily', metrics: { words: {} } },
  }),
)
const db = file('app.db')
const call = (...args: readonly string[]) => laurels(['call', ...args, '--db', db], { now: '2026-03-04T12:00:00Z' })
const EVENT = { user: { id: 'ada' }, value: 750, occurredAt: '2026-03-04T09:00:00+01:00' }

beforeAll(async () => {
  await laurels(['migrate', '--game', game, '--db', db])
})

test('lists the calls without a name, and needs no database then', async () => {
  const { code, out, err } = await laurels(['call'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^metrics\.event\(metric, request\) +Submit a metric event$/m)
  expect(out).toMatch(/^leaderboards\.get\(leaderboard, request\?\) +Get one run of a leaderboard, with rankings$/m)
})

test('makes a call that writes, and prints the answer as JSON', async () => {
  const dry = await call('metrics.event', JSON.stringify(['words', EVENT]), '--dry-run')
  expect(JSON.parse(dry.out)).toMatchObject({ total: 750 })
  const written = await call('metrics.event', JSON.stringify(['words', { ...EVENT, value: 50 }]))
  expect(written).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(written.out)).toMatchObject({ total: 50, currentStreak: { length: 1 } })
})

test('makes a call of a group in a group', async () => {
  const pause = { userId: 'ada', start: '2026-03-05', end: '2026-03-06' }
  const { out } = await call('admin.streaks.pauses.create', JSON.stringify([{ pauses: [pause] }]))
  expect(JSON.parse(out)).toMatchObject({ created: [pause], issues: [] })
})

test('a text where a call takes a Date is an instant', async () => {
  const event = { user: { id: 'bea' }, value: 10, occurredAt: '2026-03-04T09:00:00Z' }
  await call('metrics.event', JSON.stringify(['words', event]))
  const between = { from: '2026-03-04T08:00:00Z', to: '2026-03-04T10:00:00Z' }
  const { out } = await call('events.void', JSON.stringify([{ user: 'bea', between }, { reason: 'a test' }]))
  expect(JSON.parse(out)).toEqual({ voided: 1, users: [{ userId: 'bea', voided: 1 }], issues: [], hasMore: false })
  const wrong = await call('events.void', JSON.stringify([{ user: 'bea', between: { ...between, to: 'noon' } }]))
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('between: { from, to } } with two Dates') })
})

test('a dry run of several voids is refused', async () => {
  const { code, err } = await call('events.void', '[{ "by": "key-1" }]', '--dry-run')
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('dryRun is for one event') })
})

test('a call may have arguments left out', async () => {
  const { out } = await call('streaks.rankings')
  expect(JSON.parse(out)).toEqual([expect.objectContaining({ userId: 'ada', streakLength: 1 })])
})

describe('is refused', () => {
  test.each([
    [['users.streek'], "unknown call 'users.streek'; did you mean 'users.streak'?"],
    [['users.streak', '{}'], `the arguments must be a list in JSON, such as '["ada", { "limit": 3 }]'`],
    [['users.streak', '["ada"'], /^laurels: the arguments are not JSON \(.*\): give a list in JSON, such as /],
    [['users.streak', '["ada", {}, {}]'], 'users.streak takes userId, request, not 3 arguments'],
    [['users.streak', '["ada", { "periods": 3 }]'], /periods/],
    [['users.streak', '["ada"]', '--dry-run'], 'users.streak has no --dry-run: leave it out'],
    [['metrics.event', '["words", { "user": { "id": "ada" }, "value": 1, "occurredAt": "today" }]'], /occurredAt/],
    [['users.streak', '["ada"]', 'more'], "there is an argument too many: 'more'"],
    [['users.streak', '["bob"]'], 'bob'],
  ] as const)('%j', async (args, message) => {
    const { code, out, err } = await call(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message instanceof RegExp ? message : new RegExp(message.replaceAll(/[[\]{}?.()]/g, '\\$&')))
  })
})
