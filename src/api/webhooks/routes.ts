import { listOf, schemaOf } from '../../http/openapi.ts'
import { param } from '../../http/query.ts'
import { created, ok, type ParamDescription, type Route, route } from '../../http/route.ts'
import type { MessageType } from '../../messages/types.ts'
import {
  type SecretRotation,
  secretRotation,
  type WebhookReplayRequest,
  type WebhookRequest,
  type WebhookUpdate,
  webhookBody,
  webhookDeliveriesRequest,
  webhookId,
  webhookReplayRequest,
  webhookUpdateBody,
} from './requests.ts'

const tag = 'Webhooks'
const path = '/webhooks'
const params: { readonly [name: string]: ParamDescription } = {
  id: { schema: webhookId, description: 'id of a webhook' },
}
const errors = [401, 403, 404, 422]

const list: Route = route({
  operationId: 'webhooks_list',
  method: 'GET',
  path,
  summary: 'List webhooks, without their secrets',
  tag,
  answers: { 200: { description: 'The webhooks, the oldest first.', schema: listOf('Webhook') } },
  errors: [401, 403],
  run: (api) => ok(api.webhooks.list()),
})

const create: Route = route<WebhookRequest<MessageType>>({
  operationId: 'webhooks_create',
  method: 'POST',
  path,
  summary: 'Make a webhook, of all tenants, which is sent what happens from now on',
  tag,
  bodySchema: webhookBody,
  answers: {
    201: { description: 'The webhook, with its secret, shown this once.', schema: schemaOf('CreatedWebhook') },
  },
  errors: [401, 403, 422],
  run: (api, { body }) => created(api.webhooks.create(body)),
})

const get: Route = route({
  operationId: 'webhooks_get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'One of them: a webhook',
  tag,
  params,
  answers: { 200: { description: 'The webhook.', schema: schemaOf('Webhook') } },
  errors,
  run: (api, { params: given }) => ok(api.webhooks.get(param(given, 'id'))),
})

const update: Route = route<WebhookUpdate<MessageType>>({
  operationId: 'webhooks_update',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Change a webhook, disable it, or make it active again',
  tag,
  params,
  bodySchema: webhookUpdateBody,
  answers: { 200: { description: 'The webhook as it is now.', schema: schemaOf('Webhook') } },
  errors,
  run: (api, { params: given, body }) => ok(api.webhooks.update(param(given, 'id'), body)),
})

const remove: Route = route({
  operationId: 'webhooks_delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a webhook, with everything that was on its way to it',
  tag,
  params,
  answers: { 200: { description: 'The webhook is deleted.', schema: schemaOf('DeletedWebhook') } },
  errors,
  run: async (api, { params: given }) => {
    const id = param(given, 'id')
    await api.webhooks.delete(id)
    return { status: 200, body: { id } }
  },
})

const deliveries: Route = route({
  operationId: 'webhooks_deliveries',
  method: 'GET',
  path: `${path}/{id}/deliveries`,
  summary: 'What waits for a webhook, and what became of the rest of the last 30 days',
  tag,
  params,
  query: {
    limit: { kind: 'integer', description: 'How many, 1 to 100. Default 50.' },
    before: { kind: 'integer', description: '`before` of the answer before.' },
    state: { kind: 'text', description: '`waiting`, `done` or `dead`. Default: all of them.', example: 'dead' },
  },
  querySchema: webhookDeliveriesRequest,
  answers: { 200: { description: 'A page of them, the newest first.', schema: schemaOf('WebhookDeliveries') } },
  errors,
  run: (api, { params: given, query }) => ok(api.webhooks.deliveries(param(given, 'id'), query)),
})

const replay: Route = route<WebhookReplayRequest>({
  operationId: 'webhooks_replay',
  method: 'POST',
  path: `${path}/{id}/replay`,
  summary: 'Send deliveries again: of up to 100 messages, or all that are dead',
  tag,
  params,
  bodySchema: webhookReplayRequest,
  answers: { 200: { description: 'How many are sent again.', schema: schemaOf('ReplayedDeliveries') } },
  errors,
  run: (api, { params: given, body }) => ok(api.webhooks.replay(param(given, 'id'), body)),
})

const rotateSecret: Route = route<SecretRotation>({
  operationId: 'webhooks_rotateSecret',
  method: 'POST',
  path: `${path}/{id}/rotate-secret`,
  summary: 'Give a webhook another secret, beside which the old one signs for a while',
  tag,
  params,
  bodySchema: secretRotation,
  answers: {
    200: { description: 'The webhook, with its new secret, shown this once.', schema: schemaOf('CreatedWebhook') },
  },
  errors,
  run: (api, { params: given, body }) => ok(api.webhooks.rotateSecret(param(given, 'id'), body)),
})

export const webhookRoutes: readonly Route[] = [list, create, get, update, remove, deliveries, replay, rotateSecret]
