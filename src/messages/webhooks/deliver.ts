import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { toInstantText } from '../../answers/users.ts'
import type { WebhookAttempt } from '../../shapes/keys.ts'
import { claimDeliveries, type Delivery, loadDueReceivers, saveAttempts } from '../../sql/deliveries.ts'
import type { WorkReport } from '../work.ts'
import { changeWebhooks, listWebhooks, type WebhooksContext } from './registry.ts'
import { toSignedRequest } from './signed-request.ts'
import { openSecrets, type StoredWebhook, webhookReceiver } from './stored-webhook.ts'

/** A delivery that no other process attempts until the claim ends. */
interface Claimed {
  readonly claim: string
  readonly delivery: Delivery
  readonly webhook: StoredWebhook
  readonly secrets: readonly string[]
}

/** Longer than an attempt and storing its result. If the process dies, other processes wait this long. */
const CLAIM_MS = 60_000

type Flight = ReadonlyMap<Promise<void>, string>

const MOST_AT_ONCE = 32
/** The limit per receiver, so that a slow receiver does not use all requests. */
const MOST_OF_ONE = 8

/**
 * Claims due deliveries, as many as the limit permits besides the requests in flight. `logged` holds the problems that
 * were logged.
 */
async function claimDue(context: WebhooksContext, inFlight: Flight, logged: Set<string>): Promise<readonly Claimed[]> {
  const { storage, now, databaseClock } = context
  const at = now()
  const time = databaseClock.leaseNow()
  const busy = [...inFlight.values()]
  const roomOf = (receiver: string): number => MOST_OF_ONE - busy.filter((each) => each === receiver).length
  const known = new Map<string, Pick<Claimed, 'webhook' | 'secrets'>>()
  // Read each time: a webhook may have been disabled.
  for (const webhook of await listWebhooks(storage)) {
    const receiver = webhookReceiver(webhook.id)
    const secrets = roomOf(receiver) > 0 ? secretsOf(context, webhook, at, logged) : null
    if (secrets !== null) known.set(receiver, { webhook, secrets })
  }
  if (known.size === 0 || busy.length >= MOST_AT_ONCE) return []
  const due = new Set(await loadDueReceivers(storage, [...known.keys()], { now: at, leaseNow: time }))
  const claimed: Claimed[] = []
  for (const [receiver, to] of known) {
    const limit = Math.min(roomOf(receiver), MOST_AT_ONCE - busy.length - claimed.length)
    if (!due.has(receiver) || limit <= 0) continue
    const claim = randomUUID()
    const inOrder = to.webhook.order === 'user'
    const options = { claim, until: time + CLAIM_MS, now: at, leaseNow: time, inOrder, limit }
    const deliveries = await claimDeliveries(storage, receiver, options)
    claimed.push(...deliveries.map((delivery) => ({ ...to, claim, delivery })))
  }
  return claimed
}

/** Returns `null` if this process cannot sign for it; another may. */
function secretsOf(
  { secretBox, logger }: WebhooksContext,
  webhook: StoredWebhook,
  at: number,
  logged: Set<string>,
): readonly string[] | null {
  if (webhook.disabled !== null) return []
  const secrets = secretBox === null ? null : openSecrets(webhook, secretBox, at)
  const about = secretBox === null ? '' : webhook.id
  if (secrets === null && !logged.has(about)) {
    logged.add(about)
    const message =
      secretBox === null
        ? 'There are webhooks, and no option webhooks.secretKey: this process delivers to none.'
        : 'The secret of a webhook cannot be opened with the option webhooks.secretKey.'
    logger.error({ webhook: about }, message)
  }
  return secrets
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The first attempt is immediate. These are the pauses before the others. */
const PAUSES_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
/** Jitter spreads the retries of deliveries that failed together. */
const JITTER = 0.1
const LONGEST_WAIT_MS = 24 * HOUR

/** Returns `null` after the last attempt. `retryAfterMs` can only lengthen the pause. `random`: from 0 up to 1. */
export function pauseAfter(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const pause = PAUSES_MS[attempts - 1]
  if (pause === undefined) return null
  const wanted = Math.max(pause, Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS))
  return Math.round(wanted * (1 + JITTER * random))
}

/** Reads the header `Retry-After`, which has seconds or a date. Returns `null` for anything else. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  // An HTTP date names the day of the week. Date.parse accepts much more.
  if (!/^[A-Z][a-z]+, .*GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

export type Judgement = 'delivered' | 'failed' | 'gone'

/** The meaning of a receiver's status. Returns `null` if there was no response. */
export function judgeStatus(status: number | null): Judgement {
  if (status === 410) return 'gone'
  return status !== null && status >= 200 && status <= 299 ? 'delivered' : 'failed'
}

export interface Deliverer {
  /** Sends due deliveries for at most a fifth of a second. Returns the results since the last call. */
  runOnce(): Promise<Pick<WorkReport, 'delivered' | 'failed'>>
  /** Waits until a request has ended. Returns `false` if none is in flight. */
  ended(): Promise<boolean>
  /** Waits for the requests in flight. */
  stop(): Promise<void>
  /**
   * Starts no more requests. Aborts requests that are still in flight after this time: other processes can send them.
   */
  endWithin(ms: number): void
}

const ROUND_MS = 200

