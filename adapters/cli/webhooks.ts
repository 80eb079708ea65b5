import { GamificationError } from '../../src/errors.ts'
import type { Webhook, WebhookDelivery, WebhooksApi } from '../../src/index.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { WEBHOOK_KEY, WEBHOOK_KEY_HELP, webhookOptions } from './database.ts'
import { choice, DATABASE, flagOption, listOption, textOption, whole } from './options.ts'
import { defined, KEEP_IT, plural, toMore, toTable } from './terminal.ts'

const WEBHOOK_OPTIONS = {
  ...DATABASE,
  url: textOption('<url>', 'create, update: the address of the receiver'),
  types: listOption('<list>', 'create, update: types of messages, separated by commas'),
  name: textOption('<text>', 'create, update: a name for people'),
  order: choice(
    ['user', 'none'],
    '<order>',
    'create, update: user (default: the messages of each user in order), or none',
  ),
  secret: textOption('<text>', 'create, rotate: the secret (default: a random one)'),
  'service-signature': flagOption('create, update: also sign as the hosted service does'),
  'no-service-signature': flagOption('update: do not sign as the hosted service does'),
  'allow-internal': flagOption('create, update: allow addresses of this machine and its network'),
  'no-allow-internal': flagOption('update: refuse addresses of this machine and its network'),
  status: choice(['active', 'disabled'], '<status>', 'update: active or disabled'),
  limit: whole('<number>', 'deliveries: how many, up to 100 (default: 50)', 50),
  before: whole('<number>', 'deliveries: the next page, from the answer before it', undefined),
  state: choice(['waiting', 'done', 'dead'], '<state>', 'deliveries: waiting, done or dead; replay: done or dead'),
  ids: listOption('<list>', 'replay: ids of messages, separated by commas'),
  overlap: whole('<hours>', 'rotate: how long the old secret signs too (default: 24)', undefined),
  yes: flagOption('delete: do not ask'),
}

type WebhookCall = CommandCall<typeof WEBHOOK_OPTIONS>

type WebhookRun = (api: WebhooksApi, call: WebhookCall) => Promise<Answer>

const onWebhooks =
  (run: WebhookRun) =>
  (call: WebhookCall): Promise<Answer> =>
    call.open(({ gamification }) => run(gamification.webhooks, call))

/** For what stores a secret. The message of the library is for the author of a backend; this one names the variable. */
const withKey =
  (run: WebhookRun) =>
  (call: WebhookCall): Promise<Answer> => {
    const webhooks = webhookOptions(call.environment)
    if (webhooks.secretKey !== undefined)
      return call.open(({ gamification }) => run(gamification.webhooks, call), { webhooks })
    const message = `set the variable ${WEBHOOK_KEY} to the key that your backend gives createGamification as webhooks.secretKey`
    throw new GamificationError('webhooks_disabled', message)
  }

export const webhooks: CliCommand = defineCommand({
  name: 'webhooks',
  summary: 'create, list, change and replay webhooks',
  about: 'Webhooks receive messages over HTTP, in every tenant; laurels work sends to them.',
  members: {
    list: {
      summary: 'print the webhooks',
      run: onWebhooks(async (api) => {
        const value = await api.list()
        return { value, text: toWebhookTable(value) }
      }),
    },
    create: {
      summary: 'create a webhook, and print its secret',
      needs: {
        url: 'give the URL that messages are sent to',
        types: 'give types of messages, as achievement.completed,streak.lost',
      },
      run: withKey(createWebhook),
    },
    update: {
      takes: '<id>',
      summary: 'change the options that are given',
      run: onWebhooks(async (api, call) => {
        const updated = await api.update(call.argument, readWebhook(call) as Parameters<WebhooksApi['update']>[1])
        return { text: toWebhookTable([updated]), value: updated }
      }),
    },
    delete: {
      takes: '<id>',
      summary: 'delete the webhook for good, with its waiting deliveries',
      final: 'deletes the webhook',
      run: onWebhooks(async (api, { argument: id }) => {
        await api.delete(id)
        return { text: `deleted ${id}\n`, value: { id, deleted: true } }
      }),
    },
    deliveries: {
      takes: '<id>',
      summary: 'print its deliveries, waiting ones and past ones',
      run: onWebhooks(async (api, { argument, values }) => {
        const { limit, before, state } = values
        const page = await api.deliveries(argument, { limit, ...defined({ before, state }) })
        const header = ['at', 'type', 'user', 'state', 'attempts', 'last', 'id']
        const rows = page.deliveries.map(toDeliveryRow)
        return { text: toTable(header, rows, 'no deliveries here\n') + toMore('before', page.before), value: page }
      }),
    },
    replay: {
      takes: '<id>',
      summary: 'send dead deliveries again',
      run: onWebhooks(async (api, { argument, values: { ids, state } }) => {
        // The library says that waiting deliveries are sent anyway.
        const value = await api.replay(argument, defined({ ids, state: state as 'done' | 'dead' | undefined }))
        return { text: `${plural(value.replayed, 'delivery', 'deliveries')} will be sent again\n`, value }
      }),
    },
    rotate: {
      takes: '<id>',
      summary: 'create a new secret, and print it; for a while, both secrets sign',
      run: withKey(async (api, { argument, values: { secret, overlap } }) => {
        const rotated = await api.rotateSecret(argument, defined({ secret, overlapHours: overlap }))
        const note = `Another secret signs for the webhook ${argument}; the old one does so beside it for ${overlap ?? 24} h. ${KEEP_IT}`
        return { text: `${rotated.secret}\n`, value: rotated, note }
      }),
    },
  },
  options: WEBHOOK_OPTIONS,
  notes: `${WEBHOOK_KEY_HELP} Only create and rotate print a secret, on standard output. It is never shown again.`,
})

function toWebhookTable(webhooks: readonly Webhook[]): string {
  const rows = webhooks.map(({ id, name, url, status, disabled, types, order, deliveries }) => {
    const { waiting, done, dead } = deliveries
    const state = disabled?.because === 'gone' ? 'disabled, it answered 410' : status
    return [id, state, waiting, done, dead, order, name ?? '', url, types.join(', ')]
  })
  return toTable(['id', 'status', 'waiting', 'done', 'dead', 'order', 'name', 'url', 'types'], rows, 'no webhooks\n')
}

function readWebhook({ values }: WebhookCall) {
  const { url, types, name, secret, order, status } = values
  const readSwitch = (name: 'service-signature' | 'allow-internal') =>
    values[`no-${name}`] ? false : values[name] || undefined
  const serviceSignature = readSwitch('service-signature')
  const allowInternal = readSwitch('allow-internal')
  const fields = { url, types, name: name === '' ? null : name, secret, order, status, serviceSignature, allowInternal }
  return defined(fields)
}

async function createWebhook(api: WebhooksApi, call: WebhookCall): Promise<Answer> {
  const created = await api.create(readWebhook(call) as Parameters<WebhooksApi['create']>[0])
  const note = `Made the webhook ${created.id}; this signs for it. ${KEEP_IT}`
  return { text: `${created.secret}\n`, value: created, note }
}

function toDeliveryRow({ at, type, userId, state, attempts, lastAttempt, id }: WebhookDelivery): readonly string[] {
  const last =
    lastAttempt === null ? '' : [lastAttempt.status, lastAttempt.error].filter((part) => part !== null).join(' ')
  return [at, type, userId ?? '', state, String(attempts), last, id]
}
