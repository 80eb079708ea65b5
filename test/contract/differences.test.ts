// @heavy: It takes more than three seconds.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { codeOf, type Engine, onEachStorage } from '../support/engine.ts'
import { openServer, type Server } from '../support/http.ts'
import { contractOf, definitionOf, preferencesOf } from './api.ts'

/* Each difference between laurels and the hosted service that was once found, C1 to C13, with literals. */

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages read' } },
  eventAttributes: ['source'],
  userAttributes: ['plan', 'city'],
  achievements: {
    hundred: { name: 'A hundred', trigger: 'metric', metric: 'words', value: 100 },
    tour: { name: 'Tour', trigger: 'api' },
    all: { name: 'All', trigger: 'achievement', achievements: ['hundred', 'tour'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        {
          type: 'metric',
          metric: 'words',
          threshold: 10,
          points: 1,
          eventAttributes: { source: 'web' },
          userAttributes: { plan: 'pro' },
          created: '2026-01-05T09:00:00.000Z',
          updated: '2026-02-01T10:30:00.250Z',
        },
        { type: 'achievement', achievement: 'tour', points: 5 },
      ],
    },
    coins: { name: 'Coins', triggers: [{ type: 'metric', metric: 'pages', threshold: 1, points: 1 }] },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true, freezes: { max: 3 } },
}

async function open(definition: GameDefinition = game): Promise<Server> {
  const server = await openServer({ definition })
  onTestFinished(() => server.close())
  return server
}

const ann = { id: 'ann', attributes: { plan: 'pro', city: 'Lyon' } }
const event = { user: ann, value: 20, attributes: { source: 'web' } }

onEachStorage('C4: preferences of the streak are partial', (openEngine) => {
  const update = (engine: Engine, streak: object) => engine.users.updatePreferences('ann', preferencesOf({ streak }))

  test('a field that is not named stays', async () => {
    const engine = await openEngine(game)
    await engine.users.create({ id: 'ann' })
    expect((await update(engine, { evaluationMode: 'AND' })).streak).toMatchObject({ evaluationMode: 'AND' })
    const metrics = [{ key: 'words', threshold: 5 }]
    expect((await update(engine, { metrics })).streak).toMatchObject({ evaluationMode: 'AND', metrics })
    expect((await update(engine, { evaluationMode: 'OR' })).streak).toMatchObject({ evaluationMode: 'OR', metrics })
    expect((await update(engine, {})).streak).toMatchObject({ evaluationMode: 'OR', metrics })
  })

  test('enabled is allowed where customization is off, and the other two are not', async () => {
    const engine = await openEngine({ ...game, streak: { frequency: 'daily', metrics: { words: {} } } })
    await engine.users.create({ id: 'ann' })
    const metrics = [{ key: 'words', threshold: 1 }]
    expect(await codeOf(update(engine, { enabled: false }))).toBe('accepted')
    expect(await codeOf(update(engine, { evaluationMode: 'AND' }))).toBe('streak_customization_disabled')
    expect(await codeOf(update(engine, { enabled: true, metrics }))).toBe('streak_customization_disabled')
    expect((await engine.users.getPreferences('ann')).streak).toMatchObject({ enabled: false })
  })
})

describe('C11 over HTTP', () => {
  test('the three methods of the client 1.0.42 have their routes, and boosts are an empty list where the game has none', async () => {
    const server = await open()
    await server.call('POST', '/v1/metrics/words/event', { body: event })
    const rankings = await server.call('GET', '/v1/streaks/rankings?limit=5')
    expect({ status: rankings.status, body: rankings.body }).toEqual({
      status: 200,
      body: [{ userId: 'ann', name: null, streakLength: 1 }],
    })
    for (const query of ['?limit=0', '?limit=101', '?type=oldest']) {
      expect((await server.call('GET', `/v1/streaks/rankings${query}`)).status).toBe(422)
    }
    const range = 'aggregation=daily&startDate=2026-03-09&endDate=2026-03-10'
    const summary = await server.call('GET', `/v1/users/ann/points/xp/event-summary?${range}`)
    expect(summary.body).toEqual([
      { date: '2026-03-09', total: 0, change: 0 },
      { date: '2026-03-10', total: 2, change: 2 },
    ])
    const wrapped = await server.call('GET', '/v1/users/ann/wrapped')
    expect(wrapped.body).toMatchObject({ user: { id: 'ann' }, activity: { daysActive: 1 } })
    for (const path of ['/v1/points/xp/boosts', '/v1/users/ann/points/xp/boosts']) {
      const { status, body } = await server.call('GET', path)
      expect({ path, status, body }).toEqual({ path, status: 200, body: [] })
    }
    const { points, users } = contractOf(server.engine)
    expect(await points.boosts('xp', { includeFinished: true })).toEqual([])
    expect(await users.pointsBoosts('ann', 'xp')).toEqual([])
  })
})

describe('the control group', () => {
  const of = (controlRatio: number) => definitionOf({ ...game, experiment: { controlRatio } })
  const controls = async (engine: Engine, count = 400): Promise<readonly boolean[]> => {
    const users: boolean[] = []
    for (let index = 0; index < count; index += 1) {
      users.push((await engine.users.create({ id: `user-${index}` })).control)
    }
    return users
  }

  test('has nobody at 0 and without an experiment, and everybody at 1', async () => {
    for (const [definition, expected] of [
      [game, false],
      [of(0), false],
      [of(1), true],
    ] as const) {
      const { engine } = await open(definition)
      expect(new Set(await controls(engine, 20))).toEqual(new Set([expected]))
    }
  })

  test('has about a share of the users, the same ones in each process, and tracks them as the others', async () => {
    const { engine } = await open(of(0.25))
    const first = await controls(engine)
    // Six deviations of the binomial distribution around 100 of 400.
    expect(first.filter(Boolean).length).toBeGreaterThan(48)
    expect(first.filter(Boolean).length).toBeLessThan(152)
    const second = await open(of(0.25))
    expect(await controls(second.engine)).toEqual(first)
    const everybody = await open(of(1))
    const { body } = await everybody.call('POST', '/v1/metrics/words/event', { body: { ...event, value: 100 } })
    expect(body).toMatchObject({ total: 100, achievements: [{ key: 'hundred' }], points: { xp: { added: 10 } } })
    expect((await everybody.call('GET', '/v1/users/ann')).body.control).toBe(true)
  })

  test.each([-0.1, 1.1, '0.5'])('of %j is refused by the definition', async (controlRatio) => {
    const definition = definitionOf({ ...game, experiment: { controlRatio } })
    await expect(openServer({ definition })).rejects.toMatchObject({
      code: 'invalid_game',
      issues: [{ path: 'experiment.controlRatio' }],
    })
  })
})
