import { expect, test } from 'vitest'
import { codeOf, onEachStorage } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words', limits: [{ value: 100, per: { days: 1 }, then: 'hold' }] } },
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 150 } },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 10, points: 1 },
        { type: 'user_creation', points: 7 },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: { words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
} as const

onEachStorage('The other name of a merged user', (open) => {
  async function merged() {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'guest' }, value: 60, idempotencyKey: 'a' })
    const held = await engine.metrics.event('words', { user: { id: 'guest' }, value: 70, idempotencyKey: 'b' })
    engine.at('2026-03-11T12:00:00Z')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 30 })
    await engine.users.merge({ from: 'guest', into: 'ann' })
    return { engine, held: held.eventId }
  }

  test('lists the events that are held back', async () => {
    const { engine, held } = await merged()
    const list = await engine.events.held({ user: 'guest' })
    expect(list.map(({ eventId, userId }) => [eventId, userId])).toEqual([[held, 'ann']])
    expect(await engine.events.held({ user: 'guest', after: held })).toEqual([])
  })

  test('approves an event of the one history that both became', async () => {
    const { engine, held } = await merged()
    expect(await engine.events.approve({ user: 'guest', metric: 'words', idempotencyKey: 'b' })).toMatchObject({
      userId: 'ann',
      eventId: held,
      total: 160,
    })
    expect((await engine.verify()).drift).toEqual([])
    expect(await engine.explain('guest', { event: held })).toEqual(await engine.explain('ann', { event: held }))
  })

  test('voids the events of a time', async () => {
    const { engine } = await merged()
    const between = { from: new Date('2026-03-10T00:00:00Z'), to: new Date('2026-03-11T00:00:00Z') }
    expect(await engine.events.void({ user: 'guest', between })).toMatchObject({
      voided: 2,
      users: [{ userId: 'ann', voided: 2 }],
    })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('has its keys listed and deleted with those of that user, by either name', async () => {
    const { engine } = await merged()
    await engine.metrics.event('words', { user: { id: 'old' }, value: 1 })
    const { create, list } = engine.admin.applicationApiKeys
    await create(['old', 'ann'].map((userId) => ({ userId })))
    await engine.users.merge({ from: 'old', into: 'guest', keepKeys: true })
    for (const userId of ['ann', 'guest', 'old']) {
      expect((await list({ userId })).map((key) => key.userId).sort()).toEqual(['ann', 'old'])
    }
    expect((await engine.admin.applicationApiKeys.delete({ userId: 'guest' })).deleted.length).toBe(2)
    expect(await list()).toEqual([])
  })

  test('is deleted with the user', async () => {
    const { engine } = await merged()
    expect(await codeOf(engine.users.delete('guest'))).toBe('accepted')
    expect(await codeOf(engine.users.get('guest'))).toBe('unknown_user')
    expect((await engine.users.list()).users.filter(({ id }) => ['ann', 'guest'].includes(id))).toEqual([])
    expect((await engine.verify()).drift).toEqual([])
  })
})
