// Days, weeks, months and frozen days through the zones of the runtime, 2015 to 2030, by the pure fold. SOAK=1 goes
// through every zone; SEED=… repeats a run.

import { expect, test } from 'vitest'
import { defineGame } from '../../src/index.ts'
import { openStreakLog, type StreakRead } from '../support/streak-log.ts'
import {
  boundsOf,
  createRandom,
  DAY,
  instantsOf,
  SOAK,
  type Stretch,
  seedOfRun,
  stretchesOf,
  ZONES,
} from '../support/zones.ts'

const seed = seedOfRun()
const random = createRandom(seed)
/** Every twelfth, from one that changes with the seed. */
const CHOSEN = ZONES.filter((_, index) => SOAK || index % 12 === seed % 12)
const FROM = Date.UTC(2015, 0, 1) / DAY
const TO = Date.UTC(2030, 11, 31) / DAY
const HALF_DAY = DAY / 2

const stretches = new Map<string, readonly Stretch[]>()

/** The instants around a day. A zone may change its offset some forty times in all. */
function around(zone: string, day: number): readonly Stretch[] {
  let all = stretches.get(zone)
  if (all === undefined) {
    all = stretchesOf(zone, (FROM - 40) * DAY, (TO + 40) * DAY, 4 * DAY)
    stretches.set(zone, all)
  }
  return all.filter(({ start, end }) => end > (day - 2) * DAY && start < (day + 2) * DAY)
}

const metrics = { words: { name: 'Words' } }
const event = { kind: 'eventRecorded', metric: 'words', value: 1, attributes: new Map(), idempotencyKey: null } as const

function lengthAfter(game: ReturnType<typeof defineGame>, zone: string, instants: readonly number[]): StreakRead {
  const log = openStreakLog(game)
  for (const [index, at] of instants.entries()) log.ask({ at, body: event, ...(index === 0 ? { tz: zone } : {}) })
  return log.read(instants.at(-1) ?? 0, 1)
}

type Frequency = 'daily' | 'weekly' | 'monthly'

const IS_FIRST: { readonly [frequency in Frequency]: (day: Date) => boolean } = {
  daily: () => true,
  weekly: (day) => day.getUTCDay() === 1,
  monthly: (day) => day.getUTCDate() === 1,
}

/** The first days of the local days, weeks or months. */
function periodsOf(frequency: Frequency): readonly number[] {
  const days = Array.from({ length: TO - FROM + 1 }, (_, index) => new Date((FROM + index) * DAY))
  return days.filter(IS_FIRST[frequency]).map((day) => day.getTime() / DAY)
}

test.each(['daily', 'weekly', 'monthly'] as const)(
  `One event in each period, at its first or last instant or at random, breaks no streak: %s (seed ${seed})`,
  { timeout: 600_000 },
  (frequency) => {
    const game = defineGame({ metrics, streak: { frequency, metrics: { words: {} } } })
    const starts = periodsOf(frequency)
    const broken: string[] = []
    for (const [index, zone] of CHOSEN.entries()) {
      // Two years of days, different for each zone, unless there is time for all sixteen.
      const from = frequency === 'daily' && !SOAK ? 365 * ((index + seed) % 14) : 0
      const some = starts.slice(from, frequency === 'daily' && !SOAK ? from + 730 : -1)
      const instants = some.map((first, place) => {
        const last = (starts[from + place + 1] ?? first + 1) - 1
        const day = [first, last, first + Math.floor(random() * (last - first + 1))][Math.floor(random() * 3)] ?? first
        const bounds = boundsOf(around(zone, day), day)
        if (bounds === null) throw new RangeError(`${zone} has no day ${day}`)
        return random() < 0.5 ? bounds.first : bounds.last
      })
      const { length } = lengthAfter(game, zone, instants)
      if (length !== instants.length) broken.push(`${zone}: ${length} of ${instants.length}`)
    }
    expect(broken).toEqual([])
  },
)

test('One event on every other day, with a freeze earned on those days, breaks no streak', { timeout: 600_000 }, () => {
  const freezes = { initial: 1, max: 1, autoEarn: { interval: 2 } }
  const game = defineGame({ metrics, streak: { frequency: 'daily', metrics: { words: {} }, freezes } })
  const broken: string[] = []
  for (const [index, zone] of CHOSEN.entries()) {
    // Two years that are not the same for all zones, unless there is time for all sixteen.
    const from = SOAK ? FROM : FROM + 365 * ((index + seed) % 14)
    const to = SOAK ? TO : from + 730
    const instants: number[] = []
    for (let day = from; day <= to; day += 2) instants.push(...instantsOf(around(zone, day), day, HALF_DAY).slice(0, 1))
    const { length, freezes: left } = lengthAfter(game, zone, instants)
    if (length !== instants.length || left !== 1) broken.push(`${zone}: ${length} of ${instants.length}, ${left} left`)
  }
  expect(broken, `seed ${seed}`).toEqual([])
})
