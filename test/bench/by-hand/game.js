/** The benchmark's game (test/bench/game.ts), as a team would write it down that has no library for it. */
import { createHash } from 'node:crypto'

/** An id that stays the same from one start to the next. */
function idOf(...names) {
  const hex = createHash('sha1').update(names.join('\n')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const METRICS = ['words', 'pages', 'notes', 'likes', 'shares']

export const metrics = new Map(METRICS.map((key) => [key, { id: idOf('metric', key), key, name: key }]))

const achievement = (key, name, trigger, condition) => {
  return { id: idOf('achievement', key), key, trigger, name, description: null, badgeUrl: null, ...condition }
}

export const achievements = [
  ...METRICS.flatMap((metric) =>
    [10, 100, 1_000].map((value) =>
      achievement(`${metric}-${value}`, `${value} ${metric}`, 'metric', { metric, value }),
    ),
  ),
  ...[3, 7, 30].map((length) => achievement(`streak-${length}`, `${length} days`, 'streak', { length })),
  achievement('welcome', 'Welcome', 'api', {}),
  achievement('both', 'Both', 'achievement', { parts: ['words-10', 'pages-10'] }),
]

const level = (system, key, name, points) => {
  return { id: idOf('level', system, key), key, name, description: '', badgeUrl: null, points }
}

const trigger = (system, type, points, condition) => {
  return { id: idOf('trigger', system, type, JSON.stringify(condition)), type, points, ...condition }
}

export const pointsSystems = [
  {
    id: idOf('points', 'xp'),
    key: 'xp',
    name: 'XP',
    description: null,
    badgeUrl: null,
    maxPoints: null,
    triggers: METRICS.map((metric) => trigger('xp', 'metric', 5, { metric, threshold: 10 })),
    levels: [level('xp', 'bronze', 'Bronze', 0), level('xp', 'silver', 'Silver', 500)],
  },
  {
    id: idOf('points', 'gems'),
    key: 'gems',
    name: 'Gems',
    description: null,
    badgeUrl: null,
    maxPoints: null,
    triggers: [
      trigger('gems', 'achievement', 10, { achievement: 'both' }),
      trigger('gems', 'streak', 1, { length: 7 }),
    ],
    levels: [],
  },
]

/** A day counts on which one of these went up. */
export const streakMetrics = new Set(['words', 'pages'])

export const eventAttributes = new Set()
export const userAttributes = new Set()
