import { GamificationError } from '../../../errors.ts'
import { readIdempotencyKey } from '../../../requests/metric-event.ts'
import type { EventByKey } from '../../../requests/types/void.ts'
import type { Context } from '../../types.ts'

/** An event that a call names. */
export interface NamedEvent {
  readonly id: string
  readonly user: string
  readonly metric: string
}

/** Throws `unknown_event`. */
export async function findEvent(context: Context, tenant: string, subject: string | EventByKey): Promise<NamedEvent> {
  const { storage } = context
  if (typeof subject === 'string') {
    const found = await storage.findEvent(tenant, subject)
    if (found !== null) return { id: subject, ...found }
    throw new GamificationError('unknown_event', `There is no event ${JSON.stringify(subject)}.`)
  }
  const { user, metric } = subject
  const idempotencyKey = readIdempotencyKey(subject.idempotencyKey) ?? ''
  const { found, state } = await storage.readUser({ tenant, user }, { lookups: [{ metric, idempotencyKey }] })
  const into = state?.mergedInto ?? null
  if (into !== null) return findEvent(context, tenant, { ...subject, user: into })
  const [id = null] = found
  if (id !== null) return { id, user, metric }
  const message = `The user ${JSON.stringify(user)} has no event of ${JSON.stringify(metric)} with the idempotency key ${JSON.stringify(idempotencyKey)}.`
  throw new GamificationError('unknown_event', message)
}
