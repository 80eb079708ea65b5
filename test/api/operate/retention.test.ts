// The control group of an experiment beside all other users.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { codeOf, type Engine, onEachStorage } from '../../support/engine.ts'

const definition: GameDefinition = { metrics: { words: { name: 'Words' } }, experiment: { controlRatio: 0.5 } }
const MARCH = { from: '2026-03-01', to: '2026-03-31' }

/** Users whose ids put them into the control group, and others. */
const CONTROL = ['user-1', 'user-5'] as const
const OTHERS = ['user-0', 'user-2'] as const

/** One event on each of these days after 2026-03-01. */
async function play(engine: Engine, user: string, days: readonly number[], tz = 'UTC'): Promise<void> {
  for (const day of days) {
    const occurredAt = new Date(Date.parse('2026-03-01T12:00:00Z') + day * 86_400_000)
    await engine.metrics.event('words', { user: { id: user, tz }, value: 1, occurredAt })
  }
}

onEachStorage('Retention', (open) => {
  test('compares who came back, active days and events', async () => {
    const engine = await open(definition)
    engine.at('2026-05-01T00:00:00Z')
    await play(engine, CONTROL[0], [0, 1, 1, 7])
    await play(engine, CONTROL[1], [0])
    await play(engine, OTHERS[0], [0, 1, 7, 14, 30, 31])
    await play(engine, OTHERS[1], [2, 3], 'Pacific/Kiritimati')
    await engine.users.create({ id: 'somebody' })
    expect(await engine.activity.retention(MARCH)).toEqual({
      isWhole: true,
      groups: [
        {
          isControl: false,
          users: 2,
          activeUsers: 2,
          activeDays: 7,
          events: 7,
          days: [
            { day: 1, users: 2, returned: 2 },
            { day: 7, users: 2, returned: 1 },
            { day: 14, users: 2, returned: 1 },
            { day: 30, users: 2, returned: 1 },
          ],
        },
        {
          isControl: true,
          users: 2,
          activeUsers: 2,
          activeDays: 4,
          events: 5,
          days: [
            { day: 1, users: 2, returned: 1 },
            { day: 7, users: 2, returned: 1 },
            { day: 14, users: 2, returned: 0 },
            { day: 30, users: 2, returned: 0 },
          ],
        },
      ],
    })
  })

  test('asks only those for whom the date is over, and leaves out voided events', async () => {
    const engine = await open(definition)
    engine.at('2026-03-09T00:00:00Z')
    await play(engine, OTHERS[0], [0])
    await play(engine, OTHERS[1], [1])
    const { eventId } = await engine.metrics.event('words', { user: { id: OTHERS[0] }, value: 1 })
    await engine.events.void(eventId)
    const { groups } = await engine.activity.retention(MARCH)
    expect(groups[0]).toMatchObject({ users: 2, activeDays: 2, events: 2 })
    expect(groups[0]?.days.map(({ users }) => users)).toEqual([2, 1, 0, 0])
  })

  test('reads all users of the dates, and a merged user as one', async () => {
    const engine = await open({ metrics: { words: { name: 'Words' } } })
    await engine.import(
      Array.from({ length: 501 }, (_, index) => ({ metric: 'words', user: { id: `user-${index}` }, value: 1 })),
    )
    await engine.users.merge({ from: 'user-500', into: 'user-0' })
    const { isWhole, groups } = await engine.activity.retention(MARCH)
    expect([isWhole, groups.map(({ users, events }) => [users, events])]).toEqual([
      true,
      [
        [500, 501],
        [0, 0],
      ],
    ])
  })

  test('is asked for at most 92 days', async () => {
    const engine = await open(definition)
    const ask = (from: string, to: string) => codeOf(engine.activity.retention({ from, to }))
    expect(await ask('2026-01-01', '2026-04-02')).toBe('accepted')
    expect(await ask('2025-12-31', '2026-04-02')).toBe('invalid_request')
  })
})
