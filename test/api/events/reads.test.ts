import { describe, expect, test } from 'vitest'
import { defineGame } from '../../../src/index.ts'
import { readAll } from '../../../src/testing/storage/case.ts'
import { ANN } from '../../../src/testing/storage/samples.ts'
import { codesOf, useEngines, usePlaces } from '../../support/places.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'user_creation', points: 10 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-03-01' },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-03-01' },
  },
})
const RANGE = { aggregation: 'daily', startDate: '2026-03-01', endDate: '2026-03-20' } as const
const start = useEngines('2026-03-10T12:00:00.000Z')

describe.each(usePlaces())('Reading, in $name', ({ make }) => {
  test('writes nothing, though the streak of the user is over', async () => {
    const open = make()
    const storage = open()
    const engine = await start(game, storage)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 10 })
    const before = await readAll(storage, ANN)

    const later = await start(game, open(), { clock: () => new Date('2026-03-20T12:00:00.000Z') })
    expect((await later.users.streak('ann', { historyPeriods: 5 })).length).toBe(0)
    expect((await later.users.points('ann', 'xp')).total).toBe(10)
    expect((await later.users.singleMetric('ann', 'words')).current).toBe(10)
    expect(await later.users.allMetrics('ann')).toHaveLength(1)
    expect(await later.users.achievements('ann')).toHaveLength(1)
    expect(await later.users.metricEventSummary('ann', 'words', RANGE)).toHaveLength(20)
    expect(await later.users.getPreferences('ann')).toEqual({ notifications: {} })
    expect(await later.achievements.all()).toHaveLength(1)
    expect((await later.users.get('ann')).id).toBe('ann')
    expect(await later.leaderboards.all()).toHaveLength(2)
    expect((await later.leaderboards.get('top')).rankings).toHaveLength(1)
    expect((await later.leaderboards.get('streaks')).rankings).toEqual([])
    expect((await later.leaderboards.get('streaks', { among: ['ann'] })).rankings).toEqual([])
    expect((await later.users.leaderboard('ann', 'top')).history).toHaveLength(1)
    expect(await readAll(storage, ANN)).toEqual(before)
  })

  test('an unknown user does not create it', async () => {
    const storage = make()()
    const { users } = await start(game, storage)
    const reads = [users.get('ann'), users.streak('ann'), users.points('ann', 'xp'), users.getPreferences('ann')]
    expect(await codesOf(reads)).toEqual(['unknown_user', 'unknown_user', 'unknown_user', 'unknown_user'])
    expect(await storage.listUsers()).toEqual([])
  })
})
