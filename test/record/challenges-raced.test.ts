// Rewards that two processes claim at once, and what challenges of years leave in the state of a user.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { stateText } from '../../src/sql/state-text.ts'
import { PAGES_AND_XP } from '../support/challenge-game.ts'
import { given, type Said } from '../support/given.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'

const nextSchema = useEmptySchemas()

const game = defineGame({
  ...PAGES_AND_XP,
  challenges: {
    june: {
      name: 'June',
      of: [{ metric: 'pages', value: 10 }],
      claim: { within: { days: 2 } },
      reward: { points: { xp: 100 } },
    },
  },
})

function twoOnOneFile(): readonly [Storage, Storage] {
  const folder = mkdtempSync(join(tmpdir(), 'laurels-claims-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'app.db')
  return [sqlite(file), sqlite(file)]
}

function twoOnPostgres(): readonly [Storage, Storage] {
  const schema = nextSchema()
  return [postgres(databaseUrl(), { schema }), postgres(databaseUrl(), { schema })]
}

describe.each([
  ['one SQLite file', twoOnOneFile],
  ['Postgres', twoOnPostgres],
])('Two engines on %s', (_, open) => {
  test('that claim a reward 32 times at once give it once', async () => {
    const [first, second] = open().map((storage) => createGamification({ game, storage }))
    if (first === undefined || second === undefined) throw new Error('There are two')
    onTestFinished(async () => {
      await first.close()
      await second.close()
    })
    await first.migrate()
    await first.metrics.event('pages', { user: { id: 'ann' }, value: 10 })
    const claims = Array.from({ length: 32 }, (_, index) =>
      (index % 2 === 0 ? first : second).challenges.claim('june', { user: 'ann' }),
    )
    const answers = await Promise.all(claims)
    expect(answers.map(({ quests }) => quests[0]?.claimed)).toEqual(answers.map(() => true))
    expect((await second.users.points('ann', 'xp')).total).toBe(100)
    expect((await first.verify()).drift).toEqual([])
  })
})

test('The state of a user has less than 4,000 bytes of daily quests, in the first year and in the third', () => {
  const quests = Array.from({ length: 10 }, (_, index) => [
    `quest-${index}`,
    { name: `${index} pages`, of: [{ metric: 'pages', value: index + 1 }], reward: { points: { xp: 1 } } },
  ])
  const { rules } = defineGame({
    metrics: { pages: { name: 'Pages' } },
    points: { xp: { name: 'XP' } },
    challenges: {
      daily: { name: 'Daily', every: 'day', pick: 3, pool: Object.fromEntries(quests), claim: { within: { days: 2 } } },
    },
  } as never)
  const days = Array.from({ length: 1_095 }, (_, day): Said => {
    const at = new Date(Date.parse('2026-01-01T12:00:00Z') + day * 86_400_000).toISOString()
    return { at, metric: 'pages', value: 5 }
  })
  const { states } = given(rules, days)
  const bytesAfter = (day: number) => Buffer.byteLength(stateText(states[day - 1]?.challenges))
  for (const year of [0, 2]) {
    const largest = Math.max(...Array.from({ length: 365 }, (_, day) => bytesAfter(year * 365 + day + 1)))
    expect(largest).toBeGreaterThan(1_000)
    expect(largest).toBeLessThan(4_000)
  }
})
