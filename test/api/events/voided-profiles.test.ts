import { expect, test } from 'vitest'
import { NOON, onEachStorage } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
} as const

onEachStorage('A void of an event that brought a profile', (open) => {
  test('takes back what the event did, and leaves the profile', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 2 })
    engine.at('2026-03-10T13:00:00Z')
    const user = { id: 'ann', name: 'Ann', tz: 'Asia/Tokyo' }
    const { eventId } = await engine.metrics.event('words', { user, value: 5 })

    expect(await engine.events.void(eventId)).toMatchObject({ total: 2 })

    expect(await engine.users.get('ann')).toMatchObject({
      name: 'Ann',
      tz: 'Asia/Tokyo',
      created: NOON,
      updated: '2026-03-10T13:00:00.000Z',
    })
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })
})
