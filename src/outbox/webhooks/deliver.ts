import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../../storage.ts'
import type { Delivery, SettledDelivery } from '../../storage-outbox.ts'
import { withTry } from './answers.ts'
import { type Claimed, createClaim } from './claim.ts'
import type { WebhooksContext } from './context.ts'
import type { Registry } from './registry.ts'
import { judgeStatus, pauseAfter, readRetryAfter } from './retries.ts'
import type { Answer } from './send.ts'
import { toSignedRequest } from './signed-request.ts'

/** How many deliveries were answered well, and how many were not. */
export interface Delivered {
  readonly delivered: number
  readonly failed: number
}

export interface Deliverer {
  /**
   * Sends what is due, at most for a fifth of a second, and answers what has ended since it was asked before. Claims
   * again when half of what is under way has ended, so that a claim is of several, and waits for no receiver that hangs.
   */
  runOnce(): Promise<Delivered>
  /** Waits until something under way has ended; false where nothing is. */
  ended(): Promise<boolean>
  /** Waits for what is under way. */
  drained(): Promise<void>
  /** Starts no more requests. Aborts those that are still in flight after this time: other processes can send them. */
  endWithin(ms: number): void
}

const MOST_AT_ONCE = 32
const ROUND_MS = 200
/** A receiver that hangs is not to keep the others from theirs. */
const MOST_OF_ONE = 8

export function createDeliverer(context: WebhooksContext, registry: Registry): Deliverer {
  const { storage, logger } = context
  const claim = createClaim(context, registry)
  const storeAttempt = createAttemptStore(storage)
  const underWay = new Set<Promise<void>>()
  const underWayTo = new Map<string, number>()
  const ending = new AbortController()
  let isEnding = false
  let done = { delivered: 0, failed: 0 }

  const count = (receiver: string, by: number): void => {
    underWayTo.set(receiver, (underWayTo.get(receiver) ?? 0) + by)
  }

  function begin(claimed: Claimed): void {
    const { receiver } = claimed.delivery
    count(receiver, 1)
    const run = deliver(claimed)
      .then((isDelivered) => {
        const { delivered, failed } = done
        done = isDelivered ? { delivered: delivered + 1, failed } : { delivered, failed: failed + 1 }
      })
      .catch((err: unknown) =>
        logger.error({ err }, 'What became of a delivery could not be stored: it is sent again.'),
      )
      .finally(() => {
        count(receiver, -1)
        underWay.delete(run)
      })
    underWay.add(run)
  }

  /** Answers whether it was delivered. */
  async function deliver({ claim, delivery, webhook, secrets }: Claimed): Promise<boolean> {
    const { now, random, send, multiTenant } = context
    if (webhook.disabled !== null) {
      await storeAttempt({ ...delivery, claim, state: 'dead', nextAt: context.now() })
      return false
    }
    const at = now()
    const { headers, body } = toSignedRequest(delivery, webhook, { secrets, now: at, multiTenant })
    const allowInternal = context.allowInternal || webhook.allowInternal
    const start = performance.now()
    const answer = await send({ url: webhook.url, headers, body, allowInternal }, ending.signal)
    if (ending.signal.aborted && judge(answer) === 'failed') {
      await storeAttempt({ ...delivery, claim })
      return false
    }
    const ms = Math.round(performance.now() - start)
    const log = withTry(delivery.log, { at, status: answer.status, ms, error: answer.error }, answer.text)
    const after = afterTry({ ...delivery, tries: delivery.tries + 1, log }, answer, { now: now(), random })
    await storeAttempt({ ...after, claim })
    if (judge(answer) === 'gone') await disable(webhook.id, now())
    return after.state === 'done'
  }

  async function disable(id: string, at: number): Promise<void> {
    await registry.change((webhooks) => {
      const webhook = webhooks.find((each) => each.id === id)
      if (webhook === undefined || webhook.disabled !== null) return null
      return { put: { ...webhook, disabled: { at, because: 'gone' } }, result: null }
    })
    await context.wantTypes()
    logger.warn({ webhook: id }, 'A webhook answered 410 Gone, and is disabled.')
  }

  return {
    runOnce: async () => {
      const until = performance.now() + ROUND_MS
      let isMore = true
      while (isMore && !isEnding && performance.now() < until) {
        const of = (receiver: string): number => MOST_OF_ONE - (underWayTo.get(receiver) ?? 0)
        const claimed = await claim({ total: MOST_AT_ONCE - underWay.size, of })
        for (const each of claimed) begin(each)
        const isHalfEnded = await halfOf([...underWay], Math.max(0, until - performance.now()))
        isMore = claimed.length > 0 && isHalfEnded
      }
      const report = done
      done = { delivered: 0, failed: 0 }
      return report
    },
    ended: async () => {
      // Nothing is lost between: what has ended is reported by the next `runOnce`.
      if (done.delivered + done.failed > 0) return true
      if (underWay.size === 0) return false
      await Promise.race(underWay)
      return true
    },
    drained: async () => {
      await Promise.all(underWay)
    },
    endWithin: (ms) => {
      isEnding = true
      void sleep(ms, undefined, { ref: false }).then(() => ending.abort())
    },
  }
}

/** Waits until half of them have ended, which is true, or for so long, and keeps no process alive. */
function halfOf(all: readonly Promise<void>[], ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    let left = all.length
    const ended = (): void => {
      left -= 1
      if (left <= all.length / 2) resolve(true)
    }
    for (const each of all) each.then(ended)
    if (all.length === 0) resolve(true)
    else setTimeout(resolve, ms, false).unref()
  })
}

/** Stores the results of attempts. Those of one turn, and those that come while others are written, share a write. */
function createAttemptStore(storage: Storage): (settled: SettledDelivery) => Promise<void> {
  let waiting: SettledDelivery[] = []
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  async function write(): Promise<void> {
    await last.catch(() => undefined)
    await nextTurn()
    const batch = waiting
    waiting = []
    next = null
    last = storage.settleDeliveries(batch)
    return last
  }

  return (settled) => {
    waiting.push(settled)
    next ??= write()
    return next
  }
}

/** An answer that is not whole counts for none. */
function judge({ status, error }: Answer): ReturnType<typeof judgeStatus> {
  return judgeStatus(error === null ? status : null)
}

function afterTry(
  delivery: Delivery,
  answer: Answer,
  { now, random }: { readonly now: number; readonly random: () => number },
): Delivery {
  const judged = judge(answer)
  if (judged === 'delivered') return { ...delivery, state: 'done', nextAt: now }
  const retryAfter = readRetryAfter(answer.retryAfter, now)
  const pause = judged === 'gone' ? null : pauseAfter(delivery.tries, retryAfter, random())
  if (pause === null) return { ...delivery, state: 'dead', nextAt: now }
  return { ...delivery, nextAt: now + pause }
}
