// @heavy: It asks 2,000 requests, and more until each operation has answered.

import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { applicationApi } from '../../src/http/index.ts'
import { toOpenApi } from '../../src/http/openapi.ts'
import type { GameDefinition } from '../../src/index.ts'
import { createBare, type Told } from '../http/bare.ts'
import { requestsOf } from '../http/from-document.ts'
import { NOON, openOn } from '../support/engine.ts'
import { seedOfRun } from '../support/zones.ts'
import { complaintsOf, type Kind } from './fields.ts'
import { GAME } from './world.ts'

/* Strict clients of the hosted service decode the values that `fields.ts` lists, and no others. */

/** Every value that the hosted service lacks is somewhere in an answer of this game. */
const OWN: GameDefinition = {
  ...GAME,
  achievements: {
    ...GAME.achievements,
    both: {
      name: 'Both',
      trigger: 'criteria',
      of: [
        { metric: 'words', value: 5 },
        { events: 'words', count: 1 },
      ],
    },
    later: { name: 'Later', trigger: 'criteria', of: [{ metric: 'words', value: 1e9 }, { achievement: 'both' }] },
  },
  streaks: { gym: { frequency: 'weekly', metrics: { words: {} }, days: 2 } },
  leaderboards: {
    ...GAME.leaderboards,
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01', run: { unit: 'week' } },
  },
}

const KINDS: { readonly [operation: string]: Kind } = {
  achievements_all: 'AchievementWithStats[]',
  achievements_complete: 'CompletionResponse',
  metrics_event: 'EventResponse',
  users_create: 'User',
  users_get: 'User',
  users_identify: 'User',
  users_update: 'User',
  users_getPreferences: 'Preferences',
  users_updatePreferences: 'Preferences',
  users_allMetrics: 'Metric[]',
  users_singleMetric: 'Metric',
  users_metricEventSummary: 'SummaryItem[]',
  users_achievements: 'UserAchievementWithStats[]',
  users_streak: 'UserStreak',
  users_namedStreak: 'UserStreak',
  users_points: 'UserPoints',
  users_pointsBoosts: 'PointsBoost[]',
  users_pointsEventSummary: 'SummaryItem[]',
  users_leaderboard: 'UserLeaderboardWithHistory',
  users_wrapped: 'Wrapped',
  streaks_list: 'UserStreakLength[]',
  streaks_rankings: 'StreakRanking[]',
  points_summary: 'PointsRange[]',
  points_system: 'PointsSystem',
  points_boosts: 'PointsBoost[]',
  points_levels: 'PointsLevel[]',
  points_levelSummary: 'PointsLevelUsers[]',
  leaderboards_all: 'Leaderboard[]',
  leaderboards_get: 'LeaderboardWithRankings',
  leaderboards_among: 'LeaderboardWithRankings',
}

const OF_WALLETS = ['spend', 'hold', 'capture', 'release', 'refund', 'balance', 'balances', 'statement']

/** The hosted service has no challenges, no rewards and no points that are spent, so its clients decode none. */
const isOfLaurels = (operation: string): boolean =>
  ['health', 'openapi', 'users_challenges'].includes(operation) ||
  /^(?:challenges|rewards)_/.test(operation) ||
  OF_WALLETS.includes(operation.replace('points_', ''))

/** True if an answer has a value of laurels beside the nearest one of the service. */
const hasOwn = ({ body }: Told): boolean => /"kind":"(criteria|adjustment)"/.test(body)

const LEAST_RUNS = 14
const MOST_RUNS = 50
const IN_RUN = 200
const SEED = seedOfRun()

test(`answers to at least 2,000 random requests hold the enums of strict clients (seed ${SEED})`, async () => {
  const document = toOpenApi(applicationApi)
  const asked = new Set<string>()
  let own = 0
  const unasked = (): readonly string[] => Object.keys(KINDS).filter((name) => !asked.has(name))
  for (let run = 0; run < LEAST_RUNS || (unasked().length > 0 && run < MOST_RUNS); run += 1) {
    const engine = await openOn(memory(), { now: NOON }, OWN)
    onTestFinished(() => engine.close())
    await engine.metrics.event('words', { user: { id: 'ann', attributes: { plan: 'pro' } }, value: 500 })
    await engine.admin.points.adjust('xp', { userId: 'ann', points: 5, reason: 'A gift' })
    const { key } = await engine.adminKeys.create()
    const bare = createBare(engine)
    for (const { raw, operation } of fc.sample(requestsOf(document, '/v1', [key]), {
      numRuns: IN_RUN,
      seed: SEED + run,
    })) {
      const told = await bare.ask(raw)
      if (told == null) throw new Error(`${raw.method} ${raw.path} was not answered.`)
      const name = String(operation.operationId)
      const kind = KINDS[name]
      if (told.status > 299 || isOfLaurels(name)) continue
      if (kind === undefined) throw new Error(`The table of kinds has no ${name}.`)
      asked.add(name)
      if (hasOwn(told)) own += 1
      expect(complaintsOf(JSON.parse(told.body), kind), `${raw.method} ${raw.path}`).toEqual([])
    }
  }
  expect(own).toBeGreaterThan(50)
  expect(unasked()).toEqual([])
}, 120_000)
