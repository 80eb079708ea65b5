import { parse } from '../../api/input.ts'
import type {
  CreatedWebhook,
  ReplayedDeliveries,
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
} from '../../api/keys/types.ts'
import { toInstantText } from '../../api/users/answer.ts'
import type {
  SecretRotation,
  WebhookDeliveriesRequest,
  WebhookReplayRequest,
  WebhookRequest,
  WebhookUpdate,
} from '../../api/webhooks/requests.ts'
import {
  secretRotation,
  webhookDeliveriesRequest,
  webhookId,
  webhookReplayRequest,
  webhookRequest,
  webhookUpdate,
} from '../../api/webhooks/requests.ts'
import { GamificationError } from '../../errors.ts'
import { quote, suggest } from '../../game/suggest.ts'
import { wrapErrors } from '../../runtime/damage.ts'
import { tracedCall } from '../../runtime/tracing.ts'
import type { Delivery } from '../../storage/outbox.ts'
import type { Storage } from '../../storage/storage.ts'
import { visibleTenant } from '../drafts/draft.ts'
import type { MessageType } from '../types.ts'
import { urlProblem } from './addresses.ts'
import { readLastAttempt } from './deliver.ts'
import type { Registry, RegistryChange, WebhooksContext } from './registry.ts'
import { newSecret, readSecret, SECRET_RULE } from './signed-request.ts'
import { rotated, type SecretBox, type StoredWebhook, webhookReceiver } from './stored-webhook.ts'

/**
 * Sends messages over HTTP, signed according to Standard Webhooks, while `work` runs in any process. A webhook receives
 * the messages of all tenants.
 */
export interface WebhooksApi {
  /** True if `createGamification` was given `webhooks.secretKey`, so that webhooks can be created. */
  readonly hasKey: boolean
  /**
   * Creates a webhook for messages from now on. Only this response contains the secret. Rejects with
   * `webhooks_disabled` if `createGamification` got no `webhooks.secretKey`, and with `too_many_webhooks` if there are 100.
   */
  create(request: WebhookRequest<MessageType>): Promise<CreatedWebhook>
  /** The oldest first. */
  list(): Promise<readonly Webhook[]>
  /** Rejects with `unknown_webhook` if there is none with this id, like all methods below. */
  get(id: string): Promise<Webhook>
  update(id: string, change: WebhookUpdate<MessageType>): Promise<Webhook>
  /** Removes its deliveries too. */
  delete(id: string): Promise<void>
  /** Waiting, delivered and dead deliveries. They are kept for 30 days. */
  deliveries(id: string, request?: WebhookDeliveriesRequest): Promise<WebhookDeliveries>
  /** Sends dead or delivered messages again, with ten new attempts. Waiting deliveries stay as they are. */
  replay(id: string, request?: WebhookReplayRequest): Promise<ReplayedDeliveries>
  /**
   * Creates a new secret. Only this response contains it. The old secret signs too for a while, so that the receiver can
   * change over without losing messages.
   */
  rotateSecret(id: string, rotation?: SecretRotation): Promise<CreatedWebhook>
}

const MOST_WEBHOOKS = 100
const HOUR_MS = 3_600_000

