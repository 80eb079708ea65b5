import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { achievementId, leaderboardId, levelId, metricId, pointsSystemId } from '../../src/game/ids.ts'
import { readDefinition } from '../../src/game/read-definition.ts'
import { parseDate } from '../../src/rules/calendar.ts'
import { game } from './design-example.ts'

describe('A compiled game', () => {
  test('has what the definition says, with ids and nulls', () => {
    const { rules } = game
    expect(rules.metrics.get('words-written')).toEqual({
      key: 'words-written',
      id: metricId('words-written'),
      name: 'Words written',
      status: 'active',
      aggregation: 'sum',
      of: null,
      unit: null,
      limits: [],
    })
    expect(rules.achievements.get('novelist')).toEqual({
      key: 'novelist',
      id: achievementId('novelist'),
      name: 'Novelist',
      description: null,
      badgeUrl: null,
      status: 'active',
      userAttributes: [],
      trigger: 'metric',
      metric: 'words-written',
      value: 50_000,
      isLowest: false,
      eventAttributes: [],
      most: 1,
      announce: [],
      until: null,
      validDays: null,
      secret: null,
      within: null,
      tally: null,
    })
    expect(rules.streak).toEqual({
      key: null,
      sharesFreezes: false,
      frequency: 'daily',
      on: null,
      days: null,
      evaluationMode: 'OR',
      metrics: new Map([['words-written', 1]]),
      customization: true,
      freezes: null,
      reminders: [],
    })
    expect(rules.leaderboards.get('weekly')).toEqual({
      key: 'weekly',
      id: leaderboardId('weekly'),
      name: 'This week',
      description: null,
      rankBy: 'points',
      metric: null,
      aggregation: 'sum',
      isLowest: false,
      isShared: false,
      system: 'xp',
      streak: null,
      start: parseDate('2026-01-05'),
      end: null,
      startTime: null,
      endTime: null,
      run: { unit: 'day', interval: 7 },
      breakdown: [],
      maxParticipants: 1000,
      private: false,
      consent: false,
      smallestGroup: 1,
      version: expect.stringMatching(/^[0-9a-f]{8}$/),
    })
    expect(rules.eventAttributes).toEqual(new Set(['source']))
    expect(rules.userAttributes).toEqual(new Set(['plan']))
    expect(rules.weekStartsOn).toBe('monday')
    expect(rules.multiTenant).toBe(false)
    expect(rules.blocksWhenOutOfPoints).toBe(false)
  })

  test('keeps the order of the definition, but levels ascend', () => {
    const { rules } = defineGame({
      metrics: { b: { name: 'B' }, a: { name: 'A' } },
      streaks: { daily: { frequency: 'daily', metrics: { b: {} } } },
      achievements: {
        z: { name: 'Z', trigger: 'api' },
        y: { name: 'Y', trigger: 'streak', length: 2, streak: 'daily' },
      },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            { type: 'streak', length: 3, points: 3, streak: 'daily' },
            { type: 'user_creation', points: 2, blockIfOutOfPoints: true },
            { type: 'achievement', achievement: 'z', points: 1 },
          ],
          levels: {
            gold: { name: 'Gold', points: 1000 },
            none: { name: 'None', points: 0 },
            silver: { name: 'Silver', points: 200 },
          },
        },
        gold: { name: 'Gold' },
      },
    })
    expect([...rules.metrics.keys()]).toEqual(['b', 'a'])
    expect([...rules.achievements.keys()]).toEqual(['z', 'y'])
    expect([...rules.points.keys()]).toEqual(['xp', 'gold'])
    const xp = rules.points.get('xp')
    expect(xp?.id).toBe(pointsSystemId('xp'))
    expect(xp?.triggers.map(({ type }) => type)).toEqual(['streak', 'user_creation', 'achievement'])
    expect(xp?.levels.map(({ key, points }) => [key, points])).toEqual([
      ['none', 0],
      ['silver', 200],
      ['gold', 1000],
    ])
    expect(xp?.levels[0]?.id).toBe(levelId('xp', 'none'))
    expect(rules.streak).toBeNull()
    expect(rules.blocksWhenOutOfPoints).toBe(true)
  })

  test('tells apart triggers that look at the same, in one system', () => {
    const trigger = { type: 'user_creation', points: 5 } as const
    const { rules } = defineGame({
      metrics: {},
      points: {
        xp: { name: 'XP', triggers: [trigger, { ...trigger, points: 7 }, { ...trigger, key: 'join' }, trigger] },
        gold: { name: 'Gold', triggers: [trigger] },
      },
    })
    const ids = [...rules.points.values()].flatMap(({ triggers }) => triggers.map(({ id }) => id))
    expect(new Set(ids).size).toBe(5)
  })

  test('streak boards have a limit and no runs', () => {
    const { rules } = defineGame({
      metrics: { words: { name: 'Words' } },
      streak: { frequency: 'daily', metrics: { words: {} } },
      leaderboards: { top: { name: 'Top', rankBy: 'streak', start: '2026-01-01', maxParticipants: 50, private: true } },
    })
    expect(rules.leaderboards.get('top')).toMatchObject({
      rankBy: 'streak',
      metric: null,
      system: null,
      run: null,
      maxParticipants: 50,
      private: true,
    })
  })
})

