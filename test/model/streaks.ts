// All streaks of one user, walked from one local midnight to the next.
import { reachedForGood } from './dates.ts'
import type { Game, NamedStreak } from './game.ts'
import type { Fact } from './messages.ts'
import type { Streak, StreakWithFreezes } from './types.ts'
import { lastDay, localDay, nextLived, periodOf, previousLived, toText } from './walk/days.ts'
import type { Lived, Pool, Rule } from './walk/life.ts'
import { act, beginLife, changeZone, copyOf, isPaused, judge, turn, walk } from './walk/life.ts'

/** By key, that of the game's `streak` being ''; in the order in which they are settled. */
export type Streaks = Map<string, Lived & { reachedAt: number }>

export const noStreak: Streak = { length: 0, started: null, periodStart: null, periodEnd: null, expires: null }

/** The streaks of the game: a streak that is new, or of another frequency, begins here. */
export function startStreaks(streaks: Streaks, game: Game, zone: string, instant: number, isOn: boolean): Streaks {
  const started: Streaks = new Map()
  for (const [key, named] of game.streaks) {
    const old = streaks.get(key)
    if (old !== undefined && old.game.calendar.frequency === named.game.calendar.frequency) {
      old.life.rule = named.game.rule
      started.set(key, { ...old, game: named.game })
      continue
    }
    const life = beginLife(named.game, zone, instant, poolFor(named, started))
    turn(life, isOn)
    started.set(key, { game: named.game, life, reachedAt: instant })
  }
  return started
}

function poolFor({ isShared }: NamedStreak, started: Streaks): Pool | undefined {
  return isShared ? started.get('')?.life.pool : undefined
}

/** Gives what time has done to them. */
export function settleStreaks(streaks: Streaks, instant: number): Fact[] {
  const keys = new Map<Lived, string>([...streaks].map(([key, streak]) => [streak, key]))
  const facts: Fact[] = []
  walk([...streaks.values()], instant, (lived, day, { type, ...data }) => {
    if (!lived.life.isOn) return
    const at = Math.min(instant, reachedForGood(lived.life.zone, toText(day)))
    note(facts, { type: `streak.${type}`, at, data: { key: keys.get(lived) ?? '', ...data } })
  })
  return facts
}

/** Two dates begin at one instant if the zone left out a date: what they earned is one message. */
function note(facts: Fact[], fact: Fact): void {
  const { type, at, data } = fact
  const last = facts.at(-1)
  const isSame = type === 'streak.freeze_earned' && last?.type === type && last.at === at && last.data.key === data.key
  if (isSame)
    facts[facts.length - 1] = { ...fact, data: { ...data, earned: Number(last.data.earned) + Number(data.earned) } }
  else facts.push(fact)
}

export function moveStreaks(streaks: Streaks, zone: string, instant: number): void {
  changeZone([...streaks.values()], zone, instant)
}

export function turnStreaks(streaks: Streaks, isOn: boolean): void {
  for (const { life } of streaks.values()) turn(life, isOn)
}

/** The change that an entry made to a streak: `lengthened` is its new length if it grew. */
export interface Step {
  extended: boolean
  lengthened: number | null
  run: number | null // which of the user's streaks runs
  first: number // the instant at which its first period counted
  now: Streak
}

/** Passes a metric event to every streak. */
export function stepStreaks(
  streaks: Streaks,
  personal: Rule | null,
  instant: number,
  metric: string,
  value: number,
): Map<string, Step> {
  return stepEach(streaks, personal, instant, ({ game, life }) => act(game, life, instant, metric, value))
}

/** The user has another goal: what is enough by it counts at once. */
export function stepByGoal(streaks: Streaks, personal: Rule | null, instant: number): Map<string, Step> {
  return stepEach(streaks, personal, instant, ({ game, life }, key) => {
    if (key === '') judge(game, life, instant)
  })
}

function stepEach(
  streaks: Streaks,
  personal: Rule | null,
  instant: number,
  step: (streak: Lived, key: string) => void,
): Map<string, Step> {
  const steps = new Map<string, Step>()
  for (const [key, streak] of streaks) {
    const { game, life } = streak
    if (key === '') life.rule = personal ?? game.rule
    const before = life.length
    step(streak, key)
    const extended = life.length > before
    if (extended) streak.reachedAt = instant
    const lengthened = extended ? life.length : null
    steps.set(key, { extended, lengthened, run: runOf(streak), first: life.first, now: datesOf(streak, instant) })
  }
  return steps
}

export function runOf({ life }: Lived): number | null {
  return life.length > 0 ? life.run : null
}

export function copiesOf(streaks: Streaks): Streaks {
  const pools = new Map<Pool, Pool>()
  const copies: Streaks = new Map()
  for (const [key, streak] of streaks) {
    const pool = pools.get(streak.life.pool) ?? { ...streak.life.pool }
    pools.set(streak.life.pool, pool)
    copies.set(key, { ...streak, life: copyOf(streak.life, pool) })
  }
  return copies
}

/** The state after the effects of time until an instant. */
export function streaksSince(streaks: Streaks, instant: number): Fact[] {
  return settleStreaks(copiesOf(streaks), instant)
}

/** As they read at an instant; nothing is changed. */
export function readStreaks(streaks: Streaks, instant: number): Map<string, StreakWithFreezes & { reachedAt: number }> {
  const copies = copiesOf(streaks)
  settleStreaks(copies, instant)
  return new Map(
    [...copies].map(([key, streak]) => {
      const { game, life, reachedAt } = streak
      const freezes = game.freezes === null ? {} : { freezes: life.pool.left }
      return [key, { ...datesOf(streak, instant), ...freezes, reachedAt }]
    }),
  )
}

function datesOf({ game: { calendar }, life }: Lived, instant: number): Streak {
  if (life.length === 0) return { ...noStreak }
  const current = periodOf(calendar, localDay(life.zone, instant))
  let expires = nextLived(calendar, life.zone, life.settled)
  while (isPaused(life, calendar, expires)) expires = nextLived(calendar, life.zone, expires)
  let earliest = life.counted
  for (let before = life.length - 1; before > 0; before -= 1) earliest = previousLived(calendar, life.zone, earliest)
  return {
    length: life.length,
    started: toText(Math.min(life.started, earliest)),
    periodStart: toText(current),
    periodEnd: toText(lastDay(calendar, current)),
    expires: toText(lastDay(calendar, expires)),
  }
}