export function createWebhooksApi(context: WebhooksContext, registry: Registry): WebhooksApi {
  const { storage, now } = context

  const toResponse = async (stored: StoredWebhook): Promise<Webhook> =>
    toWebhook(stored, await storage.countDeliveries(webhookReceiver(stored.id)))

  async function find(given: unknown): Promise<StoredWebhook> {
    const id = parse(webhookId, given, 'webhook id').toLowerCase()
    return (await registry.list()).find((webhook) => webhook.id === id) ?? unknown(id)
  }

  /** Changes an existing webhook. */
  async function change(
    given: unknown,
    make: (webhook: StoredWebhook) => RegistryChange<StoredWebhook>,
  ): Promise<StoredWebhook> {
    const { id } = await find(given)
    const changed = await registry.change((webhooks) => make(webhooks.find((each) => each.id === id) ?? unknown(id)))
    await context.wantTypes()
    return changed ?? unknown(id)
  }

  async function create(given: unknown): Promise<CreatedWebhook> {
    const request = parse(webhookRequest, given, 'webhook')
    const { types, name, order, serviceSignature, allowInternal, secret } = request
    const secretBox = requireSecretBox(context)
    const url = checkUrl(request.url, context.allowInternal || allowInternal === true)
    checkTypes(types, context.knownTypes)
    checkSecret(secret)
    const signing = secret ?? newSecret()
    const at = now()
    const id = context.newId(at)
    const webhook: StoredWebhook = {
      id,
      version: 0,
      url,
      name: name ?? null,
      types: [...new Set(types)].sort(),
      order: order ?? 'user',
      serviceSignature: serviceSignature ?? false,
      allowInternal: allowInternal ?? false,
      disabled: null,
      createdAt: at,
      from: await registry.head(),
      secrets: [{ sealed: secretBox.seal(signing, id), until: null }],
    }
    const stored = await registry.change((webhooks) => {
      if (webhooks.length >= MOST_WEBHOOKS) throw tooMany()
      return { put: webhook, result: webhook }
    })
    await context.wantTypes()
    return { ...(await toResponse(stored ?? webhook)), secret: signing }
  }

  async function update(given: unknown, changes: unknown): Promise<Webhook> {
    const { url, types, name, order, serviceSignature, allowInternal, status } = parse(webhookUpdate, changes, 'change')
    if (types !== undefined) checkTypes(types, context.knownTypes)
    const from = status === 'active' ? await registry.head() : null
    const changed = await change(given, (webhook) => {
      const isAllowed = allowInternal ?? (webhook.allowInternal && isSameOrigin(webhook.url, url ?? webhook.url))
      const isChecked = url !== undefined || allowInternal !== undefined
      const target = url ?? webhook.url
      const put: StoredWebhook = {
        ...webhook,
        url: isChecked ? checkUrl(target, context.allowInternal || isAllowed) : target,
        name: name === undefined ? webhook.name : name,
        types: types === undefined ? webhook.types : [...new Set(types)].sort(),
        order: order ?? webhook.order,
        serviceSignature: serviceSignature ?? webhook.serviceSignature,
        allowInternal: isAllowed,
        disabled: disabledAfter(webhook, status, now()),
        from: webhook.disabled !== null && from !== null ? from : webhook.from,
      }
      return { put, result: put }
    })
    return toResponse(changed)
  }

  async function remove(given: unknown): Promise<void> {
    await change(given, (webhook) => ({ remove: webhook, result: webhook }))
  }

  async function deliveries(given: unknown, request: unknown = {}): Promise<WebhookDeliveries> {
    const { limit, before, state } = parse(webhookDeliveriesRequest, request, 'request')
    const { id } = await find(given)
    // One more says whether there are more.
    const options = { receiver: webhookReceiver(id), limit: limit + 1 }
    const found = await storage.deliveries({
      ...options,
      ...(before === undefined ? {} : { before }),
      ...(state === undefined ? {} : { state }),
    })
    const page = found.slice(0, limit)
    return {
      deliveries: page.map((delivery) => toWebhookDelivery(delivery, context.multiTenant)),
      before: found.length > limit ? (page.at(-1)?.position ?? null) : null,
    }
  }

  async function replayDeliveries(given: unknown, request: unknown = {}): Promise<ReplayedDeliveries> {
    const { ids, state } = parse(webhookReplayRequest, request, 'request')
    const { id, disabled } = await find(given)
    if (disabled !== null)
      throw new GamificationError('webhook_disabled', `The webhook ${id} is disabled: make it active first.`)
    const which = ids === undefined ? { states: [state ?? 'dead'] } : { ids, states: ['done', 'dead'] as const }
    return { replayed: await sendAgain(storage, webhookReceiver(id), { ...which, now: now() }) }
  }

  async function rotateSecret(given: unknown, rotation: unknown = {}): Promise<CreatedWebhook> {
    const { secret, overlapHours } = parse(secretRotation, rotation, 'rotation')
    const secretBox = requireSecretBox(context)
    checkSecret(secret)
    const signing = secret ?? newSecret()
    const changed = await change(given, (webhook) => {
      const at = now()
      const until = at + overlapHours * HOUR_MS
      const put = {
        ...webhook,
        secrets: rotated(webhook.secrets, secretBox.seal(signing, webhook.id), { now: at, until }),
      }
      return { put, result: put }
    })
    return { ...(await toResponse(changed)), secret: signing }
  }

  const reads = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    tracedCall(`webhooks.${name}`, () => wrapErrors('internal', work))
  const writes = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    tracedCall(`webhooks.${name}`, () => wrapErrors('outcome_unknown', work))

  return {
    hasKey: context.secretBox !== null,
    create: (request) => writes('create', () => create(request)),
    list: () => reads('list', async () => Promise.all((await registry.list()).map(toResponse))),
    get: (id) => reads('get', async () => toResponse(await find(id))),
    update: (id, changes) => writes('update', () => update(id, changes)),
    delete: (id) => writes('delete', () => remove(id)),
    deliveries: (id, request) => reads('deliveries', () => deliveries(id, request)),
    replay: (id, request) => writes('replay', () => replayDeliveries(id, request)),
    rotateSecret: (id, rotation) => writes('rotateSecret', () => rotateSecret(id, rotation)),
  }
}

