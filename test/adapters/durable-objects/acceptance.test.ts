// @heavy: It runs the acceptance tests in workerd.

import { readdirSync } from 'node:fs'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { declareIn, NOON, withClock } from '../../support/engine.ts'
import { bundleWorker, startWorker } from '../../support/workerd.ts'
import { openObject } from './remote.ts'

let worker: Miniflare
beforeAll(async () => {
  worker = startWorker({ script: await bundleWorker(new URL('workers/engines.ts', import.meta.url)) })
})
afterAll(() => worker.dispose())

// The protocol to workerd, not the engine, changes such texts and members.
const HALF = 'half a surrogate pair does not arrive'
const PROTO = 'an object with __proto__ is not sent'
const SKIPPED: { readonly [name: string]: string } = {
  '422: the attributes "city:\\ud800"': HALF,
  'with half a surrogate pair is refused everywhere': HALF,
  'a value with U+0000 or half a surrogate pair is refused': HALF,
  '422: a tenant with half a surrogate pair is refused, as every string from outside': HALF,
  'two tenants never share a user, however they are spelled': HALF,
  '__proto__, constructor and toString are ordinary names': PROTO,
  '__proto__, constructor and toString are unknown where the game does not name them': PROTO,
  'is refused in a game without tenants, which would mix them': 'an error comes later than the call',
}

beforeEach(({ task, skip }) => {
  const reason = SKIPPED[task.name]
  if (reason !== undefined) skip(reason)
})

const FOLDER = new URL('../../acceptance/', import.meta.url)

await declareIn(
  {
    name: 'a Durable Object',
    open: async (definition) => {
      const clock = { now: NOON }
      const object = await openObject(worker, () => Date.parse(clock.now))
      return withClock(clock, definition, object.open)
    },
  },
  async () => {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'))
    // The query makes them modules of their own, also if this process has run the files on the storages.
    for (const name of names) await import(/* @vite-ignore */ `${new URL(name, FOLDER).pathname}?object`)
  },
)
