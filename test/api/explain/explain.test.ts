// The reads of an explanation: every storage, one tenant, long logs, logs that change in the meantime, games that were
// replaced.

import { expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { defineGame, type GameDefinition, type Storage } from '../../../src/index.ts'
import { loadLog } from '../../../src/sql/log.ts'
import { aroundQuery } from '../../support/around-query.ts'
import { add, codeOf, NOON, onEachStorage, openOn } from '../../support/engine.ts'
import { extendStorage } from '../../support/extend-storage.ts'
import { useEngines } from '../../support/places.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}
const start = useEngines(NOON)
const subject = { achievement: 'ten' } as const

onEachStorage('Explaining', (open) => {
  test('tells of achievements, events and streaks', async () => {
    const engine = await open(GAME)
    const { eventId } = await add(engine, 'words', 7, { idempotencyKey: 'k' })
    await add(engine, 'words', 1, { occurredAt: new Date('2026-03-09T12:00:00.000Z') })
    expect(await engine.explain('ann', subject)).toMatchObject({
      holds: false,
      reasons: [{ type: 'metric_short', total: 8, missing: 2 }],
    })
    expect(await engine.explain('ann', { event: { metric: 'words', idempotencyKey: 'k' } })).toMatchObject({
      holds: true,
      reasons: [
        { type: 'recorded', eventId },
        { type: 'replayed' },
        { type: 'total_changed', before: 1, after: 8 },
        { type: 'not_reached', missing: 2 },
        { type: 'streak_extended', length: 2 },
      ],
    })
    expect(await engine.explain('ann', { streak: '2026-03-09' })).toMatchObject({
      holds: true,
      reasons: [{ type: 'streak_counted', length: 1 }],
    })
  })
})

test('A tenant sees its own users only', async () => {
  const engine = await start(defineGame({ ...GAME, multiTenant: true }), memory())
  await engine.tenant('acme').metrics.event('words', { user: { id: 'ann' }, value: 4 })
  expect(await engine.tenant('acme').explain('ann', subject)).toMatchObject({ reasons: [{ missing: 6 }] })
  expect(await codeOf(engine.tenant('other').explain('ann', subject))).toBe('unknown_user')
  expect(await codeOf(engine.explain('ann', subject))).toBe('tenant_required')
})

test('A log of several chunks is read as it was when the call began', async () => {
  const inner = memory()
  let chunks = 0
  let meanwhile = async (): Promise<unknown> => undefined
  const storage: Storage = extendStorage(
    inner,
    aroundQuery(
      (storage) => loadLog(storage, { tenant: '', user: '' }),
      async (run, { seq }: { readonly seq: number }) => {
        chunks += 1
        if (seq > 0) {
          const now = meanwhile
          meanwhile = async () => undefined
          await now()
        }
        return run()
      },
    ),
  )
  const thousands = {
    ...GAME,
    achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 2_000 } },
  }
  const engine = await start(defineGame(thousands as GameDefinition), storage)
  await Promise.all(
    Array.from({ length: 1_200 }, () => engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })),
  )
  const missing = async (): Promise<unknown> => (await engine.explain('ann', subject)).reasons
  expect(await missing()).toMatchObject([{ total: 1_200, missing: 800 }])
  expect(chunks).toBe(3)
  const add = (value: number, rest: object = {}) =>
    engine.metrics.event('words', { user: { id: 'ann' }, value, ...rest })
  meanwhile = async () => {
    await add(5, { occurredAt: new Date('2026-03-01T12:00:00.000Z') })
    await add(2)
  }
  expect(await missing()).toMatchObject([{ total: 1_200, missing: 800 }])
  expect(await missing()).toMatchObject([{ total: 1_207, missing: 793 }])
  const [first] = await loadLog(inner, { tenant: '', user: 'ann' }, { limit: 1 })
  meanwhile = () => engine.events.void(first?.id ?? '')
  expect(await missing()).toEqual([expect.objectContaining({ total: 1_207, missing: 793 })])
  expect(await missing()).toMatchObject([
    { total: 1_202, missing: 798 },
    { type: 'events_voided', count: 1 },
  ])
})

test('Explaining writes nothing', async () => {
  const inner = memory()
  const storage: Storage = extendStorage(inner, () => ({ commit: () => expect.fail('It was written') }))
  const writer = await openOn(inner, { now: NOON }, GAME)
  const { eventId } = await add(writer, 'words', 4)
  const engine = await start(defineGame(GAME), storage)
  await engine.explain('ann', subject)
  await engine.explain('ann', { event: eventId })
  await engine.explain('ann', { streak: '2026-03-10' })
})
