// The handler's answers match the OpenAPI documents.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { adminApi, applicationApi } from '../../src/http/index.ts'
import { toOpenApi } from '../../src/http/openapi.ts'
import { mistakesOf } from '../support/answer-schemas.ts'
import { NOON, openOn } from '../support/engine.ts'
import { howMany } from '../support/share.ts'
import { seedOfRun } from '../support/zones.ts'
import { game } from './authorization-table.ts'
import { createBare, type Told } from './bare.ts'
import { type FromDocument, type Json, requestsOf } from './from-document.ts'

const SEED = seedOfRun()
/** Requests of one run share an engine. */
const IN_RUN = 200
const RUNS = Number(process.env.RUNS ?? howMany(5, 20, 300))

/** The answer that an operation declares for a status. */
function declaredOf(document: Json, operation: Json, status: number): { readonly [type: string]: { schema: Json } } {
  const answers = operation.responses as { readonly [status: string]: { $ref?: string; content?: never } }
  const answer = answers[status]
  expect(Object.keys(answers), `statuses of ${operation.operationId}`).toContain(String(status))
  const { responses } = document.components as { responses: { Problem: { content: never } } }
  return answer?.$ref === undefined ? (answer?.content ?? {}) : responses.Problem.content
}

function check(document: Json, { operation }: FromDocument, { status, headers, body }: Told): void {
  const declared = declaredOf(document, operation, status)
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  expect(Object.keys(declared)).toEqual([type])
  const lines = type === 'application/x-ndjson' ? body.trimEnd().split('\n') : [body]
  // The last line of a stream has what another answer has as a whole.
  expect(mistakesOf(declared[type]?.schema ?? {}, JSON.parse(lines.at(-1) ?? ''))).toEqual([])
}

describe.each([
  ['/v1', applicationApi],
  ['/admin/v1', adminApi],
] as const)('The document of %s', (prefix, api) => {
  const document = toOpenApi(api)
  test(`declares every answer to ${RUNS * IN_RUN} requests that are made from it (seed ${SEED})`, {
    timeout: 3_000_000,
  }, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const engine = await openOn(memory(), { now: NOON }, game)
      await engine.users.create({ id: 'ann', attributes: { plan: 'pro' } })
      const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
      const { key } = await engine.adminKeys.create()
      const bare = createBare(engine)
      const keys = [key, key, key, key, created[0]?.key ?? '', 'junk']
      for (const asked of fc.sample(requestsOf(document, prefix, keys), { numRuns: IN_RUN, seed: SEED + run })) {
        const told = await bare.ask(asked.raw)
        try {
          if (told == null) throw new Error('There was no answer.')
          check(document, asked, told)
        } catch (cause) {
          const { method, path, body } = asked.raw
          throw new Error(`${String(cause)}\nwhen asked ${method} ${path} ${body ?? ''}\n${told?.body}`, { cause })
        }
      }
      await engine.close()
    }
  })
})
