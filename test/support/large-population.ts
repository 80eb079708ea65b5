// Made-up users by the hundred thousand, as the lines of an export: an import of those stores each user once, and folds
// all else from the log.

import { createRandom, DAY, HOUR, wallClock } from './zones.ts'

export interface Population {
  readonly users: number
  readonly events: number
  /** The last day is the one, in UTC, in which this is; what comes after it has not happened. */
  readonly now: number
  readonly seed: number
}

export const POPULATION_DAYS = 90

const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Tokyo', 'America/New_York', 'America/Sao_Paulo']
const FIRST = ['Ada', 'Bruno', 'Chidi', 'Dalia', 'Emeka', 'Farah', 'Goran', 'Hana', 'Inés', 'Jonas']
const LAST = ['Abe', 'Berg', 'Costa', 'Diaz', 'Evans', 'Faye', 'Gupta', 'Haas', 'Ito', 'Jansen']
const PLANS = ['free', 'pro', 'team']
const GENRES = ['novel', 'essay']

/** How often users come, compared with each other: a few every day, most now and then. */
const ZEALS = [40, 12, 5, 3, 2, 2, 1, 1, 1, 1]
const MEAN_ZEAL = ZEALS.reduce((sum, zeal) => sum + zeal) / ZEALS.length
/** Events in a session, on average: words always, the others now and then. */
const IN_A_SESSION = 1.6

export const populationId = (index: number): string => `user-${String(index).padStart(6, '0')}`

interface Happened {
  readonly at: number
  readonly metric: string
  readonly value: number
  readonly genre: string
}

/** Users of `RICH_GAME`, which has to be in force as epoch 1, and about as many events as are asked for; each has one. */
export function* populationOf({ users, events, now, seed }: Population): Generator<string> {
  const random = createRandom(seed)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
  const start = Math.floor(now / DAY) * DAY - (POPULATION_DAYS - 1) * DAY
  // After the day of joining there are half of all days, on average.
  const scale = (events / users / IN_A_SESSION - 1) / ((POPULATION_DAYS - 1) / 2) / MEAN_ZEAL

  function sessionOf(day: number): readonly Happened[] {
    const [first, last] = [start + day * DAY + 6 * HOUR, start + day * DAY + 22 * HOUR]
    const at = first + Math.floor(random() * (last - first))
    const happened = [{ at, metric: 'words', value: 50 + Math.floor(random() * 2_000), genre: pick(GENRES) }]
    const add = (metric: string, value: number): void =>
      void happened.push({ at: at + happened.length * 60_000, metric, value, genre: pick(GENRES) })
    if (random() < 0.4) add('comments', 1 + Math.floor(random() * 4))
    if (random() < 0.2) add('chapters', 1 + Math.floor(random() * 3))
    return happened
  }

  let count = 0
  for (let index = 0; index < users; index += 1) {
    const joined = Math.floor(random() * POPULATION_DAYS)
    const zeal = (ZEALS[index % ZEALS.length] ?? 0) * scale
    const profile = { name: `${pick(FIRST)} ${pick(LAST)}`, tz: pick(ZONES), attributes: { plan: pick(PLANS) } }
    const all: Happened[] = []
    for (let day = joined; day < POPULATION_DAYS; day += 1) {
      if (day === joined || random() < zeal) all.push(...sessionOf(day))
    }
    // Who would have come later today has come this night.
    const isEarly = all.every(({ at }) => at >= now)
    const happened = isEarly
      ? all.map((each, place) => ({ ...each, at: start + (POPULATION_DAYS - 1) * DAY + place }))
      : all.filter(({ at }) => at < now)
    const id = populationId(index)
    yield JSON.stringify({ laurels: 'user', version: 1, tenant: '', id, entries: happened.length })
    for (const [place, each] of happened.entries()) {
      count += 1
      yield JSON.stringify({ laurels: 'entry', entry: toEntry(each, { number: count, seq: place + 1, profile }) })
    }
    yield JSON.stringify({ laurels: 'end', of: 'user', id, entries: happened.length, complete: true })
  }
}

interface Placed {
  readonly number: number
  readonly seq: number
  readonly profile: { readonly tz: string }
}

function toEntry({ at, metric, value, genre }: Happened, { number, seq, profile }: Placed): object {
  const instant = new Date(at).toISOString()
  const local = new Date(wallClock(profile.tz, at)).toISOString()
  return {
    ...{ id: `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`, seq, kind: 'eventRecorded' },
    ...{ at: instant, recordedAt: instant, zone: profile.tz, localDate: local.slice(0, 10) },
    ...{ localTime: local.slice(11, 23), epoch: 1, profile: seq === 1 ? profile : null },
    ...{ metric, value, attributes: { genre }, idempotencyKey: null },
  }
}
