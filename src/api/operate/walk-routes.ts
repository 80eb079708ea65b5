import { anyOf, objectOf, schemaOf } from '../../http/openapi.ts'
import { type Api, type Route, type RouteResult, type RouteSpec, route } from '../../http/route.ts'
import type { JsonSchema, SchemaName } from '../../http/schemas.ts'
import { startStream, type Walk } from '../../http/stream.ts'
import { readGameDefinition } from './game-definition.ts'
import {
  type ApplyBody,
  type AuditBody,
  applyBody,
  auditBody,
  type VerifyBody,
  verifyBody,
  type WhatIfBody,
  whatIfBody,
} from './requests.ts'
import type { AuditReport } from './types.ts'

const tag = 'Walks'
/** A definition with hundreds of rules, or thousands of users. */
const bodyFactor = 16
const errors = [401, 403, 422]
const type = 'application/x-ndjson'
const MOST_TENANTS = 10_000
const PAGE = 1_000

/** The schema of each line: progress, but for the last. */
function streamOf(report: SchemaName): JsonSchema {
  return anyOf(
    objectOf('progress', schemaOf('StreamProgress')),
    objectOf('report', schemaOf(report)),
    objectOf('error', schemaOf('Problem')),
  )
}

async function stream<Report>(walk: Walk<Report>): Promise<RouteResult> {
  return { status: 200, body: null, stream: await startStream(walk) }
}

/** Whom a walk looks at. */
const only = ({ users }: AuditBody, { tenantId: tenant }: Api): object => (users == null ? {} : { users, tenant })

/** How many users it comes to; null where there are more tenants than are worth counting. */
async function countUsers({ tenants }: Api, { users }: AuditBody, share = 1): Promise<number | null> {
  if (users != null) return users.length
  let sum = 0
  let after: string | null = null
  for (let read = 0; read < MOST_TENANTS; read += PAGE) {
    const page: Awaited<ReturnType<typeof tenants.list>> = await tenants.list({
      limit: PAGE,
      ...(after === null ? {} : { after }),
    })
    sum += page.tenants.reduce((count, tenant) => count + tenant.users, 0)
    after = page.after
    if (after === null) return Math.round(sum * share)
  }
  return null
}

const common = { method: 'POST', tag, bodyFactor, errors } as const satisfies Partial<RouteSpec<unknown>>

/** An answer of any length would fit in no text. */
const MOST_DRIFT = 10_000
const MOST_DAMAGED = 1_000

async function firstOf<Report extends Pick<AuditReport, 'damaged'> & Partial<Pick<AuditReport, 'drift'>>>(
  report: Promise<Report>,
): Promise<Report> {
  const { drift, damaged } = await report
  const first = { damaged: damaged.slice(0, MOST_DAMAGED), ...(drift && { drift: drift.slice(0, MOST_DRIFT) }) }
  return { ...(await report), ...first }
}

const verify: Route = route<VerifyBody>({
  ...common,
  operationId: 'verify',
  path: '/verify',
  summary: 'Compare every derived row with what the logs say, of all tenants or of some users',
  bodySchema: verifyBody,
  example: { sample: 100 },
  changes: false,
  answers: { 200: { description: 'Progress, then the report.', schema: streamOf('AuditReport'), type } },
  run: async (api, { body }) => {
    const { sample } = body
    const drawn = sample == null ? {} : { sample }
    const run: Walk<unknown>['run'] = (control) => firstOf(api.verify({ ...only(body, api), ...drawn, ...control }))
    const users = await countUsers(api, body)
    return stream({ kind: api.verify, of: sample == null ? users : Math.min(users ?? sample, sample), run })
  },
})

const rebuild: Route = route<AuditBody>({
  ...common,
  operationId: 'rebuild',
  path: '/rebuild',
  summary: 'Mend every derived row that is not what the logs say, of all tenants or of some users',
  bodySchema: auditBody,
  example: { users: ['18'] },
  answers: { 200: { description: 'Progress, then what was mended.', schema: streamOf('AuditReport'), type } },
  run: async (api, { body }) => {
    const run: Walk<unknown>['run'] = (control) => firstOf(api.rebuild({ ...only(body, api), ...control }))
    return stream({ kind: api.rebuild, of: await countUsers(api, body), run })
  },
})

// A definition is what the caller sends, and no fault of the server's.
const statuses = { invalid_game: 422 } as const

const whatIf: Route = route<WhatIfBody>({
  ...common,
  operationId: 'whatIf',
  path: '/what-if',
  summary: 'Who would gain and who would lose what if another game had always been there',
  bodySchema: whatIfBody,
  example: { definition: { metrics: { 'words-written': { name: 'Words written' } } } },
  changes: false,
  statuses,
  answers: { 200: { description: 'Progress, then the report.', schema: streamOf('WhatIfReport'), type } },
  run: async (api, { body }) => {
    const next = readGameDefinition(body.definition)
    const sample = body.sample ?? 1
    const run: Walk<unknown>['run'] = (control) => firstOf(api.whatIf(next, { ...only(body, api), sample, ...control }))
    return stream({ kind: api.whatIf, of: await countUsers(api, body, sample), run })
  },
})

const apply: Route = route<ApplyBody>({
  ...common,
  operationId: 'apply',
  path: '/apply',
  summary: 'Put a game in force for every process, by a policy',
  bodySchema: applyBody,
  example: { definition: { metrics: { 'words-written': { name: 'Words written' } } }, policy: 'forward' },
  statuses,
  answers: { 200: { description: 'Progress, then what was done.', schema: streamOf('ApplyReport'), type } },
  run: async (api, { body: { definition, policy, after } }) => {
    const next = readGameDefinition(definition)
    const rest = after == null ? {} : { after }
    const run: Walk<unknown>['run'] = (control) => firstOf(api.apply(next, { policy, ...rest, ...control }))
    return stream({ kind: api.apply, of: policy === 'forward' ? 0 : await countUsers(api, {}), run })
  },
})

export const walkRoutes: readonly Route[] = [verify, rebuild, whatIf, apply]
