import { GamificationError } from '../../errors.ts'
import { adjustmentId } from '../../game/ids.ts'
import { stateAfter, submit } from '../../record/submit.ts'
import type { WriteCall } from '../../runtime/context.ts'
import { chain, type Eventually } from '../../storage/sync-or-async.ts'
import { readIdempotencyKey } from '../events/requests.ts'
import { gameKey, parse } from '../input.ts'
import { knownSystem } from '../known.ts'
import { toPointsChanges, toSystem } from './answer.ts'
import { adjustmentRequest } from './requests.ts'
import type { AdjustPointsResponse } from './types.ts'

export function adjustPoints(call: WriteCall, key: unknown, request: unknown): Eventually<AdjustPointsResponse> {
  const { tenant } = call
  const system = parse(gameKey, key, 'points system key')
  const { userId: user, points: amount, reason, idempotencyKey: sent } = parse(adjustmentRequest, request, 'adjustment')
  const idempotencyKey = readIdempotencyKey(sent)
  const entryId =
    idempotencyKey === null
      ? call.newId(call.now())
      : adjustmentId({ tenant, user }, idempotencyKey, system, amount, reason)
  const keyed = idempotencyKey === null ? {} : { idempotencyKey }
  const body = { kind: 'pointsAdjusted', system, amount, reason, ...keyed } as const
  return chain(submit(call, { user, body, entryId }), (outcome) => {
    const isNew = outcome.type === 'recorded'
    if (!isNew && outcome.entryId !== entryId) throw reused(idempotencyKey)
    const rule = knownSystem(outcome.game, system)
    const total = stateAfter(outcome).points.get(system)?.total ?? 0
    const changed = isNew ? toPointsChanges(outcome.games, outcome.game, outcome)[system] : undefined
    return {
      adjustmentId: entryId,
      userId: outcome.user,
      points: changed ?? { ...toSystem(rule), total, added: 0, awards: [] },
      ...(idempotencyKey === null ? {} : { idempotentReplayed: !isNew, idempotencyKey }),
    }
  })
}

function reused(idempotencyKey: string | null): GamificationError {
  return new GamificationError(
    'idempotency_key_reused',
    `The idempotency key ${JSON.stringify(idempotencyKey)} was used for another adjustment of the user, and nothing was saved: send a new key.`,
  )
}
