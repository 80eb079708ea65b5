// What time brings, beside a slow clock that looks at every tick. SOAK=1 looks every minute, in every zone; SEED=… repeats a run.

import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/rules/change.ts'
import { nextDue, type TimeChange, timeBrings } from '../../src/rules/due.ts'
import { evolve } from '../../src/rules/evolve.ts'
import type { Game } from '../../src/rules/game.ts'
import type { Notice } from '../../src/rules/notice.ts'
import { settled } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { type Seen, watchClock } from '../support/slow-clock.ts'
import { randomGame, randomLife, randomStart, stepsOf } from '../support/time-lives.ts'
import { createRandom, DAY, SOAK, seedOfRun, ZONES } from '../support/zones.ts'

const MINUTE = 60_000
const LONGEST = SOAK ? 600_000 : 60_000
const STEP = SOAK ? MINUTE : 15 * MINUTE
const seed = seedOfRun()
const random = createRandom(seed)

function someZones(count: number): readonly (readonly [zone: string, seed: number])[] {
  const zones = SOAK ? ZONES : Array.from({ length: count }, () => ZONES[Math.floor(random() * ZONES.length)] ?? 'UTC')
  return zones.map((zone) => [zone, Math.floor(random() * 2 ** 31)])
}

/** What happens at one instant is compared without its order, and without the entry that came with it. */
function toTexts(all: readonly (Seen | TimeChange)[]): readonly string[] {
  return all.map(({ at, change }) => `${new Date(at).toISOString()} ${toText(change)}`).sort()
}

function toText(value: unknown): string {
  return JSON.stringify(value, (key, item) => (key === 'entryId' ? '' : item instanceof Map ? [...item] : item))
}

describe('What time brings', () => {
  test.each(someZones(3))(
    `is what a slow clock sees through a year in %s (seed ${seed})`,
    (zone, own) => {
      const life = createRandom(own)
      const game = randomGame(life)
      const log = randomLife(life, game, zone, randomStart(life))
      let told: number | null = null
      for (const { entry, before } of stepsOf(game, log)) {
        if (told !== null) {
          const seen = watchClock({ game, state: before, from: told, until: entry.at, step: STEP, entry })
          const brought = timeBrings(game, before, told, entry.at, { entry })
          expect(toTexts(brought)).toEqual(toTexts(seen))
          expect(brought.map(({ state }) => state)).toEqual(seen.map(({ state }) => state))
        }
        told = entry.at
      }
    },
    LONGEST,
  )

  test.each(someZones(2))(
    `does not depend on who asks how often, in %s (seed ${seed})`,
    (zone, own) => {
      const life = createRandom(own)
      const game = randomGame(life)
      const log = randomLife(life, game, zone, randomStart(life))
      const states = [...stepsOf(game, log)].map(({ after }) => after)
      const state = states[Math.floor(life() * states.length)] ?? states[0]
      if (state === undefined) throw new RangeError('Nothing happened')
      const from = state.at
      const until = from + 40 * DAY
      const once = timeBrings(game, state, from, until)

      expect(inPieces(game, state, from, until, () => STEP)).toEqual(once)
      expect(inPieces(game, state, from, until, () => 1 + Math.floor(life() * 5 * DAY))).toEqual(once)
      const folded = once.map(({ change }) => change).filter(isChange)
      // Not every entry stores what time has brought until then.
      const start = settled(game, state, from)
      expect(settled(game, folded.reduce(evolve, start), until)).toEqual(settled(game, state, until))
      for (const { at } of once) {
        expect(nextDue(game, state, at - 1)).toBe(at)
        const later = once.find((each) => each.at > at)
        if (later !== undefined) expect(nextDue(game, state, at)).toBe(later.at)
      }
      const last = nextDue(game, state, once.at(-1)?.at ?? from)
      expect(last ?? until + 1).toBeGreaterThan(until)
    },
    LONGEST,
  )
})

function inPieces(
  game: Game,
  state: UserState,
  from: number,
  until: number,
  length: () => number,
): readonly TimeChange[] {
  const pieces: TimeChange[] = []
  for (let told = from; told < until; ) {
    const next = Math.min(until, told + length())
    pieces.push(...timeBrings(game, state, told, next))
    told = next
  }
  return pieces
}

const NOTICES: readonly string[] = [
  'streakReminderDue',
  'recapDue',
  'reactivationDue',
  'achievementEmailDue',
  'boostStarted',
  'boostFinished',
]

function isChange(change: Change | Notice): change is Change {
  return !NOTICES.includes(change.type)
}
