// Histories of a few users who earn and spend: late earnings, voids, holds that end during an absence, refunds of lots
// that have expired, moves between zones, merges, deletions, and games that change.

import { createRandom, DAY, HOUR } from '../../support/zones.ts'
import { addDays, firstInstant, localDate } from '../dates.ts'
import { createModel } from './model.ts'
import type { Act, Call, Game, Policy, System } from './types.ts'

export const USERS = ['ann', 'bob', 'cid'] as const

/** Zones on both sides of the date line, and around changes of the clock. */
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'America/Los_Angeles', 'America/Sao_Paulo'],
  ...['America/Santiago', 'America/Havana', 'Pacific/Kiritimati', 'Pacific/Niue', 'Pacific/Apia', 'Pacific/Chatham'],
  ...['Australia/Lord_Howe', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo', 'Asia/Beirut', 'Africa/Cairo'],
  ...['Atlantic/Azores', 'America/St_Johns'],
]

/** The subjects of a history, besides earning and spending. */
const THEMES = ['time', 'grants', 'toggles', 'holds'] as const
type Theme = (typeof THEMES)[number]

type One = <T>(list: readonly T[]) => T

function systemOf(theme: Theme, one: One, before: System | null): System {
  const expires = one<System['expires']>([
    { after: { days: 10 }, roundTo: 'day' },
    { after: { days: 30 }, roundTo: 'day' },
    { after: { days: 45 }, roundTo: 'month' },
    { after: { months: 2 } },
    { after: { months: 1 }, roundTo: 'day' },
    { after: { years: 1 }, roundTo: 'year' },
    { after: { days: 5 }, roundTo: 'month' },
    undefined,
  ])
  const pending = one<System['pending']>([undefined, undefined, { days: 1 }, { days: 4 }])
  const refundGrace = one<System['refundGrace']>([undefined, { days: 2 }, { days: 14 }])
  const isTimed = theme === 'time'
  const time = isTimed
    ? one<System['time']>([
        undefined,
        { every: { days: 2 }, points: one([1, 4]) },
        { every: { days: 5 }, points: 2 },
        { every: { hours: 60 }, points: 3 },
      ])
    : undefined
  const maxPoints = isTimed ? one([undefined, 40, 90]) : undefined
  const spendable = theme !== 'toggles' || (before === null ? one([true, false]) : !before.spendable)
  return {
    spendable,
    price: one([2, 7, 15]),
    each: one([1, 5, 10]),
    ...(maxPoints === undefined ? {} : { maxPoints }),
    ...(time === undefined ? {} : { time }),
    ...(spendable && expires !== undefined ? { expires } : {}),
    ...(spendable && pending !== undefined ? { pending } : {}),
    ...(spendable && refundGrace !== undefined ? { refundGrace } : {}),
  }
}

const GEMS: System = { spendable: true, each: 1 }

export interface History {
  readonly first: Game
  readonly starts: number
  readonly calls: readonly Call[]
}

