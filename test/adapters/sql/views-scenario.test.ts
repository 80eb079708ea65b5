import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
} from '../../../src/index.ts'
import { closeViewsAfterAll, VIEWS_DATABASES, type ViewsDatabase } from '../../support/views.ts'

// What happens to two tenants within a week, and every row of every view, written out by hand.

const DEFINITION: GameDefinition = {
  multiTenant: true,
  metrics: { words: { name: 'Words' }, pages: { name: 'Pages' } },
  userAttributes: ['plan'],
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 10 },
    tour: { name: 'Tour', trigger: 'api' },
    both: { name: 'Both', trigger: 'achievement', achievements: ['novelist', 'tour'] },
  },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 60,
      triggers: [
        { type: 'user_creation', points: 5 },
        { type: 'metric', metric: 'words', threshold: 5, points: 20 },
        { type: 'achievement', achievement: 'novelist', points: 30 },
        { type: 'achievement', achievement: 'both', points: -100 },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } }, freezes: { initial: 1, max: 2 } },
  leaderboards: {
    all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01', breakdown: ['plan'] },
    weekly: { name: 'Weekly', rankBy: 'points', system: 'xp', start: '2026-03-02', run: { unit: 'day', interval: 7 } },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' },
  },
}

closeViewsAfterAll()

type Engine = Gamification<DefinedGame>
type Tenant = ReturnType<Engine['tenant']>

async function live(engine: Engine, at: (instant: string) => void): Promise<void> {
  const [acme, beta] = [engine.tenant('acme'), engine.tenant('beta')]
  const write = (tenant: Tenant, id: string, value: number, rest: object = {}) =>
    tenant.metrics.event('words', { user: { id }, value, ...rest } as never)
  const ann = { id: 'ann', tz: 'Europe/London', attributes: { plan: 'pro' } }

  at('2026-03-09T12:00:00.000Z')
  await write(acme, 'ann', 5, { user: ann })
  await write(beta, 'ann', 7)
  at('2026-03-10T12:00:00.001Z')
  await write(acme, 'ann', 0.1)
  await write(acme, 'ann', 1.2)
  // The next day is missed: the freeze from the start is consumed for it.
  at('2026-03-12T12:00:00.000Z')
  await write(acme, 'ann', -1.1)
  await write(acme, 'ann', 3)
  await write(acme, 'bob', 5, { user: { id: 'bob', attributes: { plan: 'pro' } } })
  await write(acme, 'eve', 9)
  at('2026-03-12T13:00:00.000Z')
  await write(acme, 'ann', 2, { occurredAt: new Date('2026-03-10T09:00:00.000Z') })
  await write(acme, 'ann', 100, { idempotencyKey: 'oops' })
  at('2026-03-12T13:30:00.000Z')
  await acme.events.void({ user: 'ann', metric: 'words', idempotencyKey: 'oops' }, { revoke: true })
  await acme.admin.streaks.freezes.create({ freezes: [{ userId: 'ann' }, { userId: 'ann' }] })
  at('2026-03-12T14:00:00.000Z')
  await acme.admin.streaks.pauses.create({ pauses: [{ userId: 'ann', start: '2026-03-13', end: '2026-03-13' }] })
  // In London it is the 14th; on Kiritimati, ten minutes later, the 15th.
  at('2026-03-14T13:30:00.000Z')
  await write(acme, 'ann', 2)
  at('2026-03-14T13:40:00.000Z')
  await write(acme, 'ann', 4, { user: { id: 'ann', tz: 'Pacific/Kiritimati' } })
  await acme.achievements.complete('tour', { user: { id: 'ann' } } as never)
}

