import { listOf, schemaOf } from '../../http/openapi.ts'
import { param } from '../../http/query.ts'
import { ok, type ParamDescription, type Route, route } from '../../http/route.ts'
import { type TenantsRequest, tenantsRequest } from '../users/requests.ts'
import { deadLettersRequest, type RetryRequest, retryRequest, subscriptionName } from '../webhooks/requests.ts'

const subscription: { readonly [name: string]: ParamDescription } = {
  name: { schema: subscriptionName, description: 'name of a subscription' },
}

const adminKeys: Route = route({
  operationId: 'adminKeys_list',
  method: 'GET',
  path: '/admin-keys',
  summary: 'List the keys of the account, without what opens anything',
  tag: 'Account',
  answers: { 200: { description: 'The keys, the oldest first.', schema: listOf('AdminKey') } },
  errors: [401, 403],
  run: (api) => ok(api.adminKeys.list()),
})

const tenants: Route = route({
  operationId: 'tenants_list',
  method: 'GET',
  path: '/tenants',
  summary: 'List the tenants that have users',
  tag: 'Account',
  query: {
    after: { kind: 'text', description: '`after` of the answer before.' },
    limit: { kind: 'integer', description: 'How many, 1 to 1,000. Default 100.' },
  },
  querySchema: tenantsRequest,
  answers: { 200: { description: 'A page of them, in order of id.', schema: schemaOf('TenantsResponse') } },
  errors: [401, 403, 422],
  run: (api, { query }) => ok(api.tenants.list(query as TenantsRequest)),
})

const subscriptions: Route = route({
  operationId: 'subscriptions_list',
  method: 'GET',
  path: '/subscriptions',
  summary: 'How far each subscription is',
  tag: 'Subscriptions',
  answers: { 200: { description: 'The subscriptions, in order of name.', schema: listOf('SubscriptionStatus') } },
  errors: [401, 403],
  run: (api) => ok(api.subscriptions.list()),
})

const deadLetters: Route = route({
  operationId: 'subscriptions_deadLetters',
  method: 'GET',
  path: '/subscriptions/{name}/dead-letters',
  summary: 'What a subscription put aside, the newest first',
  tag: 'Subscriptions',
  params: subscription,
  query: {
    limit: { kind: 'integer', description: 'How many, 1 to 1,000. Default 100.' },
    before: { kind: 'integer', description: '`next` of the answer before.' },
  },
  querySchema: deadLettersRequest,
  answers: { 200: { description: 'A page of them.', schema: schemaOf('DeadLetters') } },
  errors: [401, 403, 422],
  run: (api, { params, query }) => ok(api.subscriptions.deadLetters(param(params, 'name'), query)),
})

const retry: Route = route<RetryRequest>({
  operationId: 'subscriptions_retry',
  method: 'POST',
  path: '/subscriptions/{name}/retry',
  summary: 'Have messages that were put aside handed over again',
  tag: 'Subscriptions',
  params: subscription,
  bodySchema: retryRequest,
  answers: { 200: { description: 'How many are handed over again.', schema: schemaOf('RetriedDeadLetters') } },
  errors: [401, 403, 422],
  run: (api, { params, body }) => ok(api.subscriptions.retry(param(params, 'name'), body)),
})

export const accountRoutes: readonly Route[] = [adminKeys, tenants, subscriptions, deadLetters, retry]
