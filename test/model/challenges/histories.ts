// Histories of a few users: events in and out of order, moves between zones, voids, merges, suspensions, and deploys in
// the middle of windows.

import { createRandom, DAY, HOUR } from '../../support/zones.ts'
import type { Act, Call, Game } from './types.ts'

export const USERS = ['ann', 'bob', 'cid'] as const
export const STARTS: number = Date.parse('2026-03-05T20:00:00Z')

/** Zones on both sides of the date line, and around changes of the clock in the weeks of the histories. */
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'America/Los_Angeles', 'America/Sao_Paulo'],
  ...['America/Santiago', 'America/Havana', 'Pacific/Kiritimati', 'Pacific/Niue', 'Pacific/Apia', 'Pacific/Chatham'],
  ...['Australia/Lord_Howe', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo', 'Asia/Beirut', 'Africa/Cairo'],
  ...['Atlantic/Azores', 'America/St_Johns'],
]

const quest = (value: number, xp: number) => ({
  name: `${value} pages`,
  of: [{ metric: 'pages', value }],
  reward: { points: { xp } },
})

const POOL = {
  a: quest(1, 1),
  b: quest(2, 2),
  c: quest(3, 3),
  g: {
    name: 'Reader',
    of: [{ achievement: 'reader' }, { events: 'pages', count: 2 }],
    reward: { points: { xp: 4 } },
  },
  d: { name: 'Sessions', of: [{ events: 'sessions', count: 1 }], reward: { points: { xp: 5 } } },
  e: {
    name: 'Either',
    of: [
      { metric: 'pages', value: 4, eventAttributes: { kind: 'novel' } },
      { events: 'sessions', count: 2 },
    ],
    atLeast: 1,
    reward: { points: { xp: 7 } },
  },
}

export const GAME: Game = {
  achievements: {
    regular: { metric: 'challenge:daily', value: 2 },
    reader: { metric: 'pages', value: 12 },
    gift: null,
  },
  challenges: {
    daily: { name: 'Daily', every: 'day', of: [{ metric: 'pages', value: 3 }], reward: { points: { xp: 10 } } },
    quests: { name: 'Quests', every: 'day', pick: 2, rerolls: 1, pool: POOL },
    together: {
      name: 'Together',
      every: 'week',
      pick: 1,
      same: 'everyone',
      pool: POOL,
      claim: { within: { days: 2 } },
    },
    week: {
      name: 'Week',
      every: 'week',
      of: [
        { metric: 'pages', value: 6, within: { days: 2 } },
        { metric: 'challenge:daily', value: 2 },
      ],
      claim: { within: { days: 1 } },
      reward: { points: { xp: 100 } },
    },
    month: {
      name: 'Month',
      every: 'month',
      start: '2026-03-10',
      of: [{ events: 'pages', count: 4 }],
      reward: { points: { xp: 30 } },
    },
    fair: {
      name: 'Fair',
      start: '2026-03-08',
      end: '2026-03-12',
      of: [{ metric: 'pages', value: 5 }],
      reward: { points: { xp: 50 }, achievement: 'gift' },
    },
    sprint: {
      name: 'Sprint',
      enrol: 'manual',
      within: { days: 3 },
      of: [{ metric: 'pages', value: 6 }],
      claim: { within: { days: 2 } },
      reward: { points: { xp: 200 } },
    },
    relay: { name: 'Relay', enrol: 'manual', within: { days: 4 }, pick: 2, rerolls: 2, pool: POOL },
    club: {
      name: 'Club',
      enrol: 'manual',
      every: 'day',
      of: [{ events: 'pages', count: 2 }],
      reward: { points: { xp: 20 } },
    },
    tour: {
      name: 'Tour',
      inOrder: true,
      of: [{ achievement: 'regular' }, { events: 'sessions', count: 1 }, { metric: 'pages', value: 4 }],
      reward: { points: { xp: 300 } },
    },
    rich: {
      name: 'Rich',
      every: 'day',
      of: [
        { points: 'xp', total: 60 },
        { events: 'sessions', count: 1 },
      ],
    },
  },
}

/** The game with other quests in its pools and another goal of the day. */
export function changed({ achievements, challenges }: Game, one: <T>(list: readonly T[]) => T): Game {
  const { quests, daily } = challenges
  const keys = Object.keys(POOL).filter(() => one([true, true, false]))
  const all: Game['challenges'][string]['pool'] = { ...POOL, f: quest(one([1, 2]), 9) }
  const pool = Object.fromEntries([...new Set([...keys, 'a', 'f'])].map((key) => [key, all[key as 'a']]))
  return {
    achievements,
    challenges: {
      ...challenges,
      daily: { ...daily, name: 'Daily', of: [{ metric: 'pages', value: one([2, 3, 4]) }] },
      quests: { ...quests, name: 'Quests', pool: pool as NonNullable<typeof all>, rerolls: one([0, 1, 2]) },
    },
  }
}

export function historyOf(seed: number, length: number): readonly Call[] {
  const random = createRandom(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  let at = STARTS
  let game = GAME
  const sent: { user: string; key: string }[] = []

  function event(user: string, index: number): Act {
    const key = `k${index}`
    sent.push({ user, key })
    const isLate = random() < 0.25
    return {
      type: 'event',
      key,
      metric: one(['pages', 'pages', 'pages', 'sessions']),
      value: one([1, 1, 2, 3]),
      attributes: random() < 0.3 ? { kind: one(['novel', 'comic']) } : {},
      ...(isLate ? { occurredAt: at - one([HOUR, 7 * HOUR, DAY, 2 * DAY, 4 * DAY, 8 * DAY]) } : {}),
    }
  }

  function actOf(user: string, index: number): Act {
    const roll = random()
    if (roll < 0.55) return event(user, index)
    if (roll < 0.63) return { type: 'move', tz: one(ZONES) }
    if (roll < 0.69) return { type: 'enrol', challenge: one(['sprint', 'sprint', 'relay', 'relay', 'club', 'daily']) }
    if (roll < 0.71) return { type: 'abandon', challenge: one(['sprint', 'relay', 'club']) }
    if (roll < 0.8) {
      const challenge = one(['sprint', 'week', 'together'])
      return { type: 'claim', challenge, quest: challenge === 'together' ? one(Object.keys(POOL)) : '' }
    }
    if (roll < 0.87)
      return {
        type: 'reroll',
        challenge: one(['quests', 'relay']),
        quest: one(Object.keys(POOL)),
        key: one([`r${index}`, 'r']),
      }
    if (roll < 0.93) return { type: 'void', key: one(sent.filter((each) => each.user === user))?.key ?? 'none' }
    if (roll < 0.95) return { type: one(['suspend', 'restore']) }
    if (roll < 0.97) return { type: 'merge', into: one(USERS.filter((id) => id !== user)) }
    game = changed(game, one)
    return { type: 'deploy', game }
  }

  return Array.from({ length }, (_, index): Call => {
    at += one([0, 0, 60_000, HOUR, 3 * HOUR, 9 * HOUR, 9 * HOUR, 20 * HOUR])
    const user = one(USERS)
    return { at, user, act: index < USERS.length ? event(user, index) : actOf(user, index) }
  })
}
