// Anniversaries beside a computation that goes through a user's calls one by one. `npm test` has some users and zones, by
// the seed; SOAK=1 goes through more users. SEED=… repeats a run.

import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { type Engine, openOn } from '../support/engine.ts'
import { howMany } from '../support/share.ts'
import { createRandom, seedOfRun } from '../support/zones.ts'

const YEARS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const ZONES =
  `Africa/Cairo America/Havana America/New_York America/Sao_Paulo America/St_Johns Asia/Beirut Asia/Kathmandu
  Asia/Tehran Asia/Tokyo Atlantic/Azores Australia/Lord_Howe Europe/Berlin Europe/London Pacific/Apia Pacific/Auckland
  Pacific/Chatham Pacific/Honolulu Pacific/Kiritimati Pacific/Pago_Pago UTC`.split(/\s+/)

const game: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: Object.fromEntries(
    YEARS.map((years) => [`y${years}`, { name: `${years} years`, trigger: 'anniversary' as const, years }]),
  ),
}

interface Entry {
  readonly at: number
  /** The date that the entry set. Absent for an event. */
  readonly signUpDate?: string
}

const DAY = 86_400_000
const START = Date.parse('2016-03-01T12:00:00Z')

const dateIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

function anniversaryOf(signUpDate: string, years: number): string {
  const year = Number(signUpDate.slice(0, 4)) + years
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return signUpDate.endsWith('-02-29') && !isLeap ? `${year}-02-28` : `${year}${signUpDate.slice(4)}`
}

/** Each achievement, with the instant of the first entry that had its date behind it. */
function expected(zone: string, entries: readonly Entry[]): { readonly [key: string]: string } {
  const found: { [key: string]: string } = {}
  let signUpDate: string | null = null
  for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
    signUpDate = entry.signUpDate ?? signUpDate
    for (const years of YEARS) {
      if (signUpDate === null || anniversaryOf(signUpDate, years) > dateIn(zone, entry.at)) continue
      found[`y${years}`] ??= new Date(entry.at).toISOString()
    }
  }
  return found
}

async function actual(engine: Engine, id: string): Promise<{ readonly [key: string]: string | null }> {
  const achievements = await engine.users.achievements(id)
  return Object.fromEntries(achievements.map(({ key, achievedAt }) => [key, achievedAt]))
}

const SEED = seedOfRun()
const USERS = howMany(4, 100, 1_000)

test(`${USERS} users in ${Math.min(USERS, ZONES.length)} zones have the anniversaries of their sign-up dates (seed ${SEED})`, async () => {
  const random = createRandom(SEED)
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  const engine = await openOn(memory(), { now: new Date(START).toISOString() }, game)
  const lives = Array.from({ length: USERS }, (_, index) => {
    return { id: `u${index}`, zone: ZONES[(SEED + index) % ZONES.length] ?? 'UTC', entries: [] as Entry[] }
  })
  let now = START
  for (const { id, zone, entries } of lives) {
    await engine.users.create({ id, tz: zone })
    entries.push({ at: now })
  }
  for (let round = 0; round < 24; round += 1) {
    now += whole(1, 300) * DAY + whole(0, 96) * 900_000
    engine.at(new Date(now).toISOString())
    for (const [index, { id, zone, entries }] of lives.entries()) {
      const kind = random()
      if (round === 0 || kind < 0.12) {
        const leap = index % 3 === 0 ? '2016-02-29' : dateIn(zone, START - whole(0, 700) * DAY)
        await engine.users.update(id, { signUpDate: leap })
        entries.push({ at: now, signUpDate: leap })
      } else {
        // On both sides of an anniversary's local midnight, and late.
        const at = kind < 0.5 ? now : Math.max(START, now - whole(0, 400) * 0.25 * DAY)
        await engine.metrics.event('words', { user: { id }, value: 1, occurredAt: new Date(at) })
        entries.push({ at })
      }
    }
  }
  for (const { id, zone, entries } of lives) {
    expect([id, zone, await actual(engine, id)]).toEqual([id, zone, expected(zone, entries)])
  }
  expect((await engine.verify()).drift).toEqual([])
  await engine.close()
}, 600_000)
