// @heavy: It breaks connections to Postgres.
// The connection is cut around the save, again and again, wherever it can be. SOAK=1: a thousand times.

import { afterEach, describe, expect, test } from 'vitest'
import { createRandom, type Random, seedOfSoak } from '../../crash/random.ts'
import { listen } from '../../support/bindings.ts'
import { times } from '../../support/places.ts'
import { useEmptySchemas } from '../../support/postgres.ts'
import { expectHonestProcesses, isSave } from './processes.ts'
import type { Fate } from './proxy.ts'
import { expectTruth, type Told, tell, toEvent, type Wish } from './told.ts'
import { createWorld, type Engine, type World } from './world.ts'

const SOAK = process.env.SOAK === '1'
const CUTS = SOAK ? 1_000 : 30
const CUTS_IN_WORLD = 10
/** Counts calls that are left without an answer. */
const SHORT_DEADLINE_MS = 300

const BREAKS = ['neverSent', 'halfSent', 'sent', 'sentLate', 'halfAnswered', 'answerLost', 'shutDown'] as const
const DELAYS = ['askedSlowly', 'answeredSlowly'] as const
const SILENCES = ['silence', 'silentAnswer', 'silenceThenSent'] as const

const nextEmptySchema = useEmptySchemas()
const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

function pick<T>(random: Random, from: readonly [T, ...T[]]): T {
  return from[random.whole(0, from.length - 1)] ?? from[0]
}

/** Fates for the first save and for what is asked after it. */
function planCut(random: Random): { readonly fates: Fate[]; readonly isSilent: boolean } {
  const kind = random.next()
  if (kind < 0.12) return { fates: [pick(random, SILENCES)], isSilent: true }
  if (kind < 0.2) return { fates: [pick(random, DELAYS)], isSilent: false }
  const fates: Fate[] = [pick(random, BREAKS)]
  while (fates.length < 4 && random.chance(0.4)) fates.push(random.chance(0.3) ? 'passes' : pick(random, BREAKS))
  return { fates, isSilent: false }
}

/** Events sent at once: one or several, of known and first-ever users, in time and late, with keys and without. */
function planCalls(random: Random, cut: number): readonly Wish[] {
  const key = (index: number): { key?: string } => (random.chance(0.5) ? { key: `${cut}-${index}` } : {})
  const known = (index: number): Wish => ({ user: `known ${random.whole(0, 4)}`, ...key(index) })
  switch (pick(random, ['one', 'new', 'late', 'many', 'many'])) {
    case 'one':
      return [known(0)]
    case 'new':
      return [{ user: `new ${cut}`, ...key(0) }]
    case 'late':
      return [{ ...known(0), daysAgo: random.whole(1, 20) }]
    default: {
      const twice = { user: 'known 0', key: `${cut}-twice` }
      const fresh = times(2, (index) => ({ user: `new ${cut}`, ...key(index) }))
      const late = { ...known(9), daysAgo: random.whole(1, 20) }
      return [twice, twice, ...fresh, ...times(5, (index) => known(index + 2)), late]
    }
  }
}

type Way = (wish: Wish) => Promise<Told>

async function overHttp(engine: Engine, key: string, random: Random): Promise<Way> {
  const server = await listen(pick(random, ['node', 'express', 'fastify', 'fetch']), engine)
  opened.push(server)
  return async (wish) => {
    const { note, request } = toEvent(wish)
    const told = { note, user: wish.user, key: wish.key ?? null, eventId: null, isReplay: false }
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      ...(wish.key === undefined ? {} : { 'idempotency-key': wish.key }),
    }
    const { user, value, attributes } = request
    const body = JSON.stringify({ user, value, attributes })
    // Nothing but the connection tells what cannot be known.
    const response = await fetch(`${server.base}/v1/metrics/words/event`, { method: 'POST', headers, body }).catch(
      () => null,
    )
    if (response === null) return { ...told, outcome: 'outcome_unknown' }
    const answer = (await response.json()) as { readonly eventId: string; readonly code: string }
    if (response.status > 202) return { ...told, outcome: String(answer.code) }
    return { ...told, outcome: 'stored', eventId: answer.eventId, isReplay: response.status === 202 }
  }
}

interface Ways {
  readonly world: World
  readonly patient: readonly Way[]
  readonly hasty: readonly Way[]
}

async function openWays(random: Random): Promise<Ways> {
  const world = await createWorld(nextEmptySchema())
  const patient = await world.open({ deadlineMs: 20_000 })
  const hasty = await world.open({ deadlineMs: SHORT_DEADLINE_MS })
  const { key } = await patient.adminKeys.create()
  const waysOf = async (engine: Engine): Promise<readonly Way[]> => [
    (wish) => tell(engine, wish),
    await overHttp(engine, key, random),
  ]
  const ways = { world, patient: await waysOf(patient), hasty: await waysOf(hasty) }
  opened.push(world)
  for (const user of times(5, (index) => `known ${index}`)) await tell(patient, { user })
  return ways
}

async function cutOnce({ world, patient, hasty }: Ways, random: Random, cut: number): Promise<readonly Told[]> {
  const { fates, isSilent } = planCut(random)
  const wishes = planCalls(random, cut)
  const way = pick(random, (isSilent ? hasty : patient) as [Way, ...Way[]])
  const planned = [...fates]
  let hasBegun = false
  world.proxy.choose((question) => {
    hasBegun ||= isSave(question)
    return (hasBegun ? planned.shift() : null) ?? 'passes'
  })
  const calls = await Promise.all(wishes.map(way))
  // A machine that is busy may not get as far within the short deadline.
  expect([cut, fates, hasBegun || isSilent]).toEqual([cut, fates, true])

  const allowed = isSilent ? ['stored', 'outcome_unknown', 'unavailable'] : ['stored']
  const wrong = calls.filter(({ outcome }) => !allowed.includes(outcome))
  expect([cut, fates, wishes.length, wrong]).toEqual([cut, fates, wishes.length, []])

  // A caller without an answer who sent a key can ask again.
  world.proxy.choose(() => 'passes')
  const unknown = wishes.filter(({ key }, index) => key !== undefined && calls[index]?.outcome === 'outcome_unknown')
  const again = await Promise.all(unknown.map((wish) => (patient[0] as Way)(wish)))
  expect(again.map(({ outcome }) => outcome)).toEqual(again.map(() => 'stored'))
  await world.proxy.quiet()
  return [...calls, ...again]
}

const SEED = seedOfSoak(1)

describe('with the connection cut around the save', () => {
  test.each(times(CUTS / CUTS_IN_WORLD, (index) => index * CUTS_IN_WORLD))(
    `cuts %i and the ${CUTS_IN_WORLD - 1} after it store nothing twice and lose nothing that was acknowledged (seed ${SEED})`,
    async (first) => {
      const random = createRandom(SEED + first)
      const ways = await openWays(random)
      const all: Told[] = []
      for (let cut = first; cut < first + CUTS_IN_WORLD; cut += 1) {
        const calls = await cutOnce(ways, random, cut)
        all.push(...calls)
        await expectTruth(ways.world, calls)
        await expectHonestProcesses(ways.world)
      }
      await expectTruth(ways.world, all)
    },
    30_000,
  )
})
