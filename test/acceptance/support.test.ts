import { expect, test } from 'vitest'
import type { GameDefinition, GamificationMessage } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage, UUID_5, UUID_7, untyped } from '../support/engine.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 100 },
    hundreds: { name: 'Hundreds', trigger: 'metric', metric: 'words', value: 100, repeat: true },
    tour: { name: 'Tour', trigger: 'api' },
  },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 1_000,
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 1 },
        { type: 'achievement', achievement: 'tour', points: 25 },
      ],
      levels: { bronze: { name: 'Bronze', points: 100 } },
    },
  },
  leaderboards: { xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-01-01' } },
}

const give = (points: number, idempotencyKey?: string) => ({
  userId: 'ann',
  points,
  reason: 'Counted twice',
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
})
const OF_ANN = { userId: 'ann', reason: 'Lost words' }

const totalOf = async (engine: Engine, user = 'ann'): Promise<number> => (await engine.users.points(user, 'xp')).total
const keysOf = async (engine: Engine, user = 'ann'): Promise<readonly string[]> =>
  (await engine.users.achievements(user)).map(({ key }) => key)
const driftOf = async (engine: Engine): Promise<readonly unknown[]> => (await engine.verify()).drift

onEachStorage('admin.points.adjust', (open) => {
  test('answers the points, and levels, awards, leaderboards and summaries follow', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 60)
    const answer = await engine.admin.points.adjust('xp', give(50))
    const trigger = { id: UUID_5, type: 'adjustment', points: 50, status: 'active', userAttributes: [] }
    const award = { id: UUID_5, awarded: 50, date: '2026-03-10T12:00:00.000Z', total: 110 }
    expect(answer).toMatchObject({ adjustmentId: UUID_7, userId: 'ann' })
    expect(answer.points).toMatchObject({ key: 'xp', total: 110, added: 50, level: { key: 'bronze' } })
    expect(answer.points.awards).toMatchObject([{ ...award, trigger }])
    const { awards, level } = await engine.users.points('ann', 'xp')
    expect(awards[0]).toMatchObject({ ...award, trigger })
    expect(level?.key).toBe('bronze')
    expect((await engine.leaderboards.get('xp')).rankings).toMatchObject([{ userId: 'ann', value: 110 }])
    expect(await engine.points.levelSummary('xp')).toMatchObject([{ level: { key: 'bronze' }, users: 1 }])
    const range = { aggregation: 'daily', startDate: '2026-03-10', endDate: '2026-03-11' } as const
    expect(await engine.users.pointsEventSummary('ann', 'xp', range)).toMatchObject([{ total: 110, change: 110 }, {}])
    await engine.admin.points.adjust('xp', give(-400))
    expect([await totalOf(engine), await driftOf(engine)]).toEqual([0, []])
  })

  test('counts once for each idempotency key, also when the calls race, and refuses other points under it', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 10)
    const { adjust } = engine.admin.points
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => adjust('xp', give(50, 'ticket-7'))))
    expect(new Set(answers.map(({ adjustmentId }) => adjustmentId)).size).toBe(1)
    expect(answers.map(({ idempotentReplayed }) => idempotentReplayed).sort()).toEqual([false, true, true, true, true])
    const again = await adjust('xp', give(50, 'ticket-7'))
    expect(again).toMatchObject({ idempotencyKey: 'ticket-7', idempotentReplayed: true })
    expect(again.points).toMatchObject({ total: 60, added: 0, awards: [] })
    expect(await codeOf(adjust('xp', give(70, 'ticket-7')))).toBe('idempotency_key_reused')
    expect([await totalOf(engine), await driftOf(engine)]).toEqual([60, []])
  })

  test('counts once under all names of a merged user', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 10)
    await add(engine, 'words', 10, { user: { id: 'bob' } })
    const { adjust } = engine.admin.points
    const first = await adjust('xp', give(50, 'ticket-7'))
    await engine.users.merge({ from: 'ann', into: 'bob' })
    const later = await adjust('xp', give(30, 'ticket-8'))
    for (const userId of ['ann', 'bob']) {
      for (const [given, { adjustmentId }] of [
        [give(50, 'ticket-7'), first],
        [give(30, 'ticket-8'), later],
      ] as const) {
        const again = await adjust('xp', { ...given, userId })
        expect(again).toMatchObject({ adjustmentId, userId: 'bob', idempotentReplayed: true })
      }
      expect(await codeOf(adjust('xp', { ...give(70, 'ticket-7'), userId }))).toBe('idempotency_key_reused')
    }
    expect([await totalOf(engine, 'bob'), await driftOf(engine)]).toEqual([100, []])
  })

  test('refuses 0 and fractions, a missing reason, an unknown system and an unknown user', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 10)
    const { adjust } = engine.admin.points
    await expect(adjust('xp', give(0))).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'points', message: 'must not be 0: give points, or take some with a negative number' }],
    })
    expect(await codeOf(adjust('xp', give(0.5)))).toBe('invalid_request')
    expect(await codeOf(adjust('xp', untyped({ userId: 'ann', points: 5 })))).toBe('invalid_request')
    expect(await codeOf(adjust('gold', give(5)))).toBe('unknown_points_system')
    expect(await codeOf(adjust('xp', { ...give(5), userId: 'zoe' }))).toBe('unknown_user')
  })

  test('is clipped again when a late event or a void changes what was there before it', async () => {
    const engine = await open(GAME)
    const { eventId } = await add(engine, 'words', 80)
    engine.at('2026-03-11T12:00:00.000Z')
    await engine.admin.points.adjust('xp', give(-100))
    expect(await totalOf(engine)).toBe(0)
    await add(engine, 'words', 50, { occurredAt: new Date('2026-03-10T13:00:00.000Z') })
    expect(await totalOf(engine)).toBe(30)
    await engine.events.void(eventId)
    expect([await totalOf(engine), await driftOf(engine)]).toEqual([0, []])
  })
})

