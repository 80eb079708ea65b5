import { listOf } from '../../api/endpoint.ts'
import * as requests from '../../messages/requests.ts'
import { created, ok, type Route, routesOf } from '../route.ts'

const route = routesOf('Webhooks')

export const webhookRoutes: readonly Route[] = [
  route('GET /webhooks', 'webhooks_list', {
    summary: 'List webhooks, without their secrets',
    answers: ok('The webhooks, the oldest first.', listOf('Webhook')),
  }),
  route('POST /webhooks', 'webhooks_create', {
    summary: 'Create a webhook for all tenants. It receives messages from now on',
    bodySchema: requests.webhookBody,
    example: { url: 'https://example.com/hooks/laurels', types: ['achievement.completed'] },
    answers: created('The webhook, with its secret, which is shown only this once.', 'CreatedWebhook'),
  }),
  route('GET /webhooks/{id}', 'webhooks_get', {
    summary: 'Get a webhook',
    answers: ok('The webhook.', 'Webhook'),
  }),
  route('PATCH /webhooks/{id}', 'webhooks_update', {
    summary: 'Change a webhook, disable it, or make it active again',
    bodySchema: requests.webhookUpdateBody,
    example: { status: 'disabled' },
    answers: ok('The webhook after the change.', 'Webhook'),
  }),
  route('DELETE /webhooks/{id}', 'webhooks_delete', {
    summary: 'Delete a webhook and its waiting deliveries',
    answers: ok('The webhook is deleted.', 'DeletedWebhook'),
    run: async (api, { params: { id } }) => {
      await api.webhooks.delete(id)
      return { id }
    },
  }),
  route('GET /webhooks/{id}/deliveries', 'webhooks_deliveries', {
    summary: 'List the deliveries of the last 30 days',
    querySchema: requests.webhookDeliveriesRequest,
    answers: ok('A page of deliveries, the newest first.', 'WebhookDeliveries'),
  }),
  route('POST /webhooks/{id}/replay', 'webhooks_replay', {
    summary: 'Send deliveries again: of up to 100 messages, or all dead ones',
    bodySchema: requests.webhookReplayRequest,
    example: { state: 'dead' },
    answers: ok('How many are sent again.', 'ReplayedDeliveries'),
  }),
  route('POST /webhooks/{id}/rotate-secret', 'webhooks_rotateSecret', {
    summary: 'Give a webhook a new secret. The old one keeps signing for a while',
    bodySchema: requests.secretRotation,
    example: { overlapHours: 24 },
    answers: ok('The webhook, with its new secret, which is shown only this once.', 'CreatedWebhook'),
  }),
]