function refuse(path: string, message: string): never {
  throw new GamificationError('invalid_request', `Invalid webhook: ${path}: ${message}`, {
    issues: [{ path, message }],
  })
}

/** Returns the URL as requests use it. */
function checkUrl(url: string, allowInternal: boolean): string {
  const problem = urlProblem(url, allowInternal)
  if (problem !== null) refuse('url', problem)
  return new URL(url).href
}

function checkSecret(secret: string | undefined): void {
  // The error never repeats a secret, not even an invalid one.
  if (secret !== undefined && readSecret(secret) === null) refuse('secret', SECRET_RULE)
}

function checkTypes(types: readonly string[], known: readonly string[]): void {
  for (const [index, type] of types.entries()) {
    if (known.includes(type)) continue
    const near = suggest(type, known)
    const help = near === null ? `there are ${known.join(', ')}` : `did you mean ${quote(near)}?`
    refuse(`types[${index}]`, `there is no message of the type ${quote(type)}; ${help}`)
  }
}

function disabledAfter(
  { disabled }: StoredWebhook,
  status: 'active' | 'disabled' | undefined,
  now: number,
): StoredWebhook['disabled'] {
  if (status === undefined) return disabled
  return status === 'active' ? null : (disabled ?? { at: now, because: 'update' })
}

function isSameOrigin(left: string, right: string): boolean {
  return URL.parse(left)?.origin === URL.parse(right)?.origin
}

function requireSecretBox({ secretBox }: WebhooksContext): SecretBox {
  if (secretBox !== null) return secretBox
  const message =
    'Webhooks need a key that their secrets are stored with: give createGamification the option webhooks, as { secretKey: process.env.LAURELS_WEBHOOK_KEY }, 32 characters or more.'
  throw new GamificationError('webhooks_disabled', message)
}

function tooMany(): GamificationError {
  const message = `There are ${MOST_WEBHOOKS} webhooks, the most there may be: delete one of them, or give one more types.`
  return new GamificationError('too_many_webhooks', message)
}

function unknown(id: string): never {
  throw new GamificationError('unknown_webhook', `There is no webhook with the id ${quote(id)}.`)
}

const PAGE = 200

interface Replay {
  /** Default: all messages. */
  readonly ids?: readonly string[]
  readonly states: readonly Delivery['state'][]
  readonly now: number
}

/** Replays the deliveries of a receiver that have one of the states. Returns how many. */
async function sendAgain(storage: Storage, receiver: string, { ids, states, now }: Replay): Promise<number> {
  const wanted = ids === undefined ? null : new Set(ids)
  let before = Number.MAX_SAFE_INTEGER
  let replayed = 0
  for (;;) {
    const page = await storage.deliveries({ receiver, limit: PAGE, before })
    const again = page
      .filter(({ state, messageId }) => states.includes(state) && (wanted === null || wanted.has(messageId)))
      .map(({ position }) => position)
    if (again.length > 0) replayed += await storage.replayDeliveries(receiver, again, now)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || replayed === wanted?.size) return replayed
    before = last.position
  }
}

/** Contains nothing about its secrets. */
function toWebhook(stored: StoredWebhook, deliveries: Webhook['deliveries']): Webhook {
  const { id, name, url, types, order, serviceSignature, allowInternal, disabled, createdAt } = stored
  return {
    id,
    name,
    url,
    types,
    order,
    serviceSignature,
    allowInternal,
    status: disabled === null ? 'active' : 'disabled',
    disabled: disabled === null ? null : { at: toInstantText(disabled.at), because: disabled.because },
    created: toInstantText(createdAt),
    deliveries,
  }
}

function toWebhookDelivery(delivery: Delivery, multiTenant: boolean): WebhookDelivery {
  const { messageId: id, type, at, tenant, user, state, attempts, nextAt } = delivery
  return {
    id,
    type,
    at: toInstantText(at),
    tenant: visibleTenant(tenant, multiTenant),
    userId: user,
    state,
    attempts,
    nextAttemptAt: state !== 'waiting' || nextAt === null ? null : toInstantText(nextAt),
    lastAttempt: readLastAttempt(delivery),
  }
}
