// Secret achievements stay hidden from application keys and sessions until the user has them: every route is searched
// for them.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ROUTES } from '../../adapters/client/calls.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { achievementId } from '../../src/game/ids.ts'
import type { GameDefinition } from '../../src/index.ts'
import { type Answer, openServer, type Server } from '../support/http.ts'

const EGG = { description: 'An eggy one', badgeUrl: '/egg.png' } as const

/** Everything that is not to be found has an egg in it. */
const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
  streak: { frequency: 'daily', metrics: { words: {} } },
  achievements: {
    open: { name: 'Open', trigger: 'api', repeat: true },
    'egg-metric': {
      ...EGG,
      name: 'Egg of words',
      trigger: 'metric',
      metric: 'words',
      value: 777,
      eventAttributes: { source: 'egg-source' },
      userAttributes: { plan: 'egg-plan' },
      secret: true,
    },
    egg: {
      ...EGG,
      name: 'Egg',
      trigger: 'metric',
      metric: 'words',
      tiers: { one: { value: 555 }, two: { value: 666 } },
      secret: { name: 'Shh' },
    },
    'egg-api': { ...EGG, name: 'Egg by call', trigger: 'api', secret: true, repeat: true },
    'egg-streak': { ...EGG, name: 'Egg of days', trigger: 'streak', length: 44, secret: true },
    'egg-all': { ...EGG, name: 'Egg of all', trigger: 'achievement', achievements: ['egg-api'], secret: true },
    'egg-some': {
      ...EGG,
      name: 'Egg of some',
      trigger: 'criteria',
      of: [
        { metric: 'words', value: 888 },
        { events: 'words', count: 2, eventAttributes: { source: 'egg-source' } },
      ],
      secret: true,
    },
    some: { name: 'Some', trigger: 'criteria', of: [{ achievement: 'egg-api' }, { events: 'words', count: 999 }] },
    all: { name: 'All', trigger: 'achievement', achievements: ['open', 'egg-metric', 'egg.one'] },
  },
  points: {
    xp: {
      name: 'XP',
      levels: { low: { name: 'Low', points: 1 } },
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 1 },
        { type: 'achievement', achievement: 'egg-metric', points: 5 },
        { type: 'achievement', achievement: 'egg.one', points: 5 },
        { type: 'achievement', achievement: 'egg-api', points: 5 },
      ],
    },
  },
  challenges: {
    hunt: {
      name: 'Hunt',
      of: [{ achievement: 'egg-metric' }, { events: 'words', count: 999 }],
      enrol: 'manual',
      reward: { achievement: 'egg-api' },
    },
  },
  leaderboards: { board: { name: 'Board', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
}

const OF_PATH: Readonly<Record<string, string>> = {
  users: 'ann',
  metrics: 'words',
  points: 'xp',
  leaderboards: 'board',
  achievements: 'open',
  challenges: 'hunt',
}
const QUERIES: Readonly<Record<string, string>> = {
  'event-summary': '?aggregation=daily&startDate=2026-03-01&endDate=2026-03-20',
  achievements: '?includeIncomplete=true',
  points: '?awards=100',
  streaks: '?userIds=ann',
}
const BODIES: Readonly<Record<string, unknown>> = {
  event: { user: { id: 'ann' }, value: 1 },
  complete: { user: { id: 'ann' } },
  enrol: { user: 'ann' },
  claim: { user: 'ann' },
  abandon: { user: 'ann' },
  users: { id: 'ann', name: 'Ann' },
  preferences: { notifications: {} },
}

/** All that the client can ask for. */
const CALLS = Object.values(ROUTES).flatMap((calls) =>
  Object.values(calls).map(([method, template]) => {
    const parts = template.split('/')
    const filled = parts.map((part, index) => (part === '{}' ? OF_PATH[parts[index - 1] ?? ''] : part))
    const last = parts.at(-1) === '{}' ? (parts.at(-2) ?? '') : (parts.at(-1) ?? '')
    const isOne = parts.at(-1) === '{}' && last !== 'points'
    const query = method === 'GET' && !isOne ? (QUERIES[last] ?? '') : ''
    const awards = parts.length === 2 && last === 'points' ? '' : query
    return { method, path: `${filled.join('/')}${awards}`, body: method === 'GET' ? undefined : (BODIES[last] ?? {}) }
  }),
)

describe('A secret achievement', () => {
  let server: Server
  let key: string
  beforeEach(async () => {
    server = await openServer({ definition: GAME, storage: sqlite(':memory:') })
    await server.engine.metrics.event('words', { user: { id: 'ann' }, value: 300 })
    key = await server.applicationKey('ann')
  })
  afterEach(() => server.close())

  const byKey = (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, `/v1/${path}`, { key, ...(body === undefined ? {} : { body }) })
  const bySession = (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, `/user/v1/${path}`, {
      key: null,
      headers: { Cookie: 'user=ann', Origin: server.base, 'Sec-Fetch-Site': 'same-origin' },
      ...(body === undefined ? {} : { body }),
    })

  test('is nowhere in what clients are answered, right or wrong', async () => {
    const statuses = new Map<number, number>()
    for (const { method, path, body } of CALLS) {
      for (const ask of [byKey, bySession]) {
        const { status, text } = await ask(method, path, body)
        expect(text, `${method} ${path}`).not.toMatch(/egg/i)
        expect(text, `${method} ${path}`).not.toMatch(/"metricValue":(777|555|666)|"streakLength":44|"target":888/)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(40)
    for (const path of ['achievements/nope/complete', 'metrics/nope/event', 'points/nope', 'users/ann/metrics/nope']) {
      const method = path.includes('/complete') || path.includes('/event') ? 'POST' : 'GET'
      const body = method === 'POST' ? { user: { id: 'ann' }, value: 1 } : undefined
      for (const ask of [byKey, bySession]) expect((await ask(method, path, body)).text).not.toMatch(/egg/i)
    }
  })

  test('is the reward of a challenge by its id', async () => {
    for (const ask of [byKey, bySession]) {
      const [hunt] = (await ask('GET', 'users/ann/challenges')).body
      expect(hunt.quests).toEqual([])
      const [known] = (await ask('GET', 'challenges')).body
      expect(known.quests[0]).toMatchObject({
        criteria: [{ achievement: achievementId('egg-metric') }, { metric: 'words' }],
        reward: { achievement: achievementId('egg-api') },
      })
    }
    const { body } = await byKey('POST', 'challenges/hunt/enrol', { user: 'ann' })
    expect(body.quests).toMatchObject([{ reward: { achievement: achievementId('egg-api') } }])
  })

  test('is listed by a name that says nothing, its id and how many have it', async () => {
    await server.engine.achievements.complete('egg-api', { user: { id: 'bob' } })
    for (const ask of [byKey, bySession]) {
      for (const path of ['achievements', 'users/ann/achievements?includeIncomplete=true']) {
        const { body } = await ask('GET', path)
        const id = achievementId('egg-api')
        const hidden = body.find((each: { id: string }) => each.id === id)
        expect(hidden).toEqual({
          id,
          key: id,
          trigger: 'api',
          name: '???',
          description: null,
          badgeUrl: null,
          userAttributes: [],
          completions: 1,
          rarity: 50,
          ...(path === 'achievements' ? {} : { achievedAt: null }),
        })
        const tier = body.find((each: { id: string }) => each.id === achievementId('egg.one'))
        expect(tier).toMatchObject({ name: 'Shh', key: achievementId('egg.one') })
        const all = body.find((each: { key: string }) => each.key === 'all')
        expect(all.achievements).toEqual(['open', achievementId('egg-metric'), achievementId('egg.one')])
        const some = body.find((each: { key: string }) => each.key === 'some')
        expect(some.criteria).toEqual([
          { type: 'achievement', target: 1, achievement: achievementId('egg-api') },
          { type: 'events', target: 999, metric: 'words' },
        ])
      }
    }
  })

  test('is not told by why somebody may not complete it', async () => {
    const path = 'achievements/egg-metric/complete'
    const { status, text } = await byKey('POST', path, { user: { id: 'ann' } })
    expect([status, text.includes('777'), text.includes('egg-plan')]).toEqual([404, false, false])
  })

  test('is seen by admin keys and calls in-process from the beginning', async () => {
    const { body } = await server.call('GET', '/v1/achievements')
    expect(body.map((each: { key: string }) => each.key)).toContain('egg-metric')
    const { text } = await server.call('GET', '/v1/points/xp')
    expect(text).toContain('Egg of words')
    expect((await server.engine.achievements.all()).map(({ name }) => name)).toContain('Egg by call')
  })

  test('is seen by its user once it is completed, in every route of the user', async () => {
    const done = await byKey('POST', 'achievements/egg-api/complete', { user: { id: 'ann' } })
    expect(done.body.achievement).toMatchObject({ key: 'egg-api', name: 'Egg by call', badgeUrl: '/egg.png', count: 1 })
    expect(done.text).toContain('An eggy one')
    expect(done.text).toContain('"achievementName":"Egg by call"')
    const event = await byKey('POST', 'metrics/words/event', { user: { id: 'ann' }, value: 300 })
    expect(event.body.achievements).toMatchObject([{ key: 'egg.one', name: 'Egg One', metricValue: 555 }])
    expect(event.text).not.toContain('egg.two')
    for (const ask of [byKey, bySession]) {
      const own = await ask('GET', 'users/ann/achievements')
      expect(own.body.map((each: { key: string }) => each.key)).toEqual(['egg.one', 'egg-api', 'egg-all'])
      expect((await ask('GET', 'users/ann/metrics/words')).body.achievements).toMatchObject([{ key: 'egg.one' }])
      expect((await ask('GET', 'users/ann/points/xp?awards=100')).text).toContain('"achievementName":"Egg One"')
      expect((await ask('GET', 'users/ann/wrapped')).text).toContain('egg-api')
      const all = await ask('GET', 'users/ann/achievements?includeIncomplete=true')
      expect(all.text).not.toMatch(/egg-metric|egg-streak|egg\.two/)
      // Without a user, so no user has it there.
      expect((await ask('GET', 'achievements')).text).not.toMatch(/egg/i)
    }
  })

  test('is hidden in the game of a process that has deployed anew, where triggers are told of earlier games', async () => {
    const visible = { ...GAME.achievements, 'egg-metric': { name: 'Egg', trigger: 'api', secret: true } }
    await server.engine.redefine({ ...GAME, achievements: visible } as GameDefinition)
    expect((await byKey('GET', 'users/ann/points/xp?awards=100')).text).not.toMatch(/egg/i)
  })
})

describe('A claim over HTTP', () => {
  test('has its idempotency key in the header', async () => {
    const server = await openServer({ definition: GAME })
    await server.engine.users.create({ id: 'ann' })
    const key = await server.applicationKey('ann')
    const claim = (idempotencyKey?: string): Promise<Answer> =>
      server.call('POST', '/v1/achievements/open/complete', {
        key,
        body: { user: { id: 'ann' } },
        headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
      })
    const first = await claim('a')
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ idempotencyKey: 'a', idempotentReplayed: false, achievement: { count: 1 } })
    expect((await claim('b')).body.achievement.count).toBe(2)
    expect((await claim('a')).body).toEqual({ ...first.body, points: {}, idempotentReplayed: true })
    const without = await claim()
    expect(without.body.achievement.count).toBe(2)
    expect(without.body).not.toHaveProperty('idempotencyKey')
    expect((await claim('with space')).status).toBe(400)
    await server.close()
  })
})
