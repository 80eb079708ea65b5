// @heavy: It breaks connections to Postgres.
// @early: It takes long for its size.
// Processes that are stopped in the middle of their work. SOAK=1: ten times, ten seconds each.

import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { crashGame } from '../../crash/crash-game.ts'
import { createRandom, seedOfSoak } from '../../crash/random.ts'
import { limit } from '../../support/busy-machine.ts'
import { compiled } from '../../support/compiled.ts'
import { NOON } from '../../support/engine.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { type Child, startChild } from './child.ts'
import { expectTruth, outcomesOf, type Told, tell } from './told.ts'
import { useWorld } from './world.ts'

const SOAK = process.env.SOAK === '1'
const STOPS = SOAK ? 10 : 3
/** So many are stopped at once. */
const AT_ONCE = SOAK ? 2 : 3
const STOPPED_MS = SOAK ? 10_000 : 3_000
const MOST_MS = 5_000
const USERS = 5
const SEED = seedOfSoak(1)

const nextEmptySchema = useEmptySchemas()
let directory = ''
beforeAll(() => {
  directory = compiled()
}, 60_000)

/** Writes on four lanes, half of it with keys and some of it late, until the test stops it. */
const WRITE = `
  const storage = postgres(args.url, { schema: args.schema })
  const engine = open(storage)
  let isOver = false
  void told().then(() => { isOver = true })
  let count = 0
  async function lane() {
    while (!isOver) {
      count += 1
      const note = 'child ' + args.number + ' ' + count
      const user = 'user ' + (count % args.users)
      const key = count % 2 === 0 ? note.replaceAll(' ', '-') : null
      const late = count % 30 === 0 ? { occurredAt: new Date(Date.parse(args.now) - count * 1_000_003) } : {}
      const request = { user: { id: user }, value: 2, attributes: { note }, ...(key === null ? {} : { idempotencyKey: key }), ...late }
      let told
      try {
        const { eventId, idempotentReplayed = false } = await engine.metrics.event('words', request)
        told = { outcome: 'stored', eventId, isReplay: idempotentReplayed }
      } catch (error) {
        told = { outcome: error.code, eventId: null, isReplay: false }
      }
      say(JSON.stringify({ note, user, key, ...told }))
      await sleep(5)
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  await engine.close()
`

test(`stopped for ${STOPPED_MS / 1_000} s, ${STOPS} times, they keep no other process from the same users (seed ${SEED})`, async () => {
  const world = await useWorld(nextEmptySchema())
  const engine = await world.open({ storage: postgres(databaseUrl(), { schema: world.schema }) })
  const random = createRandom(SEED)
  const calls: Told[] = []
  const args = { url: databaseUrl(), schema: world.schema, game: crashGame.definition, now: NOON, users: USERS }
  const onLine = (line: string): void => void calls.push(JSON.parse(line))
  const children = times(AT_ONCE, (number) =>
    startChild({ directory, script: WRITE, args: { ...args, number }, onLine }),
  )
  await Promise.all(children.map((child) => child.nextLine()))

  let isOver = false
  let slowest = 0
  async function caller(): Promise<void> {
    while (!isOver) {
      const start = performance.now()
      calls.push(await tell(engine, { user: `user ${random.whole(0, USERS - 1)}` }))
      slowest = Math.max(slowest, performance.now() - start)
      await sleep(2)
    }
  }
  const callers = Promise.all(times(4, caller))

  async function stop(child: Child): Promise<void> {
    await sleep(random.whole(50, 400))
    child.signal('SIGSTOP')
    await sleep(STOPPED_MS)
    child.signal('SIGCONT')
    await sleep(100)
  }
  for (let round = 0; round < STOPS / AT_ONCE; round += 1) await Promise.all(children.map(stop))

  isOver = true
  await callers
  for (const child of children) child.sendEnd()
  const endings = await Promise.all(children.map((child) => child.ended))
  expect(endings.map(({ code, complaints }) => `${code}${complaints}`)).toEqual(times(AT_ONCE, () => '0'))
  const counts = new Map<string, number>()
  for (const outcome of outcomesOf(calls)) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  process.stdout.write(
    `processes stopped: ${STOPS}, slowest answer of another: ${Math.round(slowest)} ms, events: ${JSON.stringify([...counts])}\n`,
  )
  expect(slowest).toBeLessThan(limit(MOST_MS))
  await expectTruth(world, calls)
  // A process that was stopped for less than the deadline loses no call either.
  if (!SOAK) expect([...counts.keys()]).toEqual(['stored'])
}, 300_000)
