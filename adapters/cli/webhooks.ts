import { GamificationError } from '../../src/errors.ts'
import type { SubscriptionStatus, SubscriptionsApi, Webhook, WebhookDelivery, WebhooksApi } from '../../src/index.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { WEBHOOK_KEY, WEBHOOK_KEY_HELP, webhookOptions } from './database.ts'
import { choice, DATABASE, flagOption, listOption, textOption, whole } from './options.ts'
import { type Cell, defined, EXIT, type ExitCode, KEEP_IT, plural, toMore, toTable, wrongCall } from './terminal.ts'

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

const SUBSCRIPTION_OPTIONS = {
  ...DATABASE,
  ids: listOption('<list>', 'retry: ids of messages, separated by commas (default: all)'),
  limit: whole('<number>', 'dead: how many (default: 50)', 50),
  before: whole('<number>', 'dead: the next page, from the answer before it', undefined),
}

const onSubscriptions =
  (run: (api: SubscriptionsApi, call: CommandCall<typeof SUBSCRIPTION_OPTIONS>) => Promise<Answer>) =>
  (call: CommandCall<typeof SUBSCRIPTION_OPTIONS>): Promise<Answer> =>
    call.open(({ gamification }) => run(gamification.subscriptions, call))

export const subscriptions: CliCommand = defineCommand({
  name: 'subscriptions',
  summary: 'list subscriptions and their dead letters',
  about: 'Handlers of your backend that take messages, each under a name.',
  members: {
    list: {
      summary: 'print the subscriptions and their progress',
      run: onSubscriptions(async (api) => {
        const value = await api.list()
        const header = ['name', 'status', 'behind', 'put aside', 'types', 'failed']
        return { value, text: toTable(header, value.map(toSubscriptionRow), 'no subscriptions\n') }
      }),
    },
    dead: {
      takes: '<name>',
      summary: 'print the messages that failed for good, newest first',
      run: onSubscriptions(async (api, { argument, values }) => {
        const { limit, before } = values
        const value = await api.deadLetters(argument, { limit, ...defined({ before }) })
        const rows = value.deadLetters.map(({ message, attempts, lastError, isRetried }) => {
          const { at, type, userId, id } = message
          return [at, type, userId ?? '', String(attempts), isRetried ? 'waits' : '', lastError ?? '', id]
        })
        const table = toTable(['at', 'type', 'user', 'attempts', '', 'error', 'id'], rows, 'nothing was put aside\n')
        return { value, text: table + toMore('before', value.next) }
      }),
    },
    retry: {
      takes: '<name>',
      summary: 'deliver messages that failed for good again',
      run: onSubscriptions(async (api, { argument, values: { ids } }) => {
        const value = await api.retry(argument, defined({ ids }))
        return { value, text: `${plural(value.retried, 'message')} will be handed over again\n` }
      }),
    },
  },
  options: SUBSCRIPTION_OPTIONS,
})

function toSubscriptionRow(status: SubscriptionStatus): readonly Cell[] {
  const { name, types, behind, deadLetters, attempts, nextAttemptAt, lastError, isActive } = status
  const failure = lastError === null ? '' : `${plural(attempts, 'time')}, next ${nextAttemptAt}: ${lastError}`
  return [name, isActive ? 'active' : 'idle', behind, deadLetters, types.join(', '), failure]
}

export const work: CliCommand = defineCommand({
  name: 'work',
  summary: 'publish due messages and send webhooks',
  about: `Publishes messages that time causes, such as a lost streak, and sends messages to webhooks, until it is interrupted. Any number of processes may do so at once; a backend that calls gamification.work() needs none. Handlers of subscriptions are code of your backend, and run only there.`,
  options: {
    ...DATABASE,
    once: flagOption('do what is due now, print the counts, and end'),
    poll: whole('<ms>', 'milliseconds between two looks for due work (default: 1,000)', undefined, [10, 60_000]),
    'allow-internal': flagOption('allow all webhooks addresses of this machine and its network'),
    json: flagOption('with --once: print the result as JSON'),
  },
  notes: WEBHOOK_KEY_HELP,
  exits: { 0: 'done or interrupted' },
  run: async ({ values, environment, open }) => {
    const { once, poll, json, 'allow-internal': allowInternal } = values
    if (json && !once) throw wrongCall('--json is for --once: leave it out')
    if (once && poll !== undefined) throw wrongCall('--poll is not for --once: leave it out')
    return open(
      async ({ gamification }): Promise<Answer | ExitCode> => {
        if (once) {
          const value = await gamification.workOnce()
          const { published, merged, delivered, failed } = value
          return { value, text: `published ${published}, merged ${merged}, delivered ${delivered}, failed ${failed}\n` }
        }
        const signal = environment.interruption()
        environment.output.err('Working until it is interrupted.\n')
        await gamification.work({ signal, pollMs: poll ?? 1_000 })
        return EXIT.ok
      },
      { webhooks: { ...webhookOptions(environment), allowInternal } },
    )
  },
})
