import { parse } from '../../api/input.ts'
import type { CreatedWebhook, ReplayedDeliveries, Webhook, WebhookDeliveries } from '../../api/keys/types.ts'
import type {
  SecretRotation,
  WebhookDeliveriesRequest,
  WebhookReplayRequest,
  WebhookRequest,
  WebhookUpdate,
} from '../../api/webhooks/request-types.ts'
import {
  secretRotation,
  webhookDeliveriesRequest,
  webhookId,
  webhookReplayRequest,
  webhookRequest,
  webhookUpdate,
} from '../../api/webhooks/requests.ts'
import { GamificationError } from '../../errors.ts'
import { quote } from '../../game/suggest.ts'
import { wrapErrors } from '../../runtime/damage.ts'
import { tracedCall } from '../../runtime/tracing.ts'
import type { Delivery } from '../../storage/outbox.ts'
import type { Storage } from '../../storage/storage.ts'
import type { MessageType } from '../types.ts'
import type { WebhooksContext } from './context.ts'
import type { Registry, RegistryChange } from './registry.ts'
import { checkSecret, checkTypes, checkUrl, toWebhook, toWebhookDelivery } from './send.ts'
import { newSecret } from './signed-request.ts'
import { receiverOf, rotated, type SecretBox, type StoredWebhook } from './stored-webhook.ts'

/**
 * Messages to receivers over HTTP, signed as Standard Webhooks says. They are sent while `work` runs, in this process
 * or in another. Webhooks are of the whole game: of all tenants, where it has any.
 */
export interface WebhooksApi {
  /** Whether `createGamification` was given `webhooks.secretKey`, so that webhooks can be created. */
  readonly hasKey: boolean
  /**
   * Begins with what happens from now on. The secret is answered this once. Rejects with `webhooks_disabled` where
   * `createGamification` was given no `webhooks.secretKey`, and with `too_many_webhooks` where there are 100.
   */
  create(request: WebhookRequest<MessageType>): Promise<CreatedWebhook>
  /** The oldest first. */
  list(): Promise<readonly Webhook[]>
  /** Rejects with `unknown_webhook`, as all of these do. */
  get(id: string): Promise<Webhook>
  update(id: string, change: WebhookUpdate<MessageType>): Promise<Webhook>
  /** With everything that was on its way to it. */
  delete(id: string): Promise<void>
  /** What waits, was delivered, or was given up; kept for 30 days. */
  deliveries(id: string, request?: WebhookDeliveriesRequest): Promise<WebhookDeliveries>
  /** Sends again what is dead, or was delivered, with all its tries. What waits already is left alone. */
  replay(id: string, request?: WebhookReplayRequest): Promise<ReplayedDeliveries>
  /**
   * Gives it another secret, answered this once; the old one signs beside it for a while, so that no receiver misses
   * anything.
   */
  rotateSecret(id: string, rotation?: SecretRotation): Promise<CreatedWebhook>
}

const MOST_WEBHOOKS = 100
const HOUR_MS = 3_600_000

export function createCalls(context: WebhooksContext, registry: Registry): WebhooksApi {
  const { storage, now } = context

  const told = async (stored: StoredWebhook): Promise<Webhook> =>
    toWebhook(stored, await storage.countDeliveries(receiverOf(stored.id)))

  async function find(given: unknown): Promise<StoredWebhook> {
    const id = parse(webhookId, given, 'webhook id').toLowerCase()
    return (await registry.list()).find((webhook) => webhook.id === id) ?? unknown(id)
  }

  /** Changes a webhook that is there. */
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
    return { ...(await told(stored ?? webhook)), secret: signing }
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
    return told(changed)
  }

  async function remove(given: unknown): Promise<void> {
    await change(given, (webhook) => ({ remove: webhook, result: webhook }))
  }

  async function deliveries(given: unknown, request: unknown = {}): Promise<WebhookDeliveries> {
    const { limit, before, state } = parse(webhookDeliveriesRequest, request, 'request')
    const { id } = await find(given)
    // One more says whether there are more.
    const options = { receiver: receiverOf(id), limit: limit + 1 }
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
    return { replayed: await sendAgain(storage, receiverOf(id), { ...which, now: now() }) }
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
    return { ...(await told(changed)), secret: signing }
  }

  const reads = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    tracedCall(`webhooks.${name}`, () => wrapErrors('internal', work))
  const writes = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    tracedCall(`webhooks.${name}`, () => wrapErrors('outcome_unknown', work))

  return {
    hasKey: context.secretBox !== null,
    create: (request) => writes('create', () => create(request)),
    list: () => reads('list', async () => Promise.all((await registry.list()).map(told))),
    get: (id) => reads('get', async () => told(await find(id))),
    update: (id, changes) => writes('update', () => update(id, changes)),
    delete: (id) => writes('delete', () => remove(id)),
    deliveries: (id, request) => reads('deliveries', () => deliveries(id, request)),
    replay: (id, request) => writes('replay', () => replayDeliveries(id, request)),
    rotateSecret: (id, rotation) => writes('rotateSecret', () => rotateSecret(id, rotation)),
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
