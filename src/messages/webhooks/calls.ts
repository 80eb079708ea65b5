import { MESSAGE_TYPES, visibleTenant } from '../../answers/message-draft.ts'
import { toInstantText } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { parse } from '../../runtime/input.ts'
import { publicCall } from '../../runtime/tracing.ts'
import type {
  CreatedWebhook,
  ReplayedDeliveries,
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
} from '../../shapes/keys.ts'
import type { MessageType } from '../../shapes/messages.ts'
import { countDeliveries, type Delivery, loadDeliveries, requeueDeliveries } from '../../sql/deliveries.ts'
import { quote, suggest } from '../../suggest.ts'
import type {
  SecretRotation,
  WebhookDeliveriesRequest,
  WebhookReplayRequest,
  WebhookRequest,
  WebhookUpdate,
} from '../requests.ts'
import {
  secretRotation,
  webhookDeliveriesRequest,
  webhookId,
  webhookReplayRequest,
  webhookRequest,
  webhookUpdate,
} from '../requests.ts'
import { assignAllPositions, deliveryPages } from '../stored-subscription.ts'
import { urlProblem } from './addresses.ts'
import { readLastAttempt } from './deliver.ts'
import { changeWebhooks, listWebhooks, type RegistryChange, type WebhooksContext } from './registry.ts'
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
  /** Returns one webhook. Rejects with `unknown_webhook`, as all methods below do. */
  get(id: string): Promise<Webhook>
  /** Changes a webhook, also to stop it or to restart it. */
  update(id: string, change: WebhookUpdate<MessageType>): Promise<Webhook>
  /** Deletes a webhook with its deliveries. */
  delete(id: string): Promise<void>
  /** Lists waiting, delivered and dead deliveries. They are kept for 30 days. */
  deliveries(id: string, request?: WebhookDeliveriesRequest): Promise<WebhookDeliveries>
  /** Sends dead or delivered messages again, with ten new attempts. Waiting deliveries stay unchanged. */
  replay(id: string, request?: WebhookReplayRequest): Promise<ReplayedDeliveries>
  /**
   * Creates a new secret. Only this response contains it. The old secret signs too for a while, so that the receiver can
   * change over without losing messages.
   */
  rotateSecret(id: string, rotation?: SecretRotation): Promise<CreatedWebhook>
}

const MOST_WEBHOOKS = 100
const HOUR_MS = 3_600_000

export function createWebhooksApi(context: WebhooksContext): WebhooksApi {
  const { storage, secretBox } = context
  const reads = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    publicCall(`webhooks.${name}`, 'internal', work)
  const writes = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    publicCall(`webhooks.${name}`, 'outcome_unknown', work)

  return {
    hasKey: secretBox !== null,
    create: (request) => writes('create', () => createWebhook(context, request)),
    list: () =>
      reads('list', async () => Promise.all((await listWebhooks(storage)).map((each) => show(context, each)))),
    get: (id) => reads('get', async () => show(context, await find(context, id))),
    update: (id, changes) => writes('update', () => updateWebhook(context, id, changes)),
    delete: (id) => writes('delete', () => deleteWebhook(context, id)),
    deliveries: (id, request) => reads('deliveries', () => listDeliveries(context, id, request)),
    replay: (id, request) => writes('replay', () => replayDeliveries(context, id, request)),
    rotateSecret: (id, rotation) => writes('rotateSecret', () => rotateSecret(context, id, rotation)),
  }
}

async function show({ storage }: WebhooksContext, stored: StoredWebhook): Promise<Webhook> {
  return toWebhook(stored, await countDeliveries(storage, webhookReceiver(stored.id)))
}

async function find({ storage }: WebhooksContext, given: unknown): Promise<StoredWebhook> {
  const id = parse(webhookId, given, 'webhook id').toLowerCase()
  return (await listWebhooks(storage)).find((webhook) => webhook.id === id) ?? unknown(id)
}

async function change(
  context: WebhooksContext,
  given: unknown,
  make: (webhook: StoredWebhook) => RegistryChange,
): Promise<StoredWebhook> {
  const { id } = await find(context, given)
  const made = (webhooks: readonly StoredWebhook[]) => make(webhooks.find((each) => each.id === id) ?? unknown(id))
  return (await changeWebhooks(context, made)) ?? unknown(id)
}

async function createWebhook(context: WebhooksContext, given: unknown): Promise<CreatedWebhook> {
  const request = parse(webhookRequest, given, 'webhook')
  const { types, name = null, order = 'user', serviceSignature = false, allowInternal = false, secret } = request
  const secretBox = requireSecretBox(context)
  const url = checkUrl(request.url, context.allowInternal || allowInternal)
  checkTypes(types)
  const signing = checkSecret(secret)
  const at = context.now()
  const id = context.newId(at)
  const put: StoredWebhook = {
    ...{ id, version: 0, url, name, types: toSorted(types), order, serviceSignature, allowInternal, disabled: null },
    createdAt: at,
    from: await assignAllPositions(context.storage),
    secrets: [{ sealed: secretBox.seal(signing, id), until: null }],
  }
  await changeWebhooks(context, (webhooks) => {
    if (webhooks.length >= MOST_WEBHOOKS) throw tooMany()
    return { put }
  })
  return { ...(await show(context, put)), secret: signing }
}

