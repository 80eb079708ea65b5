import { expect, test } from 'vitest'
import { createClient } from '../../../adapters/client/index.ts'
import { achievementId } from '../../../src/game/ids.ts'
import { defineGame } from '../../../src/index.ts'
import { onEachServer } from './official-client.ts'

const definition = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    thousand: { name: 'A thousand', trigger: 'metric', metric: 'words', value: 1_000, repeat: true },
    writer: {
      name: 'Writer',
      trigger: 'metric',
      metric: 'words',
      tiers: { low: { value: 10 }, high: { value: 9_000 } },
    },
    tour: { name: 'Tour', trigger: 'api', repeat: true },
    night: { name: 'Night owl', trigger: 'api', secret: true },
    all: { name: 'All', trigger: 'achievement', achievements: ['night', 'writer.low'] },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'night', points: 1 }] } },
} as const
const game = defineGame(definition)

onEachServer('Tiers, repeats and secrets', (start) => {
  test('are read by the official client, with an application key too', async () => {
    const { client, withKey, server } = await start(definition)
    const user = { id: 'ann' }
    const { achievements } = await client.metrics.event('words', { user, value: 2_500 })
    expect(achievements?.map(({ key }) => key)).toEqual(['thousand', 'thousand', 'writer.low'])
    expect(await client.achievements.complete('tour', { user })).toMatchObject({ achievement: { key: 'tour' } })
    const own = withKey(await server.applicationKey('ann'))
    const all = await own.achievements.all()
    const id = achievementId('night')
    expect(all.find((each) => each.id === id)).toMatchObject({ key: id, name: '???' })
    expect(await own.users.achievements('ann', { includeIncomplete: 'true' })).toHaveLength(6)
    expect((await own.points.system?.('xp'))?.triggers?.[0]?.achievementName).toBe('???')
    await own.achievements.complete('night', { user })
    expect((await own.users.achievements('ann')).map(({ name }) => name)).toContain('Night owl')
  })

  test('are completed by the client of laurels with a key of idempotency', async () => {
    const { server } = await start(definition)
    await server.engine.users.create({ id: 'ann' })
    const own = createClient<typeof game>({ baseUrl: `${server.base}/v1`, apiKey: await server.applicationKey('ann') })
    const complete = (idempotencyKey: string) =>
      own.achievements.complete('tour', { user: { id: 'ann' }, idempotencyKey })
    expect((await complete('a')).achievement.count).toBe(1)
    const second = await complete('b')
    expect(second.achievement.count).toBe(2)
    expect(await complete('b')).toEqual({ ...second, idempotentReplayed: true })
  })
})
