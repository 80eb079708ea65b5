import { beforeAll, describe, expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

const GAME = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    first: { name: 'First words', trigger: 'metric', metric: 'words', value: 1 },
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50_000 },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  challenges: { march: { name: 'March', start: '2026-03-01', of: [{ metric: 'words', value: 1_000 }] } },
}
const game = file('game.json', JSON.stringify(GAME))
const db = file('app.db')
const now = '2026-03-04T12:00:00Z'
const explain = (...args: readonly string[]) => laurels(['explain', ...args, '--db', db], { now })

beforeAll(async () => {
  const csv = file(
    'events.csv',
    'metric,userId,value,occurredAt,idempotencyKey\n' +
      'words,ada,750,2026-03-01T09:00:00Z,k1\n' +
      'words,ada,50,2026-03-03T09:00:00Z,k2\n',
  )
  await laurels(['import', csv, '--game', game, '--db', db])
})

test('says why a user lacks an achievement', async () => {
  expect(await explain('ada', '--achievement', 'novelist')).toMatchObject({
    code: 0,
    out: 'has the achievement novelist: no\n  49200 short: the user has 800 of "words", and it takes 50000.\n',
    err: '',
  })
})

test('explains the newest loss of a streak if no date is given', async () => {
  expect((await explain('ada', '--streak')).out).toBe((await explain('ada', '--streak', '2026-03-02')).out)
  expect((await explain('ada', '--streak')).out).toMatch(/^the streak went on, 2026-03-02: no\n/)
})

test('says on which date a streak broke', async () => {
  const missed = await explain('ada', '--streak', '2026-03-02')
  expect(missed.out).toMatch(/^the streak went on, 2026-03-02: no\n/)
  expect(missed.out).toContain('2026-03-03')
  expect((await explain('ada', '--streak', '2026-03-03')).out).toMatch(/^the streak went on, 2026-03-03: yes\n/)
})

test('says what a challenge of the user takes', async () => {
  expect((await explain('ada', '--challenge', 'march')).out).toBe(`has completed the challenge march: no
  The user's window of "march" is from 2026-03-01. Only its own events count.
  The challenge takes 1 of 1 criterion. Met: none. Not met: 1000 of "Words" (now 800).
`)
})

describe('is refused', () => {
  const ONE =
    'say what to explain, one thing: give --achievement, --event, --metric with --key, --streak, --leaderboard, --challenge, or --balance'

  test.each([
    [[], '<user> is missing: give the id of the user'],
    [['ada'], ONE],
    [['ada', '--achievement', ''], ONE],
    [['ada', '--achievement', 'first', '--streak', '2026-03-01'], ONE],
    [['ada', '--event', 'e', '--metric', 'words', '--key', 'k1'], ONE],
    [['ada', '--metric', 'words'], 'an event that is named by its idempotency key takes both: give --metric and --key'],
    [['ada', '--streak', 'yesterday'], "--streak must be a date such as 2026-03-02, not 'yesterday'"],
    [['ada', '--achievement', 'first', '--tenant', 't'], 'the game has no tenants (multiTenant): leave --tenant out'],
  ])('%j', async (args, message) => {
    expect(await explain(...args)).toMatchObject({
      code: 2,
      out: '',
      err: `laurels: ${message}\nSee laurels explain --help\n`,
    })
  })
})