export function createDeliverer(context: WebhooksContext): Deliverer {
  const inFlight = new Map<Promise<void>, string>()
  const logged = new Set<string>()
  const ending = new AbortController()
  let isEnding = false
  let done = { delivered: 0, failed: 0 }

  const begin = (claimed: Claimed): void => {
    const run = deliver(context, claimed, ending.signal).then((result) => {
      inFlight.delete(run)
      if (result !== null) done = { ...done, [result]: done[result] + 1 }
    })
    inFlight.set(run, claimed.delivery.receiver)
  }
  return {
    runOnce: async () => {
      const until = performance.now() + ROUND_MS
      for (let peak = 0; !isEnding && performance.now() < until; ) {
        const claimed = await claimDue(context, inFlight, logged)
        for (const each of claimed) begin(each)
        peak = Math.max(peak, inFlight.size)
        // At half of the peak: each claim gets several deliveries, and a slow receiver delays no other.
        if (claimed.length === 0 || !(await endedDownTo(inFlight, peak / 2, until))) break
      }
      const report = done
      done = { delivered: 0, failed: 0 }
      return report
    },
    ended: async () => {
      // The next `runOnce` reports these results.
      if (done.delivered + done.failed > 0) return true
      if (inFlight.size === 0) return false
      await Promise.race(inFlight.keys())
      return true
    },
    stop: async () => {
      await Promise.all(inFlight.keys())
    },
    endWithin: (ms) => {
      isEnding = true
      void sleep(ms, undefined, { ref: false }).then(() => ending.abort())
    },
  }
}

/** Waits until at most `most` requests are in flight. Returns false if the time is up first. */
async function endedDownTo(inFlight: Flight, most: number, until: number): Promise<boolean> {
  while (inFlight.size > most) {
    const isInTime = Promise.race(inFlight.keys()).then(() => true)
    const left = Math.max(0, until - performance.now())
    if (!(await Promise.race([isInTime, sleep(left, false, { ref: false })]))) return false
  }
  return true
}

/**
 * Sends a delivery and stores the result. Returns `null`, and logs the error, if the result could not be stored. `ending`
 * aborts when the process must end.
 */
async function deliver(
  context: WebhooksContext,
  claimed: Claimed,
  ending: AbortSignal,
): Promise<'delivered' | 'failed' | null> {
  const { delivery, webhook, claim } = claimed
  try {
    const isDead = webhook.disabled !== null
    const after = isDead ? toDead(delivery, context.now()) : await attempt(context, claimed, ending)
    await saveAttempts(context.storage, [{ ...after.delivery, claim }])
    if (after.isGone) await disable(context, webhook.id)
    return after.delivery.state === 'done' ? 'delivered' : 'failed'
  } catch (err) {
    context.logger.error({ err }, 'The result of a delivery could not be stored. The delivery is sent again.')
    return null
  }
}

interface Attempted {
  readonly delivery: Delivery
  readonly isGone: boolean
}

function toDead(delivery: Delivery, now: number): Attempted {
  return { delivery: { ...delivery, state: 'dead', nextAt: now }, isGone: false }
}

async function attempt(
  { now, random, send, multiTenant, wholeNumbers, ...context }: WebhooksContext,
  { delivery, webhook, secrets }: Claimed,
  ending: AbortSignal,
): Promise<Attempted> {
  const at = now()
  const { headers, body } = toSignedRequest(delivery, webhook, { secrets, now: at, multiTenant, wholeNumbers })
  const allowInternal = context.allowInternal || webhook.allowInternal
  const start = performance.now()
  const answer = await send({ url: webhook.url, headers, body, allowInternal }, ending)
  const { status, error, text } = answer
  // An incomplete response counts as no response.
  const judged = judgeStatus(error === null ? status : null)
  if (ending.aborted && judged === 'failed') return { delivery, isGone: false }
  const durationMs = Math.round(performance.now() - start)
  const made: WebhookAttempt = { at: toInstantText(at), status, durationMs, error, answer: text }
  const attempted = { ...delivery, attempts: delivery.attempts + 1, log: JSON.stringify(made) }
  return {
    delivery: afterAttempt(attempted, judged, answer.retryAfter, { now: now(), random }),
    isGone: judged === 'gone',
  }
}

async function disable(context: WebhooksContext, id: string): Promise<void> {
  const at = context.now()
  await changeWebhooks(context, (webhooks) => {
    const webhook = webhooks.find((each) => each.id === id)
    if (webhook === undefined || webhook.disabled !== null) return null
    return { put: { ...webhook, disabled: { at, because: 'gone' } } }
  })
  context.logger.warn({ webhook: id }, 'A webhook answered 410 Gone, and is disabled.')
}

function afterAttempt(
  delivery: Delivery,
  judged: Judgement,
  retryAfter: string | undefined,
  { now, random }: { readonly now: number; readonly random: () => number },
): Delivery {
  if (judged === 'delivered') return { ...delivery, state: 'done', nextAt: now }
  const pause = judged === 'gone' ? null : pauseAfter(delivery.attempts, readRetryAfter(retryAfter, now), random())
  if (pause === null) return { ...delivery, state: 'dead', nextAt: now }
  return { ...delivery, nextAt: now + pause }
}

const lastAttempt: z.ZodType<WebhookAttempt | null> = z
  .object({
    at: z.string(),
    status: z.number().nullable(),
    durationMs: z.number(),
    error: z.string().nullable(),
    answer: z.string(),
  })
  .nullable()

/** The log of a delivery that was never attempted. Otherwise it is the last attempt. */
export const NO_LOG = 'null'

export function readLastAttempt({ log }: Pick<Delivery, 'log'>): WebhookAttempt | null {
  return lastAttempt.safeParse(JSON.parse(log)).data ?? null
}