export function historyOf(seed: number, length: number): History {
  const random = createRandom(seed)
  const one: One = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number]
  const theme = one(THEMES)
  const starts = Date.parse('2026-01-03T20:00:00Z') + Math.floor(random() * 300) * DAY
  const zones = new Map<string, string>()
  const zoneOf = (user: string): string => zones.get(user) ?? 'UTC'
  const events: { user: string; key: string }[] = []
  const spends: string[] = []
  const holds: string[] = []
  const redemptions: string[] = []
  const first: Game = { systems: { coins: systemOf(theme, one, null), gems: GEMS } }
  const model = createModel(first)
  let game = first
  let at = starts

  /** Sometimes one that was refused, or that is not there. */
  const recent = (names: readonly string[]): string =>
    random() < 0.1 ? `s${one([7, 11, 13])}` : (one(names.slice(-4)) ?? 'none')

  function event(user: string, index: number): Act {
    const key = `k${index}`
    events.push({ user, key })
    const back = one([HOUR, 7 * HOUR, DAY, 3 * DAY, 10 * DAY, 45 * DAY, 200 * DAY])
    return { type: 'event', key, value: one([1, 2, 5, 8]), ...(random() < 0.3 ? { occurredAt: at - back } : {}) }
  }

  /** Some holds end exactly at a midnight of their user. */
  function minutesOf(user: string): number {
    const days = one([1, 2, 10])
    const midnight = (firstInstant(zoneOf(user), addDays(localDate(zoneOf(user), at), days)) - at) / 60_000
    return random() < 0.3 && Number.isInteger(midnight) ? midnight : one([30, 600, 1_440, 4_320, 28_800, 129_600])
  }

  /** Often all that there is, so that many lots are taken, and a void makes a debt. */
  function amount(user: string, system: string): number {
    const balance = model.look(user, system, at)?.balance ?? 0
    return random() < 0.4 && balance > 0 ? balance : one([1, 2, 5, 10, 20, 50])
  }

  const part = (): { amount?: number } => (random() < 0.5 ? {} : { amount: one([1, 2, 5, 10]) })
  const system = (): string => one(['coins', 'coins', 'coins', 'coins', 'gems'])

  function hold(user: string, index: number): Act {
    const key = system()
    return { type: 'hold', system: key, amount: amount(user, key), minutes: minutesOf(user), name: `h${index}` }
  }

  function spend(user: string, index: number): Act {
    const key = system()
    return { type: 'spend', system: key, amount: amount(user, key), name: `s${index}` }
  }

  function actOf(user: string, index: number): Act {
    const roll = random()
    if (theme === 'holds' && roll < 0.2) return hold(user, index)
    if (roll < 0.36) return event(user, index)
    if (roll < 0.45) return spend(user, index)
    if (roll < 0.48) return { type: 'redeem', name: `m${index}` }
    if (roll < 0.56) return hold(user, index)
    if (roll < 0.63) return { type: 'capture', hold: recent(holds), ...part(), name: `c${index}` }
    if (roll < 0.67) return { type: 'release', hold: recent(holds) }
    if (roll < 0.7) return { type: 'cancel', redemption: recent(redemptions) }
    if (roll < 0.8) return { type: 'refund', spend: recent(spends), ...part(), name: `r${index}` }
    if (roll < 0.85) return { type: 'void', key: one(events.filter((each) => each.user === user))?.key ?? 'none' }
    if (roll < 0.9) {
      const points = one([-3, -20, 5, 30])
      return { type: 'adjust', system: system(), points, fromEarned: points < 0 && random() < 0.5 }
    }
    if (roll < 0.94) {
      const tz = one(ZONES)
      zones.set(user, tz)
      return { type: 'move', tz }
    }
    if (roll < 0.96 && theme !== 'toggles') return { type: 'merge', into: one(USERS.filter((id) => id !== user)) }
    if (roll > 0.99) return { type: 'delete' }
    game = { systems: { coins: systemOf(theme, one, game.systems.coins ?? null), gems: GEMS } }
    return { type: 'apply', game, policy: policyOf() }
  }

  const policyOf = (): Policy => {
    if (theme === 'toggles') return 'forward'
    return one(theme === 'time' ? ['forward', 'recompute'] : ['forward', 'grant', 'recompute'])
  }

  const callOf = (user: string, act: (user: string, index: number) => Act, index: number): Call => ({
    at,
    user,
    act: act(user, index),
  })

  const calls = Array.from({ length }, (_, index): Call => {
    const user = one(USERS)
    const next = at + one([0, 0, 0, 60_000, HOUR, HOUR, 6 * HOUR, 20 * HOUR, 20 * HOUR, 2 * DAY, 5 * DAY, 40 * DAY])
    const midnight = firstInstant(zoneOf(user), addDays(localDate(zoneOf(user), at), one([1, 3])))
    at = random() < 0.15 ? midnight : next
    const call = index < USERS.length ? callOf(USERS[index] ?? user, event, index) : callOf(user, actOf, index)
    const { code } = model.call(call)
    // Later calls are mostly about what was accepted.
    if (code === 'done' && call.act.type === 'hold') holds.push(call.act.name)
    const isSpend = call.act.type === 'spend' || call.act.type === 'capture' || call.act.type === 'redeem'
    if (code === 'done' && isSpend && 'name' in call.act) spends.push(call.act.name)
    if (code === 'done' && call.act.type === 'redeem') redemptions.push(call.act.name)
    return call
  })
  return { first, starts, calls }
}
