// Many callers at once on two engines: no cap is ever exceeded by a point.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../../src/game/define-game.ts'
import { times, useAllPlaces, useEngines } from '../../support/places.ts'
import { howMany } from '../../support/share.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  points: {
    xp: {
      name: 'XP',
      cap: { points: 999, per: 'week' },
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 3, cap: { points: 100, per: 'day' } },
        { type: 'metric', metric: 'laps', threshold: 1, points: 7, cooldown: { minutes: 60 } },
      ],
    },
    refilled: {
      name: 'Refilled',
      maxPoints: 50,
      triggers: [
        { type: 'time', every: { hours: 1 }, points: 1 },
        { type: 'metric', metric: 'words', threshold: 1, points: -1 },
      ],
    },
  },
})
const start = useEngines('2026-03-10T12:00:00.000Z')
const places = useAllPlaces()
const EVENTS = Number(process.env.HISTORIES ?? 0) * 200 || howMany(600, 3_000, 20_000)

describe.each(places)('Callers on two engines, on $name', ({ make }) => {
  test('are paid what the caps let through, to the point', async () => {
    const open = make()
    const engines = [await start(game, open()), await start(game, open())]
    const callers = 12
    await Promise.all(
      engines.flatMap((engine, which) =>
        times(callers, async (caller) => {
          for (let round = 0; round < EVENTS / (2 * callers); round += 1) {
            const id = `user-${(caller + round) % 3}`
            const isLate = (round + which) % 10 === 0
            const occurredAt = new Date(Date.UTC(2026, 2, 9, 1 + ((round + caller) % 22)))
            const metric = round % 4 === 0 ? 'laps' : 'words'
            await engine.metrics.event(metric, { user: { id }, value: 1, ...(isLate ? { occurredAt } : {}) })
          }
        }),
      ),
    )
    const [engine] = engines
    for (const id of ['user-0', 'user-1', 'user-2']) {
      const xp = (await engine?.users.points(id, 'xp', { awards: 100 }))?.awards ?? []
      const byDay = new Map<string, number>()
      for (const { date, awarded, trigger } of xp) {
        const key = `${date.slice(0, 10)} ${trigger.metricName}`
        byDay.set(key, (byDay.get(key) ?? 0) + awarded)
      }
      expect(byDay.get('2026-03-10 Words')).toBe(100)
      expect(byDay.get('2026-03-10 Laps')).toBe(7)
      expect(byDay.get('2026-03-09 Words')).toBeLessThanOrEqual(100)
      expect((await engine?.users.points(id, 'xp'))?.total).toBeLessThanOrEqual(999)
    }
    expect(await engine?.verify()).toMatchObject({ drift: [] })
  }, 120_000)
})
