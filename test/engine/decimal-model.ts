import { Decimal } from 'decimal.js'
import type { GameDefinition } from '../../src/index.ts'

// Sequences of values with up to six decimal places, many of which cancel, and what they come to by decimal.js.

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP })
const ZERO = new Exact(0)

export const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'] as const
const TIMES = ['09:00', '12:00', '15:00', '18:00']

export const GOAL = 0.1
export const HIGHER_GOAL = 0.2
const TALLY_GOAL = 0.3
const STEP = 0.1
const TALLY_STEP = 0.25
const DAY_THRESHOLD = 0.1

export function gameWith(goal: number): GameDefinition {
  const start = DAYS[0]
  return {
    metrics: { w: { name: 'W' } },
    eventAttributes: ['kind'],
    achievements: {
      goal: { name: 'Goal', trigger: 'metric', metric: 'w', value: goal },
      tally: { name: 'Tally', trigger: 'metric', metric: 'w', value: TALLY_GOAL, eventAttributes: { kind: 'a' } },
    },
    points: {
      xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'w', threshold: STEP, points: 1 }] },
      tallied: {
        name: 'Tallied',
        triggers: [{ type: 'metric', metric: 'w', threshold: TALLY_STEP, points: 2, eventAttributes: { kind: 'a' } }],
      },
    },
    streak: { frequency: 'daily', metrics: { w: { threshold: DAY_THRESHOLD } }, customization: true },
    leaderboards: {
      all: { name: 'All', rankBy: 'metric', metric: 'w', start, maxParticipants: null },
      day: {
        name: 'Day',
        rankBy: 'metric',
        metric: 'w',
        start,
        run: { unit: 'day', interval: 1 },
        maxParticipants: null,
      },
    },
  }
}

export interface Step {
  readonly at: string
  readonly date: string
  readonly value: number
  readonly kind: 'a' | 'b'
}

/** Instants of a sequence's events, four on each of three days. */
export const MOMENTS: readonly Omit<Step, 'value' | 'kind'>[] = DAYS.flatMap((date) =>
  TIMES.map((time) => ({ date, at: `${date}T${time}:00.000Z` })),
)

export function randomSteps(random: () => number): readonly Step[] {
  const size = 10 ** Math.floor(random() * (random() < 0.1 ? 14 : 5))
  const places = Math.floor(random() * 7)
  let total = ZERO
  let today = ZERO
  return MOMENTS.map(({ at, date }, index) => {
    if (MOMENTS[index - 1]?.date !== date) today = ZERO
    const plain = new Exact((random() * 2 - 1) * size).toDecimalPlaces(Math.floor(random() * (places + 1)))
    const rest = new Exact(Math.floor(random() * 12) - 4).times(new Exact(10).pow(-places))
    const choice = random()
    // Some take back all there is, of the whole or of the day, but for a little, or a tenth.
    const cancelled = choice < 0.3 ? total : choice < 0.5 ? today : null
    const value = cancelled === null ? plain : cancelled.negated().plus(random() < 0.4 ? GOAL : rest)
    const number = value.toDecimalPlaces(6).toNumber() + 0
    total = sum(total, number)
    today = sum(today, number)
    return { at, date, value: number, kind: random() < 0.5 ? 'a' : 'b' }
  })
}

export interface Expected {
  readonly total: number
  readonly goal: boolean
  readonly tally: boolean
  readonly xp: number
  readonly tallied: number
  readonly streak: number
}

export interface Score {
  readonly value: number
  readonly reachedAt: string
}

/** What one user has after a sequence. */
export interface Ending {
  readonly answers: readonly Expected[]
  readonly reachesHigherGoal: boolean
  /** By board and run: the value, and when it was reached. */
  readonly scores: ReadonlyMap<string, Score>
  readonly summary: readonly { readonly date: string; readonly total: number; readonly change: number }[]
}

/** `isPersonal`: any change of a day above 0 counts for the streak. */
export function workOut(steps: readonly Step[], isPersonal: boolean): Ending {
  let total = ZERO
  let highest = ZERO
  let tally = ZERO
  let highestTally = ZERO
  let reachesHigherGoal = false
  let goal = false
  const scores = new Map<string, Score>()
  const changes = new Map<string, Decimal>()
  const totals = new Map<string, Decimal>()
  let counted: readonly string[] = []
  const answers = steps.map(({ at, date, value, kind }) => {
    total = sum(total, value)
    highest = Decimal.max(highest, total)
    if (kind === 'a') tally = sum(tally, value)
    highestTally = Decimal.max(highestTally, tally)
    goal ||= total.gte(GOAL)
    reachesHigherGoal ||= total.gte(HIGHER_GOAL)
    const change = sum(changes.get(date) ?? ZERO, value)
    changes.set(date, change)
    totals.set(date, total)
    if (isPersonal ? change.gt(0) : change.gte(DAY_THRESHOLD)) counted = [...new Set([...counted, date])]
    score(scores, 'all', total, at)
    score(scores, `day ${date}`, change, at)
    return {
      total: total.toNumber(),
      goal,
      tally: highestTally.gte(TALLY_GOAL),
      xp: stepsIn(highest, STEP),
      tallied: 2 * stepsIn(highestTally, TALLY_STEP),
      streak: streakOn(date, counted),
    }
  })
  const summary = DAYS.map((date) => {
    return { date, total: (totals.get(date) ?? ZERO).toNumber(), change: (changes.get(date) ?? ZERO).toNumber() }
  })
  return { answers, reachesHigherGoal, scores, summary }
}

function sum(left: Decimal, right: number): Decimal {
  const exact = new Exact(left).plus(right).toSignificantDigits(15)
  return exact.isZero() ? ZERO : exact
}

function stepsIn(highest: Decimal, step: number): number {
  return new Exact(highest).divToInt(step).toNumber()
}

function score(scores: Map<string, Score>, key: string, value: Decimal, at: string): void {
  const known = scores.get(key)
  if (known?.value !== value.toNumber()) scores.set(key, { value: value.toNumber(), reachedAt: at })
}

/** How many days running have counted, up to this one or the one before. */
function streakOn(date: string, counted: readonly string[]): number {
  const days: readonly string[] = DAYS
  const today = days.indexOf(date)
  const last = counted.includes(date) ? today : today - 1
  let length = 0
  for (let index = last; index >= 0 && counted.includes(days[index] ?? ''); index -= 1) length += 1
  return length
}
