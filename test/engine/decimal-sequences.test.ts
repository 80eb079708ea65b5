import { describe, expect, test } from 'vitest'
import { defineGame, type Storage } from '../../src/index.ts'
import { type Engine, openOn, STORAGES } from '../support/engine.ts'
import { createRandom, SOAK, seedOfRun } from '../support/zones.ts'
import {
  DAYS,
  type Ending,
  GOAL,
  gameWith,
  HIGHER_GOAL,
  MOMENTS,
  randomSteps,
  type Step,
  workOut,
} from './decimal-model.ts'

const seed = seedOfRun()
const COUNT = Number(process.env.SEQUENCES ?? (SOAK ? 10_000 : 60))
/** So many users in one storage, whose events come at once. */
const TOGETHER = 250

interface Sequence {
  readonly id: string
  readonly isPersonal: boolean
  readonly steps: readonly Step[]
  readonly ending: Ending
}

function createSequences(): readonly Sequence[] {
  const random = createRandom(seed)
  return Array.from({ length: COUNT }, (_, index) => {
    const steps = randomSteps(random)
    const isPersonal = index % 2 === 1
    return { id: `user-${String(index).padStart(5, '0')}`, isPersonal, steps, ending: workOut(steps, isPersonal) }
  })
}

async function play(engine: Engine, sequences: readonly Sequence[]): Promise<void> {
  engine.at(MOMENTS[0]?.at ?? '')
  const personal = sequences.filter(({ isPersonal }) => isPersonal)
  await Promise.all(personal.map(({ id }) => engine.users.create({ id })))
  const streak = { metrics: [{ key: 'w' }] }
  await Promise.all(personal.map(({ id }) => engine.users.updatePreferences(id, { streak })))
  for (const [index, { at }] of MOMENTS.entries()) {
    engine.at(at)
    await Promise.all(sequences.map((sequence) => record(engine, sequence, index)))
  }
}

async function record(engine: Engine, { id, steps, ending }: Sequence, index: number): Promise<void> {
  const step = steps[index]
  const expected = ending.answers[index]
  const before = ending.answers[index - 1] ?? { goal: false, tally: false, xp: 0, tallied: 0 }
  if (step === undefined || expected === undefined) throw new RangeError('A step for each moment')
  const event = { user: { id }, value: step.value, attributes: { kind: step.kind } }
  const { total, achievements, points, currentStreak } = await engine.metrics.event('w', event)
  const keys = achievements.map(({ key }) => key)
  expect({
    values: steps.slice(0, index + 1).map(({ value }) => value),
    total,
    goal: before.goal || keys.includes('goal'),
    tally: before.tally || keys.includes('tally'),
    xp: points.xp?.total ?? before.xp,
    tallied: points.tallied?.total ?? before.tallied,
    streak: currentStreak.length,
  }).toEqual({ values: steps.slice(0, index + 1).map(({ value }) => value), ...expected })
}

async function checkReads(engine: Engine, sequences: readonly Sequence[]): Promise<void> {
  const dates = { aggregation: 'daily', startDate: DAYS[0], endDate: DAYS[2] } as const
  await Promise.all(
    sequences.map(async ({ id, ending }) => {
      const summary = await engine.users.metricEventSummary(id, 'w', dates)
      const { current } = await engine.users.singleMetric(id, 'w')
      const total = ending.answers.at(-1)?.total
      expect({ id, summary, current }).toEqual({ id, summary: ending.summary, current: total })
    }),
  )
}

async function checkBoard(engine: Engine, board: string, run: string, sequences: readonly Sequence[]): Promise<void> {
  const key = board === 'all' ? 'all' : `day ${run}`
  const expected = sequences
    .map(({ id, ending }) => ({ userId: id, value: Number.NaN, reachedAt: '', ...ending.scores.get(key) }))
    .sort((a, b) => b.value - a.value || compare(a.reachedAt, b.reachedAt) || compare(a.userId, b.userId))
    .map(({ userId, value }, index) => ({ userId, value, rank: index + 1 }))
  const { rankings } = await engine.leaderboards.get(board, { run, limit: TOGETHER })
  const seen = rankings.map(({ userId, value, rank }) => ({ userId, value, rank }))
  expect({ board, run, seen }).toEqual({ board, run, seen: expected })
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1
}

/** How many users have how many points, counted one by one. */
async function checkPointsSummary(engine: Engine, sequences: readonly Sequence[]): Promise<void> {
  const totals = sequences.map(({ ending }) => ending.answers.at(-1)?.xp ?? 0)
  const ranges = await engine.points.summary('xp')
  const counted = ranges.map(({ from, to }) => ({
    from,
    to,
    users: totals.filter((total) => total >= from && total <= to).length,
  }))
  expect(ranges).toEqual(counted)
  expect(counted.reduce((sum, { users }) => sum + users, 0)).toBe(sequences.length)
}

async function agree(storage: Storage, sequences: readonly Sequence[]): Promise<void> {
  const engine = await openOn(storage, { now: MOMENTS[0]?.at ?? '' }, gameWith(GOAL))
  try {
    await play(engine, sequences)
    await checkReads(engine, sequences)
    await checkBoard(engine, 'all', DAYS[0], sequences)
    for (const day of DAYS) await checkBoard(engine, 'day', day, sequences)
    await checkPointsSummary(engine, sequences)
    const lost = sequences.filter(({ ending }) => ending.answers.at(-1)?.goal && !ending.reachesHigherGoal).length
    const { achievements } = await engine.whatIf(defineGame(gameWith(HIGHER_GOAL)))
    expect(achievements).toEqual(lost === 0 ? [] : [{ key: 'goal', gained: 0, lost }])
    const { drift } = await engine.verify()
    expect(drift).toEqual([])
  } finally {
    await engine.close()
  }
}

describe.each(STORAGES)('Values with up to six decimal places, on $name', ({ create }) => {
  const title = `${COUNT} sequences, many of them cancelling, come to what exact decimals do (seed ${seed})`
  test(title, { timeout: 3_600_000 }, async () => {
    const sequences = createSequences()
    for (let from = 0; from < COUNT; from += TOGETHER) await agree(create(), sequences.slice(from, from + TOGETHER))
  })
})