describe('The index of a game', () => {
  const { rules } = defineGame({
    metrics: { words: { name: 'Words' }, pages: { name: 'Pages' } },
    eventAttributes: ['source'],
    userAttributes: ['plan'],
    streak: { frequency: 'daily', metrics: { words: {} } },
    achievements: {
      plain: { name: 'Plain', trigger: 'metric', metric: 'words', value: 1 },
      filtered: { name: 'Filtered', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: 'web' } },
      members: { name: 'Members', trigger: 'metric', metric: 'words', value: 1, userAttributes: { plan: 'pro' } },
      locked: {
        name: 'Locked',
        trigger: 'metric',
        metric: 'words',
        value: 1,
        status: 'locked',
        eventAttributes: { source: 'web' },
      },
      inactive: {
        name: 'Inactive',
        trigger: 'metric',
        metric: 'words',
        value: 1,
        status: 'inactive',
        eventAttributes: { source: 'web' },
      },
      week: { name: 'Week', trigger: 'streak', length: 7 },
      month: { name: 'Month', trigger: 'streak', length: 30, status: 'locked' },
      both: { name: 'Both', trigger: 'achievement', achievements: ['plain', 'week'] },
      none: { name: 'None', trigger: 'achievement', achievements: ['plain', 'week'], status: 'inactive' },
    },
    points: {
      xp: {
        name: 'XP',
        triggers: [
          { type: 'metric', metric: 'words', threshold: 10, points: 1 },
          { type: 'metric', metric: 'words', threshold: 20, points: 1, userAttributes: { plan: 'pro' } },
          {
            type: 'metric',
            metric: 'words',
            threshold: 30,
            points: 1,
            status: 'inactive',
            eventAttributes: { source: 'web' },
          },
          { type: 'metric', metric: 'pages', threshold: 40, points: 1, eventAttributes: { source: 'web' } },
        ],
      },
    },
  })

  test('has the achievements of a metric that can be completed', () => {
    expect(rules.byMetric.get('words')?.achievements.map(({ key }) => key)).toEqual(['plain', 'filtered', 'members'])
    expect(rules.byMetric.get('pages')?.achievements).toEqual([])
  })

  test('has every rule with a tally of its own, whatever its status', () => {
    const tallied = rules.byMetric.get('words')?.tallied ?? []
    expect(tallied.map((rule) => ('trigger' in rule ? rule.key : 'threshold' in rule && rule.threshold))).toEqual([
      'filtered',
      'locked',
      'inactive',
      20,
      30,
    ])
    expect(rules.byMetric.get('pages')?.tallied.map((rule) => rule.metric)).toEqual(['pages'])
  })

  test('has the streak and composite achievements that can be completed', () => {
    expect(rules.streakAchievements.map(({ key }) => key)).toEqual(['week'])
    expect(rules.compositeAchievements.map(({ key }) => key)).toEqual(['both'])
  })
})

describe('A run of weeks', () => {
  const boardWith = (board: object): unknown =>
    readDefinition({ metrics: { words: { name: 'Words' } }, leaderboards: { top: board } }).leaderboards.top
  const top = { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-05' } as const

  test('is one of as many days, seven for each', () => {
    expect(boardWith({ ...top, run: { unit: 'week' } })).toMatchObject({ run: { unit: 'day', interval: 7 } })
    expect(boardWith({ ...top, run: { unit: 'week', interval: 2 } })).toMatchObject({
      run: { unit: 'day', interval: 14 },
    })
    expect(boardWith({ ...top, run: { unit: 'month' } })).toMatchObject({ run: { unit: 'month', interval: 1 } })
  })

  test('is not longer than one of days can be', () => {
    expect(boardWith({ ...top, run: { unit: 'week', interval: 714 } })).toMatchObject({
      run: { unit: 'day', interval: 4_998 },
    })
    expect(() => boardWith({ ...top, run: { unit: 'week', interval: 715 } })).toThrow(
      'leaderboards.top.run.interval: must be at most 714 if the unit is a week',
    )
    expect(boardWith({ ...top, run: { unit: 'day', interval: 5_000 } })).toMatchObject({
      run: { unit: 'day', interval: 5_000 },
    })
  })
})
