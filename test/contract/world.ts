import type { GameDefinition } from '../../src/index.ts'
import type { Answer, Server } from '../support/http.ts'

/** A game with every branch that an answer can have. */
export const GAME: GameDefinition = {
  metrics: {
    words: { name: 'Words written' },
    pages: { name: 'Pages read' },
    old: { name: 'Old', status: 'archived' },
  },
  eventAttributes: ['source', 'lang'],
  userAttributes: ['plan', 'city'],
  achievements: {
    hundred: {
      name: 'A hundred',
      description: 'A hundred words.',
      badgeUrl: 'https://example.com/hundred.png',
      trigger: 'metric',
      metric: 'words',
      value: 100,
    },
    web: { name: 'Web', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: 'web' } },
    french: {
      name: 'French',
      trigger: 'metric',
      metric: 'words',
      value: 1,
      eventAttributes: { source: 'web', lang: 'fr' },
    },
    pro: { name: 'Pro', trigger: 'metric', metric: 'words', value: 1, userAttributes: { plan: 'pro' } },
    tour: { name: 'Tour', description: 'The tour.', badgeUrl: 'https://example.com/tour.png', trigger: 'api' },
    day: { name: 'Day', trigger: 'streak', length: 1 },
    all: { name: 'All', trigger: 'achievement', achievements: ['hundred', 'tour'] },
    year: { name: 'One year', trigger: 'anniversary', years: 1 },
  },
  points: {
    xp: {
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 100_000,
      triggers: [
        { type: 'user_creation', points: 1 },
        { type: 'metric', metric: 'words', threshold: 10, points: 2 },
        {
          type: 'metric',
          metric: 'words',
          threshold: 10,
          points: 3,
          eventAttributes: { source: 'web' },
          userAttributes: { plan: 'pro' },
        },
        { type: 'metric', metric: 'words', threshold: 10, points: 4, eventAttributes: { source: 'web', lang: 'fr' } },
        { type: 'achievement', achievement: 'hundred', points: 5 },
        { type: 'achievement', achievement: 'tour', points: 6 },
        { type: 'streak', length: 1, points: 7 },
      ],
      levels: {
        bronze: { name: 'Bronze', points: 10 },
        silver: {
          name: 'Silver',
          description: 'The second.',
          badgeUrl: 'https://example.com/silver.png',
          points: 200,
        },
      },
      boosts: {
        ninth: { name: 'The ninth', start: '2026-03-09', end: '2026-03-09', multiplier: 2 },
        march: { name: 'March', start: '2026-03-10', multiplier: 1.5, rounding: 'nearest' },
        april: { name: 'April', start: '2026-04-01', multiplier: 1.5, rounding: 'up', userAttributes: { plan: 'pro' } },
      },
    },
    energy: {
      name: 'Energy',
      triggers: [
        { type: 'time', every: { hours: 2 }, points: 1 },
        { type: 'time', every: { days: 1 }, points: -1 },
      ],
    },
    coins: { name: 'Coins', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] },
  },
  streak: {
    frequency: 'daily',
    metrics: { words: {} },
    customization: true,
    freezes: { initial: 1, max: 3, autoEarn: { interval: 7 } },
  },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', end: '2026-12-31' },
    month: {
      name: 'XP of the month',
      description: 'By plan.',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-31',
      run: { unit: 'month', interval: 1 },
      breakdown: ['plan'],
      maxParticipants: null,
    },
    cities: {
      name: 'Cities and plans',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      breakdown: ['city', 'plan'],
      maxParticipants: 1,
    },
    evening: {
      name: 'Evening',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      startTime: '09:00',
      endTime: '23:30',
    },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' },
    past: { name: 'Past', rankBy: 'metric', metric: 'words', start: '2026-01-01', end: '2026-01-31' },
    next: { name: 'Next', rankBy: 'metric', metric: 'words', start: '2026-06-01' },
  },
}

export const EVERY_TYPE = {
  achievement_completed: ['email'],
  recap: ['push'],
  reactivation: [],
  streak_reminder: ['email', 'push'],
}

const ANN = {
  id: 'ann',
  email: 'ann@example.com',
  name: 'Ann',
  tz: 'Asia/Tokyo',
  deviceTokens: ['token'],
  signUpDate: '2024-08-20',
  attributes: { plan: 'pro', city: 'Lyon' },
}

const PRESENT = 'The world could not be made'

/** The ids that the rows' paths and bodies need of objects that were made before them. */
export interface Made {
  readonly xp: string
  /** A pause in April. */
  readonly pause: string
}

/**
 * Ann wrote on 2026-03-03, 04, 06 and 09: a freeze saved the 5th, and a pause the 7th and 8th. Bob and gus are
 * known, and cid has written more than ann. The clock ends at noon of 2026-03-10.
 */
export async function live(server: Server): Promise<Made> {
  const { engine } = server
  const send = async (method: string, path: string, body: unknown, headers = {}): Promise<Answer> => {
    const answer = await server.call(method, path, { body, headers })
    if (answer.status > 299) throw new Error(`${PRESENT}: ${method} ${path} was answered ${answer.text}`)
    return answer
  }
  const write = (user: object, value: number, more: object = {}, headers = {}) =>
    send('POST', '/v1/metrics/words/event', { user, value, ...more }, headers)

  engine.at('2026-03-03T03:00:00.000Z')
  await write(ANN, 500, { attributes: { source: 'web', lang: 'fr' } }, { 'Idempotency-Key': 'first' })
  for (const id of ['bob', 'gus']) await send('POST', '/v1/users', { id })
  engine.at('2026-03-04T03:00:00.000Z')
  await write({ id: 'ann' }, 10)
  await write({ id: 'cid', attributes: { plan: 'pro', city: 'Lyon' } }, 900)
  engine.at('2026-03-06T03:00:00.000Z')
  await write({ id: 'ann' }, 10)
  const pauses = [
    { userId: 'ann', start: '2026-03-07', end: '2026-03-08' },
    { userId: 'ann', start: '2026-04-01', end: '2026-04-02' },
  ]
  const paused = await send('POST', '/admin/v1/streaks/pauses', { pauses })
  engine.at('2026-03-09T03:00:00.000Z')
  await write({ id: 'ann' }, 10)
  await send('POST', '/v1/achievements/tour/complete', { user: { id: 'ann' } })
  const streak = { evaluationMode: 'OR', daysOff: [], metrics: [{ key: 'words', threshold: 1 }] }
  await send('PATCH', '/v1/users/ann/preferences', { notifications: EVERY_TYPE, streak })
  engine.at('2026-03-10T03:00:00.000Z')
  const { body } = await server.call('GET', '/v1/users/ann/points/xp')
  return { xp: body.id, pause: paused.body.created[1].id }
}