describe.each(VIEWS_DATABASES)('The views of %s', (_, open) => {
  let database: ViewsDatabase
  let engine: Engine

  beforeEach(async () => {
    let now = '2026-03-09T00:00:00.000Z'
    database = open()
    const game = defineGame(DEFINITION) as DefinedGame
    engine = createGamification<DefinedGame>({ game, storage: database.storage, clock: () => new Date(now) })
    await engine.migrate()
    await live(engine, (instant) => {
      now = instant
    })
  })
  afterEach(async () => {
    await engine.close()
    await database.close()
  })

  /** The columns of the view, then its rows; what is true or false is a number in SQLite. */
  const look = async (view: string, order: string): Promise<readonly (readonly unknown[])[]> => {
    const rows = await database.ask(`select * from {${view}} order by tenant_id, user_id, ${order}`)
    const toValue = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)
    return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(toValue))]
  }

  test('add up what events did on each local day, late ones and those of another zone on theirs, voided ones on none', async () => {
    expect(await look('view_metric_totals', 'metric_key, date')).toEqual([
      ['tenant_id', 'user_id', 'metric_key', 'date', 'change', 'total'],
      ['acme', 'ann', 'words', '2026-03-09', 5, 5],
      ['acme', 'ann', 'words', '2026-03-10', 3.3, 8.3],
      ['acme', 'ann', 'words', '2026-03-12', 1.9, 10.2],
      ['acme', 'ann', 'words', '2026-03-14', 2, 12.2],
      ['acme', 'ann', 'words', '2026-03-15', 4, 16.2],
      ['acme', 'bob', 'words', '2026-03-12', 5, 5],
      ['acme', 'eve', 'words', '2026-03-12', 9, 9],
      ['beta', 'ann', 'words', '2026-03-09', 7, 7],
    ])
  })

  test('add up what awards gave and took on each local day, after clipping', async () => {
    expect(await look('view_points_totals', 'points_system_key, date')).toEqual([
      ['tenant_id', 'user_id', 'points_system_key', 'date', 'change', 'total'],
      ['acme', 'ann', 'xp', '2026-03-09', 25, 25],
      // 20 for ten words, and 15 of 30 for the novel.
      ['acme', 'ann', 'xp', '2026-03-12', 35, 60],
      // Of 100 that are taken 60 were there.
      ['acme', 'ann', 'xp', '2026-03-15', -60, 0],
      ['acme', 'bob', 'xp', '2026-03-12', 25, 25],
      ['acme', 'eve', 'xp', '2026-03-12', 25, 25],
      ['beta', 'ann', 'xp', '2026-03-09', 25, 25],
    ])
  })

  test('show the periods of streaks: those that counted, were frozen, or were paused', async () => {
    expect(await look('view_streak_periods', 'period_start')).toEqual([
      ['tenant_id', 'user_id', 'period_start', 'period_end', 'length', 'used_freeze', 'used_pause'],
      ['acme', 'ann', '2026-03-09', '2026-03-09', 1, 0, 0],
      ['acme', 'ann', '2026-03-10', '2026-03-10', 2, 0, 0],
      ['acme', 'ann', '2026-03-11', '2026-03-11', 2, 1, 0],
      ['acme', 'ann', '2026-03-12', '2026-03-12', 3, 0, 0],
      ['acme', 'ann', '2026-03-13', '2026-03-13', 3, 0, 1],
      ['acme', 'ann', '2026-03-14', '2026-03-14', 4, 0, 0],
      ['acme', 'bob', '2026-03-12', '2026-03-12', 1, 0, 0],
      ['acme', 'eve', '2026-03-12', '2026-03-12', 1, 0, 0],
      ['beta', 'ann', '2026-03-09', '2026-03-09', 1, 0, 0],
    ])
  })

  test('show freezes that were granted, and consumed', async () => {
    expect(await look('view_streak_freezes', 'date')).toEqual([
      ['tenant_id', 'user_id', 'date', 'type', 'count'],
      ['acme', 'ann', '2026-03-11', 'consumed', 1],
      ['acme', 'ann', '2026-03-12', 'granted', 1],
      ['acme', 'ann', '2026-03-12', 'granted', 1],
    ])
  })

  test('rank each run of a leaderboard by value, then by who reached it first, then by id, in groups', async () => {
    const [pro, none] = ['[["plan","pro"]]', '[["plan",""]]']
    const [monday, noon] = ['2026-03-09T12:00:00.000Z', '2026-03-12T12:00:00.000Z']
    const [counted, moved] = ['2026-03-14T13:30:00.000Z', '2026-03-14T13:40:00.000Z']
    const [columns, ...rows] = await look('view_leaderboard_rankings', 'leaderboard_key, run')
    expect(columns).toEqual([
      ...['tenant_id', 'user_id', 'leaderboard_key', 'run', 'version', 'breakdown_attribute_values'],
      ...['rank', 'value', 'reached_at', 'until'],
    ])
    expect(rows).toEqual([
      ['acme', 'ann', 'all', '2026-01-01', '075480cc', pro, 1, 16.2, moved, null],
      ['acme', 'ann', 'streaks', '2026-01-01', '42be1b27', null, 1, 4, counted, '2026-03-18T10:00:00.000Z'],
      ['acme', 'ann', 'weekly', '2026-03-09', '18855e26', null, 3, 0, moved, null],
      ['acme', 'bob', 'all', '2026-01-01', '075480cc', pro, 2, 5, noon, null],
      ['acme', 'bob', 'streaks', '2026-01-01', '42be1b27', null, 2, 1, noon, '2026-03-15T00:00:00.000Z'],
      ['acme', 'bob', 'weekly', '2026-03-09', '18855e26', null, 1, 25, noon, null],
      ['acme', 'eve', 'all', '2026-01-01', '075480cc', none, 1, 9, noon, null],
      ['acme', 'eve', 'streaks', '2026-01-01', '42be1b27', null, 3, 1, noon, '2026-03-15T00:00:00.000Z'],
      ['acme', 'eve', 'weekly', '2026-03-09', '18855e26', null, 2, 25, noon, null],
      ['beta', 'ann', 'all', '2026-01-01', '075480cc', none, 1, 7, monday, null],
      ['beta', 'ann', 'streaks', '2026-01-01', '42be1b27', null, 1, 1, monday, '2026-03-12T00:00:00.000Z'],
      ['beta', 'ann', 'weekly', '2026-03-09', '18855e26', null, 1, 25, monday, null],
    ])
  })

  test('show completions with their local dates, composite ones too', async () => {
    expect(await look('view_achievement_completions', 'achieved_at, achievement_key')).toEqual([
      ['tenant_id', 'user_id', 'achievement_key', 'date', 'achieved_at'],
      ['acme', 'ann', 'novelist', '2026-03-12', '2026-03-12T12:00:00.000Z'],
      ['acme', 'ann', 'both', '2026-03-15', '2026-03-14T13:40:00.000Z'],
      ['acme', 'ann', 'tour', '2026-03-15', '2026-03-14T13:40:00.000Z'],
    ])
  })

  test('read only', async () => {
    const texts = ['delete from {view_metric_totals}', `update {view_leaderboard_rankings} set user_id = 'x'`]
    for (const text of texts) await expect(database.ask(text)).rejects.toThrow(/view/)
    expect((await engine.verify()).drift).toEqual([])
  })
})
