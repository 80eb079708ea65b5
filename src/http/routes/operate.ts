import { gamesRequest } from '../../api/configuration/requests.ts'
import { anyOf, listOf, objectOf, schemaOf } from '../../api/endpoint.ts'
import { checkPlaces, readGameDefinition } from '../../api/operate/game-definition.ts'
import { applyBody, auditBody, tenantsRequest, verifyBody, whatIfBody } from '../../api/operate/requests.ts'
import { GamificationError } from '../../errors.ts'
import { deadLettersRequest, retryRequest } from '../../messages/requests.ts'
import type { AuditReport } from '../../shapes/operate.ts'
import type { SchemaName } from '../../shapes/schema-names.ts'
import { type Api, ok, type Route, routesOf } from '../route.ts'
import { startStream, type Walk } from '../stream.ts'

const overview = routesOf('Overview')

export const gameRoutes: readonly Route[] = [
  overview('GET /game', 'game', {
    summary: 'Get the game in force, with a sentence for each of its rules',
    answers: ok('The game.', 'CurrentGame'),
    run: (api) => api.games.current(),
  }),
  overview('GET /games', 'games', {
    summary: 'List all stored games, the newest first',
    querySchema: gamesRequest,
    answers: ok('A page of games.', 'GamesResponse'),
    run: (api, { query }) => api.games.list(query),
  }),
]

/** For load balancers: reveals only if the engine works. */
export const health: Route = routesOf('Description')('GET /health', 'health', {
  summary: 'Check that calls can be answered',
  isPublic: true,
  answers: ok('The engine works.', objectOf('status', { type: 'string', const: 'ok' })),
  run: async (api) => {
    const { status } = await api.health()
    if (status !== 'ok') throw new GamificationError('unavailable', 'The storage does not answer.')
    return { status }
  },
})

const account = routesOf('Account')
const subscriptions = routesOf('Subscriptions')

export const accountRoutes: readonly Route[] = [
  account('GET /admin-keys', 'adminKeys_list', {
    summary: 'List the admin keys, without their secrets',
    answers: ok('The keys, the oldest first.', listOf('AdminKey')),
  }),
  account('GET /tenants', 'tenants_list', {
    summary: 'List the tenants that have users',
    querySchema: tenantsRequest,
    answers: ok('A page of tenants, in order of id.', 'TenantsResponse'),
  }),
  subscriptions('GET /subscriptions', 'subscriptions_list', {
    summary: 'List the subscriptions and their progress',
    answers: ok('The subscriptions, in order of name.', listOf('SubscriptionStatus')),
  }),
  subscriptions('GET /subscriptions/{name}/dead-letters', 'subscriptions_deadLetters', {
    summary: 'List the messages that a subscription put aside, the newest first',
    querySchema: deadLettersRequest,
    canMiss: false,
    answers: ok('A page of messages.', 'DeadLetters'),
  }),
  subscriptions('POST /subscriptions/{name}/retry', 'subscriptions_retry', {
    summary: 'Deliver messages again that were put aside',
    bodySchema: retryRequest,
    example: { ids: ['0198c1d2-6b3e-7c4f-8a5b-9d0e1f2a3b4c'] },
    canMiss: false,
    answers: ok('How many are delivered again.', 'RetriedDeadLetters'),
  }),
]

/** A definition with hundreds of rules, or thousands of users. */
const bodyFactor = 16
const MOST_TENANTS = 10_000
const PAGE = 1_000

/** Lines of progress, then the report. */
function streamOf(description: string, report: SchemaName): Route['answers'] {
  const schema = anyOf(
    objectOf('progress', schemaOf('StreamProgress')),
    objectOf('report', schemaOf(report)),
    objectOf('error', schemaOf('Problem')),
  )
  return { 200: { description, schema, type: 'application/x-ndjson' } }
}

/** Counts the users that a walk visits. Returns `null` if there are too many tenants to count. */
async function countUsers({ tenants }: Api, users?: readonly string[], share = 1): Promise<number | null> {
  if (users !== undefined) return users.length
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

/** A longer answer would exceed the longest string. */
const MOST_DRIFT = 10_000
const MOST_DAMAGED = 1_000

type Report = Pick<AuditReport, 'damaged'> & Partial<Pick<AuditReport, 'drift'>>

/** Streams a walk. Its report names the first damaged users and rows. */
function stream(kind: object, of: number | null, run: Walk<Report>['run']) {
  return startStream({
    kind,
    of,
    run: async (control) => {
      const report = await run(control)
      const { drift, damaged } = report
      return { ...report, damaged: damaged.slice(0, MOST_DAMAGED), ...(drift && { drift: drift.slice(0, MOST_DRIFT) }) }
    },
  })
}

const walk = routesOf('Walks')
const definition = { metrics: { 'words-written': { name: 'Words written' } } }
// The caller sends the definition, so a mistake in it is not the server's.
const statuses = { invalid_game: 422 } as const

export const walkRoutes: readonly Route[] = [
  walk('POST /verify', 'verify', {
    summary: 'Compare every derived row with the logs, of all tenants or of some users',
    bodySchema: verifyBody,
    bodyFactor,
    example: { sample: 100 },
    changes: false,
    answers: streamOf('Progress, then the report.', 'AuditReport'),
    run: async (api, { read: { users, sample } }) => {
      const count = await countUsers(api, users)
      const of = sample === undefined ? count : Math.min(count ?? sample, sample)
      return stream(api.verify, of, (control) => api.verify({ users, tenant: api.tenantId, sample, ...control }))
    },
  }),
  walk('POST /rebuild', 'rebuild', {
    summary: 'Repair every derived row that differs from the logs, of all tenants or of some users',
    bodySchema: auditBody,
    bodyFactor,
    example: { users: ['18'] },
    answers: streamOf('Progress, then the repaired rows.', 'AuditReport'),
    run: async (api, { read: { users } }) =>
      stream(api.rebuild, await countUsers(api, users), (control) =>
        api.rebuild({ users, tenant: api.tenantId, ...control }),
      ),
  }),
  walk('POST /what-if', 'whatIf', {
    summary: 'Compare users with how they would be if another game had always been in force',
    bodySchema: whatIfBody,
    bodyFactor,
    example: { definition },
    changes: false,
    statuses,
    answers: streamOf('Progress, then the report.', 'WhatIfReport'),
    run: async (api, { read }) => {
      const next = await readGameDefinition(read.definition)
      const { users, sample = 1 } = read
      const of = await countUsers(api, users, sample)
      checkPlaces(next, of ?? MOST_TENANTS)
      return stream(api.whatIf, of, (control) => api.whatIf(next, { users, tenant: api.tenantId, sample, ...control }))
    },
  }),
  walk('POST /apply', 'apply', {
    summary: 'Put a game in force for every process, by a policy',
    bodySchema: applyBody,
    bodyFactor,
    example: { definition, policy: 'forward' },
    statuses,
    answers: streamOf('Progress, then the report.', 'ApplyReport'),
    run: async (api, { read: { definition, policy, after } }) => {
      const next = await readGameDefinition(definition)
      const of = policy === 'forward' ? 0 : await countUsers(api)
      return stream(api.apply, of, (control) => api.apply(next, { policy, after, ...control }))
    },
  }),
]
