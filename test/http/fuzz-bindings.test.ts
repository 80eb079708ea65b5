import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { listen } from '../support/bindings.ts'
import type { BindingName } from '../support/http.ts'
import { howMany } from '../support/share.ts'
import { seedOfRun } from '../support/zones.ts'
import { createBare, type Told } from './bare.ts'
import { request } from './fuzz-requests.ts'
import { startRun } from './fuzz-run.ts'
import { type Connection, openConnection, type RawRequest, toBytes } from './raw-connection.ts'

/*
 * The same requests through every binding, each on an engine of its own: the same answers, byte for byte but for what is
 * random. What a host does itself to some requests is in `isHostsOwn`, and in the exceptions of malformed-cases.ts.
 */

const SEED = seedOfRun()
const IN_RUN = 40
const TOTAL = howMany(120, 240, 4_000)

// Behind express.json() bodies are what it makes of them.
const COMPARED: readonly BindingName[] = ['node', 'express', 'express-4', 'fastify', 'fetch']

/** Whether the host answers this itself, or does not hand it on as it came. */
function isHostsOwn(binding: BindingName, { method, path, headers = [] }: RawRequest): boolean {
  const [asked = ''] = path.split('?')
  if (!/^\/(admin\/)?v1(\/|$)/.test(asked)) return true
  // No Request can have this method; its URL has no dot segments, no backslashes and no fragment; and of a header sent
  // twice whose second value is empty it keeps a comma, and no space after it.
  if (binding === 'fetch') {
    return method === 'TRACE' || /\/(\.|%2e){1,2}(\/|\?|$)|[\\#]/i.test(path) || headers.some(isEmptyAgain)
  }
  return false
}

function isEmptyAgain(
  [name, value]: readonly [string, string],
  index: number,
  headers: readonly (readonly [string, string])[],
): boolean {
  return value.trim() === '' && headers.slice(0, index).some(([before]) => before === name)
}

interface Place {
  readonly name: string
  ask(asked: RawRequest): Promise<Told | null | undefined>
  close(): Promise<void>
}

async function openPlace(name: BindingName | 'bare', multiTenant: boolean): Promise<Place> {
  const { engine, fill, learn } = await startRun(memory(), multiTenant)
  const bare = createBare(engine)
  if (name === 'bare') {
    const ask = async (asked: RawRequest): Promise<Told | null | undefined> => {
      const told = await bare.ask(fill(asked))
      if (told !== null && told !== undefined) learn(told)
      return told
    }
    return { name, ask, close: () => engine.close() }
  }
  const { port, close } = await listen(name, engine)
  let connection: Connection = await openConnection(port)
  return {
    name,
    ask: async (asked) => {
      if (isHostsOwn(name, asked)) return undefined
      connection.write(toBytes(fill(asked)))
      const told = await connection.next({ isHead: asked.method === 'HEAD' })
      if (typeof told === 'string') {
        connection.destroy()
        connection = await openConnection(port)
        throw new Error(`Through ${name} the connection is ${told}.`)
      }
      learn(told)
      return told
    },
    close: async () => {
      connection.destroy()
      await close()
      await engine.close()
    },
  }
}

/** Ids of what was recorded and keys are random, and a document names where it is served. */
function withoutRandom(body: string): string {
  return body
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(/"prefix":"[0-9a-z]{8}"/g, '"prefix":"random"')
    .replaceAll(/"storageMs":[\d.]+/g, '"storageMs":0')
    .replace(/"servers":\[[^\]]*\]/, '"servers":[]')
    .replaceAll(/app_[0-9a-z]{12}(\.[\w-]{43})?/g, 'key')
}

const SAME_HEADERS = ['content-type', 'cache-control', 'x-content-type-options', 'allow', 'retry-after', 'vary']

/** What is compared; HEAD has no body over a socket. */
function toCompare({ method }: RawRequest, { status, headers, body }: Told): unknown {
  return {
    status,
    headers: SAME_HEADERS.map((name) => headers.get(name) ?? null),
    body: method === 'HEAD' ? null : withoutRandom(body),
  }
}

test(`${TOTAL} requests are answered alike through every binding (seed ${SEED})`, { timeout: 3_000_000 }, async () => {
  const requests = fc.array(request, { minLength: IN_RUN, maxLength: IN_RUN })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), requests, async (multiTenant, run) => {
      const names = ['bare', ...COMPARED] as const
      const [bare, ...places] = await Promise.all(names.map((name) => openPlace(name, multiTenant)))
      try {
        for (const asked of run) {
          // What one host does itself would leave its engine behind the others.
          if (COMPARED.some((name) => isHostsOwn(name, asked))) continue
          const reference = await bare?.ask(asked)
          if (reference === null || reference === undefined) throw new Error('The bare handler did not answer.')
          for (const place of places) {
            const told = await place.ask(asked)
            if (told === null || told === undefined) throw new Error(`There was no answer through ${place.name}.`)
            const { method, path, headers } = asked
            expect({ place: place.name, method, path, headers, told: toCompare(asked, told) }).toEqual({
              place: place.name,
              method,
              path,
              headers,
              told: toCompare(asked, reference),
            })
          }
        }
      } finally {
        await Promise.all([bare, ...places].map((place) => place?.close()))
      }
    }),
    { numRuns: Math.ceil(TOTAL / IN_RUN), seed: SEED, endOnFailure: true, unbiased: true },
  )
})
