// Achievements that end, and completions that expire, as answers and messages have them.

import { expect, test } from 'vitest'
import { codeOf, onEachStorage } from '../../support/engine.ts'

const definition = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    trained: { name: 'Trained', trigger: 'metric', metric: 'words', value: 10, validFor: { days: 30 } },
    badge: { name: 'Badge', trigger: 'api', validFor: { days: 30 }, until: '2026-05-31' },
  },
} as const

onEachStorage('An achievement that is valid for 30 days', (open) => {
  test('is shown as expired, and can be earned again', async () => {
    const engine = await open(definition)
    const user = { id: 'ann' }
    const received: unknown[] = []
    await engine.subscribe('expiries', { types: ['achievement.expired', 'achievement.completed'] }, (messages) => {
      for (const { type, at, data } of messages)
        received.push([type, at, 'achievement' in data && data.achievement.key])
    })
    engine.at('2026-03-10T12:00:00.000Z')
    await engine.metrics.event('words', { user, value: 10 })
    await engine.achievements.complete('badge', { user })
    const list = async (includeIncomplete: boolean) =>
      (await engine.users.achievements('ann', { includeIncomplete })).map(
        ({ key, achievedAt, expiredAt, progress }) => ({
          ...{ key, achievedAt, expiredAt, current: progress?.current },
        }),
      )
    const achievedAt = '2026-03-10T12:00:00.000Z'
    expect(await list(false)).toEqual([
      { key: 'trained', achievedAt, expiredAt: undefined, current: undefined },
      { key: 'badge', achievedAt, expiredAt: undefined, current: undefined },
    ])
    engine.at('2026-04-09T12:00:00.000Z')
    expect(await list(false)).toEqual([])
    const expiredAt = '2026-04-09T12:00:00.000Z'
    expect(await list(true)).toEqual([
      { key: 'trained', achievedAt, expiredAt, current: 10 },
      { key: 'badge', achievedAt, expiredAt, current: 0 },
    ])
    const why = await engine.explain('ann', { achievement: 'trained' })
    expect(why.holds).toBe(false)
    expect(why.reasons.map(({ sentence }) => sentence)).toContain(
      'The completion expired at 2026-04-09T12:00:00.000Z: the user can complete the achievement again.',
    )
    await engine.workOnce()
    await engine.workOnce()
    expect(received).toEqual([
      ['achievement.completed', achievedAt, 'trained'],
      ['achievement.completed', achievedAt, 'badge'],
      ['achievement.expired', expiredAt, 'trained'],
      ['achievement.expired', expiredAt, 'badge'],
    ])
    engine.at('2026-04-10T12:00:00.000Z')
    const again = await engine.metrics.event('words', { user, value: 1 })
    expect(again.achievements).toMatchObject([{ key: 'trained', achievedAt: '2026-04-10T12:00:00.000Z' }])
    const claimed = await engine.achievements.complete('badge', { user })
    expect(claimed.achievement).toMatchObject({
      key: 'badge',
      achievedAt: '2026-04-10T12:00:00.000Z',
      until: '2026-05-31',
    })
    expect((await engine.verify()).drift).toEqual([])
    engine.at('2026-06-10T12:00:00.000Z')
    expect(await codeOf(engine.achievements.complete('badge', { user }))).toBe('achievement_locked')
    await expect(engine.achievements.complete('badge', { user: { id: 'bob' } })).rejects.toThrow(
      'The achievement "badge" ended on 2026-05-31: no user can newly complete it.',
    )
  })

  test('expires again under another message id if support revoked and granted it', async () => {
    const engine = await open(definition)
    const ids: string[] = []
    await engine.subscribe('expiries', { types: ['achievement.expired'] }, (messages) => {
      for (const { id } of messages) ids.push(id)
    })
    await engine.achievements.complete('badge', { user: { id: 'ann' } })
    engine.at('2026-04-10T12:00:00.000Z')
    await engine.workOnce()
    await engine.admin.achievements.revoke('badge', { userId: 'ann', reason: 'A mistake' })
    await engine.admin.achievements.grant('badge', { userId: 'ann', reason: 'None after all' })
    engine.at('2026-05-11T12:00:00.000Z')
    await engine.workOnce()
    expect(new Set(ids).size).toBe(2)
  })
})