async function updateWebhook(context: WebhooksContext, given: unknown, changes: unknown): Promise<Webhook> {
  const { url, types, status, ...rest } = parse(webhookUpdate, changes, 'change')
  if (types !== undefined) checkTypes(types)
  const from = status === 'active' ? await assignAllPositions(context.storage) : null
  const changed = await change(context, given, (webhook) => {
    const target = url ?? webhook.url
    const allowInternal = rest.allowInternal ?? (webhook.allowInternal && isSameOrigin(webhook.url, target))
    const isChecked = url !== undefined || rest.allowInternal !== undefined
    const put: StoredWebhook = {
      ...webhook,
      url: isChecked ? checkUrl(target, context.allowInternal || allowInternal) : target,
      name: rest.name === undefined ? webhook.name : rest.name,
      types: types === undefined ? webhook.types : toSorted(types),
      order: rest.order ?? webhook.order,
      serviceSignature: rest.serviceSignature ?? webhook.serviceSignature,
      allowInternal,
      disabled: disabledAfter(webhook, status, context.now()),
      from: webhook.disabled !== null && from !== null ? from : webhook.from,
    }
    return { put }
  })
  return show(context, changed)
}

async function deleteWebhook(context: WebhooksContext, given: unknown): Promise<void> {
  await change(context, given, (webhook) => ({ remove: webhook }))
}

async function listDeliveries(
  context: WebhooksContext,
  given: unknown,
  request: unknown = {},
): Promise<WebhookDeliveries> {
  const { limit, before, state } = parse(webhookDeliveriesRequest, request, 'request')
  const { id } = await find(context, given)
  // One more says whether there are more.
  const options = {
    receiver: webhookReceiver(id),
    limit: limit + 1,
    ...(before && { before }),
    ...(state && { state }),
  }
  const found = await loadDeliveries(context.storage, options)
  const page = found.slice(0, limit)
  return {
    deliveries: page.map((delivery) => toWebhookDelivery(delivery, context.multiTenant)),
    before: found.length > limit ? (page.at(-1)?.position ?? null) : null,
  }
}

async function replayDeliveries(
  context: WebhooksContext,
  given: unknown,
  request: unknown = {},
): Promise<ReplayedDeliveries> {
  const { ids, state } = parse(webhookReplayRequest, request, 'request')
  const { id, disabled } = await find(context, given)
  if (disabled !== null)
    throw new GamificationError('webhook_disabled', `The webhook ${id} is disabled: make it active first.`)
  const states: readonly Delivery['state'][] = ids === undefined ? [state ?? 'dead'] : ['done', 'dead']
  return { replayed: await sendAgain(context, webhookReceiver(id), states, ids) }
}

async function rotateSecret(context: WebhooksContext, given: unknown, rotation: unknown = {}): Promise<CreatedWebhook> {
  const { secret, overlapHours } = parse(secretRotation, rotation, 'rotation')
  const secretBox = requireSecretBox(context)
  const signing = checkSecret(secret)
  const changed = await change(context, given, (webhook) => {
    const now = context.now()
    const sealed = secretBox.seal(signing, webhook.id)
    const secrets = rotated(webhook.secrets, sealed, { now, until: now + overlapHours * HOUR_MS })
    return { put: { ...webhook, secrets } }
  })
  return { ...(await show(context, changed)), secret: signing }
}

function toSorted(types: readonly string[]): readonly string[] {
  return [...new Set(types)].sort()
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

/** Returns the given secret, or a new one. The error never repeats a secret, not even an invalid one. */
function checkSecret(secret: string = newSecret()): string {
  return readSecret(secret) === null ? refuse('secret', SECRET_RULE) : secret
}

function checkTypes(types: readonly string[]): void {
  const known: readonly string[] = MESSAGE_TYPES
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

/** Replays the deliveries of a receiver that have one of the states, of the given messages or of all. Returns how many. */
async function sendAgain(
  { storage, now }: WebhooksContext,
  receiver: string,
  states: readonly Delivery['state'][],
  ids: readonly string[] | undefined,
): Promise<number> {
  let replayed = 0
  for await (const page of deliveryPages(storage, receiver, ids)) {
    const again = page.filter(({ state }) => states.includes(state)).map(({ position }) => position)
    if (again.length > 0) replayed += await requeueDeliveries(storage, receiver, again, now())
  }
  return replayed
}

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
