import { toInstantText } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { isSameAdjustment, keyedEntryId } from '../../game/ids.ts'
import { type Accepted, stateAfter, submit } from '../../record/write-modes.ts'
import type { EntryBody } from '../../rules/entry.ts'
import { settled } from '../../rules/settle.ts'
import { walletIn } from '../../rules/wallet.ts'
import type { WriteCall } from '../../runtime/context.ts'
import type * as Types from '../../shapes/wallets.ts'
import { findEntries } from '../../sql/log.ts'
import { loadMovementsOf } from '../../sql/movements.ts'
import type { Movement } from '../../storage/rows.ts'
import { type Steps, wait } from '../../storage/steps.ts'
import { readIdempotencyKey } from '../events/requests.ts'
import type { ParsedHold, ParsedPart, ParsedSpend } from './requests.ts'

type Keyed = 'spend' | 'hold' | 'capture' | 'refund'

interface Sent {
  readonly kind: Keyed
  readonly user: string
  readonly body: EntryBody
  readonly sent: unknown
  /** Another call with the key must have the same. */
  readonly contents: readonly (string | number)[]
}

interface Recorded {
  readonly id: string
  readonly outcome: Accepted
  /** The members of the answer about the key, if one was sent. */
  readonly keyed: Pick<Types.SpendResponse, 'idempotentReplayed' | 'idempotencyKey'>
}

/** Records an entry about points, once for an idempotency key. */
function* record(call: WriteCall, { kind, user, body, sent, contents }: Sent): Steps<Recorded> {
  const idempotencyKey = readIdempotencyKey(sent)
  if (idempotencyKey === null) {
    const outcome = yield* submit(call, { user, body })
    return { id: outcome.entryId ?? '', outcome, keyed: {} }
  }
  const entryId = keyedEntryId(kind, { tenant: call.tenant, user }, idempotencyKey, ...contents)
  const outcome = yield* submit(call, { user, body: { ...body, idempotencyKey } as EntryBody, entryId })
  if (!isSameAdjustment(entryId, outcome.entryId)) {
    const message = `The idempotency key ${JSON.stringify(idempotencyKey)} was used for another ${kind} of the user, and nothing was saved: send a new key.`
    throw new GamificationError('idempotency_key_reused', message)
  }
  const keyed = { idempotentReplayed: outcome.type !== 'recorded', idempotencyKey }
  return { id: outcome.entryId ?? entryId, outcome, keyed }
}

function balanceAfter(outcome: Accepted, system: string): number {
  const after = stateAfter(outcome)
  return walletIn(settled(outcome.game, after, Math.max(outcome.at, after.at)).wallets, system).balance
}

export function* spendPoints(
  call: WriteCall,
  system: string,
  { user, amount, reference, idempotencyKey: sent }: ParsedSpend,
): Steps<Types.SpendResponse> {
  const body = { kind: 'pointsSpent', system, amount, ...(reference === undefined ? {} : { reference }) } as const
  const contents = [system, amount, reference ?? '']
  const { id, outcome, keyed } = yield* record(call, { kind: 'spend', user, body, sent, contents })
  const balance = balanceAfter(outcome, system)
  return { spendId: id, userId: outcome.user, system, amount, balance, ...keyed }
}

const MINUTE = 60_000

export function* holdPoints(
  call: WriteCall,
  system: string,
  { user, amount, reference, expiresIn, idempotencyKey: sent }: ParsedHold,
): Steps<Types.HoldResponse> {
  const { minutes = 0, hours = 0, days = 0 } = expiresIn
  const lasts = minutes + 60 * hours + 24 * 60 * days
  const until = call.now() + lasts * MINUTE
  const body = {
    ...({ kind: 'pointsHeld', system, amount, until } as const),
    ...(reference === undefined ? {} : { reference }),
  }
  const contents = [system, amount, lasts, reference ?? '']
  const { id, outcome, keyed } = yield* record(call, { kind: 'hold', user, body, sent, contents })
  const held = yield* movementOf(call, outcome, id, ({ kind }) => kind === 'held')
  const expiresAt = toInstantText(held.until ?? until)
  return {
    holdId: id,
    userId: outcome.user,
    system,
    amount,
    balance: balanceAfter(outcome, system),
    expiresAt,
    ...keyed,
  }
}

