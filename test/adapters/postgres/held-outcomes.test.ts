// A late event where the answer to the COMMIT of its transaction gets lost.

import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, defineGame, GamificationError, type Storage } from '../../../src/index.ts'
import { extendStorage } from '../../support/extend-storage.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'

const nextSchema = useSchemas()
const NOW = Date.parse('2026-03-10T12:00:00.000Z')
const DAY = 86_400_000

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
})

const UNDONE = new GamificationError('invalid_request', 'undone')

/** The outcome of the first `lost` transactions is not reported. */
function losing(real: Storage, lost: number, isStored: (transaction: number) => boolean): Storage {
  let holds = 0
  return extendStorage(real, (real) => ({
    transaction: async (work) => {
      holds += 1
      if (holds > lost) return real.transaction(work)
      if (isStored(holds)) await real.transaction(work)
      else {
        const undone = real.transaction(function* (held) {
          yield* work(held)
          throw UNDONE
        })
        await undone.catch((error: unknown) => expect(error).toBe(UNDONE))
      }
      throw new GamificationError('outcome_unknown', 'The connection was lost.')
    },
  }))
}

async function open(lost: number, isStored: (transaction: number) => boolean) {
  const real = postgres(databaseUrl(), { schema: nextSchema() })
  const storage = losing(real, lost, isStored)
  const engine = createGamification({ game, storage, clock: () => new Date(NOW) })
  onTestFinished(() => engine.close())
  await engine.migrate()
  const add = (value: number, daysAgo: number, idempotencyKey?: string) =>
    engine.metrics.event('words', {
      ...{ user: { id: 'ann' }, value, occurredAt: new Date(NOW - daysAgo * DAY) },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    })
  return { engine, add, first: await add(4, 1) }
}

const OUTCOMES = [
  ['and it was stored', 1, () => true],
  ['and it was undone', 1, () => false],
  ['twice, and it was undone both times', 3, (tries: number) => tries === 2],
] as const

test.each(OUTCOMES)('is recorded once: %s', async (_, lost, isStored) => {
  const { engine, add, first } = await open(lost, isStored)
  const answer = await add(7, 5)
  expect(answer).toMatchObject({ total: 11 })
  const { entries } = await engine.users.events('ann')
  expect(entries.map(({ id }) => id)).toEqual([first.eventId, answer.eventId])
  expect(await engine.users.points('ann', 'xp')).toMatchObject({ total: 1 })
  expect((await engine.verify()).drift).toEqual([])
})

test.each(OUTCOMES)('is recorded once with its idempotency key: %s', async (_, lost, isStored) => {
  const { engine, add } = await open(lost, isStored)
  const answer = await add(7, 5, 'key')
  expect(await add(7, 5, 'key')).toMatchObject({ eventId: answer.eventId, idempotentReplayed: true })
  expect((await engine.verify()).drift).toEqual([])
})

test.each(OUTCOMES)('several of them are recorded once each: %s', async (_, lost, isStored) => {
  const { engine, add } = await open(lost, isStored)
  const answers = await Promise.all([5, 6, 7].map((days) => add(days, days)))
  expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(3)
  expect((await engine.users.allMetrics('ann'))[0]?.current).toBe(4 + 5 + 6 + 7)
  expect((await engine.verify()).drift).toEqual([])
})

test.each(OUTCOMES)('a void is recorded once: %s', async (_, lost, isStored) => {
  const { engine, first } = await open(lost, isStored)
  await engine.events.void(first.eventId)
  expect((await engine.users.allMetrics('ann'))[0]?.current).toBe(0)
  expect((await engine.verify()).drift).toEqual([])
})
