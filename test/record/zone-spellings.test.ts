// Names of zones come from outside, in any spelling: `aMERICA/nEW_yORK` is one, and there are 2^15 of it. SOAK=1: more ways in.

import { beforeAll, describe, expect, test } from 'vitest'
import { compiled, runCompiled } from '../support/compiled.ts'

const MOST_MEGABYTES = 20
/** A heap that takes room for its young objects while it is measured would hide by how much the process has grown. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=1'

/** Prints by how many megabytes the process is larger after 10,000 calls, each with another name of a zone. */
const script = (name: string, call: string): string => `
  import v8 from 'node:v8'
  import vm from 'node:vm'
  import { memory } from './adapters/memory/index.js'
  import { createGamification, defineGame } from './src/index.js'
  import { applicationApi, serve } from './src/http/index.js'

  v8.setFlagsFromString('--expose-gc')
  const gc = vm.runInNewContext('gc')
  const engine = createGamification({ game: defineGame({ metrics: { words: { name: 'Words' } } }), storage: memory() })
  await engine.migrate()
  await engine.users.create({ id: 'ann' })
  const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
  const handle = serve(engine, applicationApi, {})
  const ask = async (method, target, body) => {
    const bytes = Buffer.from(JSON.stringify(body))
    const headers = { 'x-api-key': created[0].key, 'content-type': 'application/json' }
    return handle({ method, target, header: (name) => headers[name], readBody: async () => ({ type: 'bytes', bytes }) })
  }
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.length >= 17)
  const letters = (text, count) =>
    [...text].map((letter, index) => ((count >> index % 15) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('')
  const nameOf = (count) => ${name}
  const outcomes = new Set()
  const call = async (zone) => { ${call} }
  for (let count = 0; count < 8_000; count += 1) await call('America/Argentina/ComodRivadavia')
  // Every zone once: there are as many formatters as zones.
  for (const zone of zones) await call(zone)
  outcomes.clear()
  gc()
  gc()
  // Without the room that the heap has taken and does not use.
  const used = () => {
    const { rss, heapTotal, heapUsed } = process.memoryUsage()
    return rss - heapTotal + heapUsed
  }
  const before = used()
  for (let count = 1; count <= 10_000; count += 1) await call(nameOf(count))
  gc()
  gc()
  const grown = (used() - before) / 1e6
  process.stdout.write(JSON.stringify({ grown, outcomes: [...outcomes], names: new Set(Array.from({ length: 10_000 }, (_, n) => nameOf(n + 1))).size }))
`

const ONE_ZONE = `letters('America/Argentina/ComodRivadavia', count)`
const ALL_ZONES = `letters(zones[count % zones.length], 1 + Math.floor(count / zones.length))`
const NO_ZONE = `'Mars/' + 'x'.repeat(240) + count`

const EVENT = `
  const event = { user: { id: 'ann', tz: zone }, value: 1 }
  await engine.metrics.event('words', event, { dryRun: true }).then(() => outcomes.add(201), ({ code }) => outcomes.add(code))`
const ANOTHER = `outcomes.add((await ask('POST', '/users', { id: 'bob', tz: zone })).status)`
const OWN = `
  const { status, body } = await ask('PATCH', '/users/ann', { tz: zone, attributes: { nothing: 'x' } })
  outcomes.add(status + ' ' + JSON.parse(body).code)`

beforeAll(() => void compiled(), 60_000)

const CASES = [
  ['of all zones, in-process', ALL_ZONES, EVENT, [201]],
  ['of a zone, over HTTP for another user', ONE_ZONE, ANOTHER, [403]],
] as const
const MORE = [
  ['of a zone, in-process', ONE_ZONE, EVENT, [201]],
  ['of no zone, in-process', NO_ZONE, EVENT, ['unknown_time_zone']],
  ['of no zone, over HTTP for another user', NO_ZONE, ANOTHER, [403]],
  ['of a zone, over HTTP in calls that are refused', ONE_ZONE, OWN, ['422 unknown_attribute']],
] as const

describe('10,000 spellings', () => {
  test.each(process.env.SOAK ? [...CASES, ...MORE] : CASES)(
    `%s take less than ${MOST_MEGABYTES} MB`,
    async (_, name, call, outcomes) => {
      const told = JSON.parse((await runCompiled(script(name, call), SMALL_YOUNG_GENERATION)).stdout)
      expect(told.outcomes).toEqual(outcomes)
      // Short names have fewer spellings, so that some come again.
      expect(told.names).toBeGreaterThan(9_500)
      expect(told.grown).toBeLessThan(MOST_MEGABYTES)
      process.stdout.write(`grown by ${told.grown.toFixed(1)} MB\n`)
    },
    120_000,
  )
})