export function* captureHold(
  call: WriteCall,
  hold: string,
  { amount, idempotencyKey: sent }: ParsedPart,
): Steps<Types.CaptureResponse> {
  const user = yield* ownerOf(call, 'hold', hold)
  const body = { kind: 'holdCaptured', hold, ...(amount === undefined ? {} : { amount }) } as const
  const { id, outcome, keyed } = yield* record(call, {
    ...({ kind: 'capture', user, body, sent } as const),
    contents: [hold, amount ?? 'all'],
  })
  const { system, points } = yield* movementOf(call, outcome, id, ({ kind }) => kind === 'captured')
  return {
    ...{ spendId: id, holdId: hold, userId: outcome.user, system, amount: points },
    ...{ balance: balanceAfter(outcome, system), ...keyed },
  }
}

export function* releaseHold(call: WriteCall, hold: string): Steps<Types.ReleaseResponse> {
  const user = yield* ownerOf(call, 'hold', hold)
  const outcome = yield* submit(call, { user, body: { kind: 'holdReleased', hold } })
  const made = outcome.type === 'recorded' ? outcome.movements : []
  const released = made.find(({ kind, spend, at }) => spend === hold && kind === 'released' && at === outcome.at)
  // The entry may have recorded something else, such as an anniversary that was due.
  const { system } = released ?? (yield* storedMovement(call, outcome, hold, ({ kind }) => kind === 'held'))
  const balance = balanceAfter(outcome, system)
  return { holdId: hold, userId: outcome.user, system, released: released?.points ?? 0, balance }
}

export function* refundSpend(
  call: WriteCall,
  spend: string,
  { amount = 0, idempotencyKey: sent }: ParsedPart,
): Steps<Types.RefundResponse> {
  const user = yield* ownerOf(call, 'spend', spend)
  const body = { kind: 'pointsRefunded', spend, amount } as const
  const { id, outcome, keyed } = yield* record(call, { kind: 'refund', user, body, sent, contents: [spend, amount] })
  const { system, points } = yield* movementOf(call, outcome, spend, ({ kind, entryId }) => {
    return kind === 'refunded' && entryId === id
  })
  return {
    ...{ refundId: id, spendId: spend, userId: outcome.user, system, refunded: points },
    ...{ balance: balanceAfter(outcome, system), ...keyed },
  }
}

/** The user in whose log the entry of a spend or a hold is. Throws `unknown_spend` or `unknown_hold`. */
function* ownerOf({ mode, storage, tenant }: WriteCall, what: 'spend' | 'hold', id: string): Steps<string> {
  const [found] = yield* wait(findEntries(mode.joined ?? storage, tenant, [id]))
  if (found === undefined) throw unknown(what, id)
  return found.user
}

function unknown(what: 'spend' | 'hold', id: string): GamificationError {
  const named = what === 'spend' ? 'the spendId of a spend or a capture' : 'the holdId of a hold'
  return new GamificationError(`unknown_${what}`, `There is no ${what} ${JSON.stringify(id)}: name ${named}.`)
}

/** A movement of a spend or hold: of the recorded entry, or of the one that was recorded before. */
function* movementOf(
  call: WriteCall,
  outcome: Accepted,
  spend: string,
  isIt: (movement: Movement) => boolean,
): Steps<Movement> {
  const made = outcome.type === 'recorded' ? outcome.movements.find(isIt) : undefined
  return made ?? (yield* storedMovement(call, outcome, spend, isIt))
}

function* storedMovement(
  { mode, storage, tenant }: WriteCall,
  { user }: Pick<Accepted, 'user'>,
  spend: string,
  isIt: (movement: Movement) => boolean,
): Steps<Movement> {
  const movements = yield* wait(loadMovementsOf(mode.joined ?? storage, { tenant, user }, spend))
  const found = movements.find(isIt)
  if (found === undefined) throw unknown('hold', spend)
  return found
}