onEachStorage('admin.achievements', (open) => {
  test('grant completes an achievement with what it pays, and a second grant completes nothing', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 10)
    const granted = await engine.admin.achievements.grant('tour', OF_ANN)
    expect(granted).toMatchObject({ completionId: UUID_5, achievement: { key: 'tour' }, points: { xp: { added: 25 } } })
    engine.at('2026-03-11T12:00:00.000Z')
    expect(await engine.admin.achievements.grant('tour', OF_ANN)).toEqual({ ...granted, points: {} })
    const again = [1, 2].map(() => engine.admin.achievements.grant('hundreds', OF_ANN))
    expect((await Promise.all(again)).at(-1)?.achievement.count).toBe(2)
    expect(await keysOf(engine)).toEqual(['hundreds', 'tour'])
    expect(await driftOf(engine)).toEqual([])
  })

  test('a grant of what the user has keeps it through a void that revokes', async () => {
    const engine = await open(GAME)
    const { eventId } = await add(engine, 'words', 200)
    expect(await keysOf(engine)).toEqual(['novelist', 'hundreds'])
    await engine.admin.achievements.grant('novelist', OF_ANN)
    const { entries } = await engine.users.events('ann')
    expect(entries.map(({ kind }) => kind)).toEqual(['achievementGranted', 'eventRecorded'])
    await engine.events.void(eventId, { revoke: true })
    expect(await keysOf(engine)).toEqual(['novelist'])
    expect(await driftOf(engine)).toEqual([])
  })

  test('revoke takes an achievement away for good, until it is granted; its points stay', async () => {
    const engine = await open(GAME)
    await engine.achievements.complete('tour', { user: { id: 'ann' } })
    await add(engine, 'words', 250)
    const { grant, revoke } = engine.admin.achievements
    expect(await revoke('tour', OF_ANN)).toMatchObject({
      revocationId: UUID_7,
      userId: 'ann',
      achievement: { key: 'tour', achievedAt: null },
    })
    await revoke('hundreds', OF_ANN)
    expect([await keysOf(engine), await totalOf(engine)]).toEqual([['novelist'], 275])
    const stats = (await engine.achievements.all()).map(({ key, completions, rarity }) => [key, completions, rarity])
    expect(stats).toEqual([
      ['novelist', 1, 100],
      ['hundreds', 0, 0],
      ['tour', 0, 0],
    ])
    expect(await codeOf(revoke('tour', OF_ANN))).toBe('achievement_not_completed')
    expect(await codeOf(engine.achievements.complete('tour', { user: { id: 'ann' } }))).toBe('achievement_revoked')
    await add(engine, 'words', 500)
    await add(engine, 'words', 100, { occurredAt: new Date('2026-03-09T12:00:00.000Z') })
    expect(await keysOf(engine)).toEqual(['novelist'])
    expect((await grant('hundreds', OF_ANN)).achievement.count).toBe(1)
    expect(await driftOf(engine)).toEqual([])
  })

  test('a void keeps what was granted, and does not bring back what was revoked', async () => {
    const engine = await open(GAME)
    const { eventId } = await add(engine, 'words', 100)
    await engine.admin.achievements.revoke('novelist', OF_ANN)
    await engine.admin.achievements.grant('hundreds', OF_ANN)
    await engine.events.void(eventId)
    expect(await keysOf(engine)).toEqual(['hundreds'])
    expect(await driftOf(engine)).toEqual([])
  })

  test('the log and explain say who decided what, and why', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 100)
    const support = engine.forRequest(performance.now(), { by: 'key-1' })
    const { adjustmentId } = await support.admin.points.adjust('xp', give(-30))
    await support.admin.achievements.grant('tour', OF_ANN)
    await support.admin.achievements.revoke('novelist', { userId: 'ann', reason: 'Generated' })
    const { entries } = await engine.users.events('ann')
    expect(entries.slice(0, 3)).toMatchObject([
      { kind: 'achievementRevoked', achievement: 'novelist', reason: 'Generated', by: 'key-1' },
      { kind: 'achievementGranted', achievement: 'tour', reason: 'Lost words', by: 'key-1' },
      { kind: 'pointsAdjusted', system: 'xp', amount: -30, reason: 'Counted twice', by: 'key-1' },
    ])
    const at = '2026-03-10T12:00:00.000Z'
    const subjects = [{ achievement: 'novelist' }, { achievement: 'tour' }, { event: adjustmentId }]
    const explained = await Promise.all(subjects.map((subject) => engine.explain('ann', untyped(subject))))
    expect(explained.map(({ holds, reasons }) => [holds, ...reasons.map(({ sentence }) => sentence)])).toEqual([
      [
        false,
        `Support revoked the achievement "novelist" on ${at}, because "Generated". Only a grant completes it again.`,
      ],
      [true, `The achievement "tour" was completed on ${at}: support granted it, because "Lost words".`],
      [true, `Support took 30 of "xp" at ${at}, because "Counted twice": the total became 70.`],
    ])
  })

  test('messages report a grant, and a revocation corrects what was published', async () => {
    const engine = await open(GAME)
    const types = ['achievement.completed', 'achievement.completed.revoked'] as const
    const listen = async (name: string, from: 'now' | 'start'): Promise<GamificationMessage[]> => {
      const handed: GamificationMessage[] = []
      await engine.subscribe(name, { types, from }, (messages) => void handed.push(...messages))
      return handed
    }
    const live = await listen('live', 'now')
    const linesOf = (messages: readonly GamificationMessage[]) =>
      messages.map(({ type, data }) => `${type} ${'achievement' in data ? data.achievement.key : ''}`)
    await add(engine, 'words', 100)
    await engine.workOnce()
    const [published] = live.splice(0)
    engine.at('2026-03-11T12:00:00.000Z')
    await engine.admin.achievements.revoke('novelist', OF_ANN)
    await engine.admin.achievements.grant('tour', OF_ANN)
    await engine.workOnce()
    expect(linesOf(live)).toEqual(['achievement.completed.revoked novelist', 'achievement.completed tour'])
    expect(live[0]?.data).toEqual(published?.data)
    live.splice(0)
    await add(engine, 'words', 100, { occurredAt: new Date('2026-03-09T12:00:00.000Z') })
    const past = await listen('past', 'start')
    while ((await engine.workOnce()).delivered > 0) {}
    expect(linesOf(live).filter((line) => line.includes('novelist'))).toEqual([])
    expect(linesOf(past).sort()).toEqual([
      'achievement.completed hundreds',
      'achievement.completed hundreds',
      'achievement.completed tour',
    ])
  })

  test('a revocation corrects a message once, also if its achievement was revoked and granted at one instant', async () => {
    const engine = await open(GAME)
    const types: string[] = []
    const wanted = ['achievement.completed', 'achievement.completed.revoked'] as const
    await engine.subscribe('live', { types: wanted, from: 'now' }, (messages) => {
      types.push(...messages.map(({ type }) => type))
    })
    await add(engine, 'words', 1)
    const { grant, revoke } = engine.admin.achievements
    for (const decide of [grant, revoke, grant]) await decide('tour', OF_ANN)
    engine.at('2026-03-11T12:00:00.000Z')
    await revoke('tour', OF_ANN)
    while ((await engine.workOnce()).delivered > 0) {}
    const [completed, revoked] = wanted
    expect(types).toEqual([completed, revoked, completed, revoked])
  })
})

