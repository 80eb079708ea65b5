// @heavy: It bundles the storage suite and runs it in workerd.

import { storageSuite } from 'laurels/testing/storage'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryCases } from '../../sql/cases/query-cases.ts'
import { bundleWorker, startWorker } from '../../support/workerd.ts'

let worker: Miniflare
beforeAll(async () => {
  worker = startWorker({ script: await bundleWorker(new URL('workers/suite.ts', import.meta.url)) })
})
afterAll(() => worker.dispose())

test.each([...storageSuite, ...queryCases].map(({ name, id }) => [name, id] as const))(
  'In a Durable Object: %s',
  async (_, id) => {
    const response = await worker.dispatchFetch(`http://game/?case=${encodeURIComponent(id)}`)
    expect(await response.json()).toBe(null)
  },
)
