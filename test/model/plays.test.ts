// @early: It takes long for its size.
// Random games and histories reach what they are for. It also checks answers that the model must never give.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { howMany } from '../support/share.ts'
import { seedOfRun } from '../support/zones.ts'
import { ALL_FEATURES } from './features.ts'
import type { Outcome } from './model.ts'
import { createModel } from './model.ts'
import type { Play } from './plays.ts'
import { plays } from './plays.ts'

const SEED = seedOfRun()
const RUNS = howMany(120, 200, 5_000)
const LATER = 40 * 86_400_000

type Reached = Map<string, number>

function tell(reached: Reached, outcome: Outcome): void {
  if (!outcome.ok) return
  const note = (what: string, has: boolean): void => {
    if (has) reached.set(what, (reached.get(what) ?? 0) + 1)
  }
  const points = Object.values(outcome.points ?? {})
  note('a late event', outcome.late)
  note(
    'a boosted award',
    points.some(({ awards }) => awards.some(({ boosts }) => boosts !== undefined)),
  )
  note(
    'several boosts at once',
    points.some(({ awards }) => awards.some(({ boosts = [] }) => boosts.length > 1)),
  )
  note(
    'a capped award',
    points.some(({ capped = [] }) => capped.some(({ awarded }) => awarded > 0)),
  )
  note(
    'nothing left by a cap',
    points.some(({ capped = [] }) => capped.some(({ awarded }) => awarded === 0)),
  )
  note(
    'a second completion',
    (outcome.achievements ?? []).some((name) => name.endsWith(' 2')),
  )
  note('a tier', outcome.achievements?.includes('reader.silver') === true)
  note(
    'a named streak of two',
    Object.values(outcome.streaks ?? {}).some(({ length }) => length > 1),
  )
}

function play({ definition, calls }: Play, reached: Reached): void {
  const model = createModel(definition)
  let game = definition
  for (const call of calls) {
    const outcome = model.call(call)
    if (call.call === 'deploy') game = call.definition
    if (call.call.endsWith('Boost') && outcome.ok) reached.set(call.call, (reached.get(call.call) ?? 0) + 1)
    tell(reached, outcome)
  }
  const now = Math.max(...calls.map((call) => call.now))
  for (const user of ['u1', 'u2', 'u3']) {
    const snapshot = model.snapshot(now, user)
    if (snapshot === null) continue
    for (const [key, { total, awards }] of Object.entries(snapshot.points)) {
      const { maxPoints = Number.MAX_SAFE_INTEGER, triggers = [] } = game.points?.[key] ?? {}
      expect(total).toBeGreaterThanOrEqual(0)
      expect(total).toBeLessThanOrEqual(maxPoints)
      const times = awards.filter(({ trigger }) => triggers[trigger]?.type === 'time').length
      if (times > 0) reached.set('paid by time', (reached.get('paid by time') ?? 0) + times)
    }
    // Reading changes nothing, however far ahead.
    model.snapshot(now + LATER, user)
    expect(model.snapshot(now, user)).toEqual(snapshot)
  }
}

it(`${RUNS} random games and histories have all there is in them (seed ${SEED})`, { timeout: 600_000 }, () => {
  const reached: Reached = new Map()
  fc.assert(
    fc.property(plays(30, ALL_FEATURES), (each) => play(each, reached)),
    { numRuns: RUNS, seed: SEED },
  )
  for (const what of [
    'a late event',
    'a boosted award',
    'several boosts at once',
    'a capped award',
    'nothing left by a cap',
    'a second completion',
    'a tier',
    'a named streak of two',
    'giveBoost',
    'changeBoost',
    'deleteBoost',
    'paid by time',
  ]) {
    expect(reached.get(what) ?? 0, what).toBeGreaterThan(0)
  }
})