onEachStorage('What support did', (open) => {
  test('goes along with a merge: a key of both users counts once, and what either has completed stays', async () => {
    const engine = await open(GAME)
    const { adjust } = engine.admin.points
    await add(engine, 'words', 100)
    await adjust('xp', give(50, 'spring'))
    engine.at('2026-03-10T13:00:00.000Z')
    await engine.metrics.event('words', { user: { id: 'guest' }, value: 100 })
    await adjust('xp', { ...give(50, 'spring'), userId: 'guest' })
    await adjust('xp', { ...give(7), userId: 'guest' })
    engine.at('2026-03-10T14:00:00.000Z')
    await engine.admin.achievements.revoke('novelist', { userId: 'guest', reason: 'Generated' })
    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect(await totalOf(engine)).toBe(257)
    expect(await keysOf(engine)).toEqual(['novelist', 'hundreds'])
    await add(engine, 'words', 1, { occurredAt: new Date('2026-03-09T12:00:00.000Z') })
    expect([await totalOf(engine), await keysOf(engine)]).toEqual([258, ['novelist', 'hundreds']])
    expect(await driftOf(engine)).toEqual([])
  })

  test('is exported and imported, and forgotten with the user', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 100)
    await engine.admin.points.adjust('xp', give(50, 'spring'))
    await engine.admin.achievements.grant('tour', OF_ANN)
    await engine.admin.achievements.revoke('novelist', OF_ANN)
    const lines: string[] = []
    for await (const line of engine.users.export('ann')) lines.push(line)
    const other = await open(GAME)
    await other.import(lines)
    expect(await other.users.events('ann')).toEqual(await engine.users.events('ann'))
    expect([await totalOf(other), await keysOf(other)]).toEqual([175, ['hundreds', 'tour']])
    expect((await other.admin.points.adjust('xp', give(50, 'spring'))).idempotentReplayed).toBe(true)
    const { anonymousId } = await other.users.delete('ann', { keep: 'anonymous' })
    const text = JSON.stringify(await other.users.events(anonymousId ?? ''))
    expect(text).not.toMatch(/Lost words|Counted twice|spring/)
    expect([await totalOf(other, anonymousId ?? ''), await driftOf(other)]).toEqual([175, []])
  })
})
