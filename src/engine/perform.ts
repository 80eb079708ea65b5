import { GamificationError } from '../errors.ts'
import type { EntryBody, ProfilePatch } from '../rules/entry.ts'
import type { UserKey } from '../storage.ts'
import type { Command, Outcome } from './command.ts'
import type { Context } from './context.ts'
import { notify } from './notify.ts'

/** What a writing call asks for. */
export interface Wish extends UserKey {
  readonly profile: ProfilePatch | null
  readonly body: EntryBody
  readonly createsUser: boolean
  readonly occurredAt?: number | null
  /** Default: a new one. */
  readonly entryId?: string
  /** Whether the host's handlers are told. Default true. */
  readonly isNotified?: boolean
  /** How it is recorded. Default: as soon as can be. */
  readonly record?: (command: Command) => Promise<Outcome>
}

export type Accepted = Exclude<Outcome, { readonly type: 'refused' }>

/** Records what a call asks for, or throws why not; the host's handlers have been told when it returns. */
export async function perform(context: Context, wish: Wish): Promise<Accepted> {
  const { tenant, user, profile, body, createsUser, occurredAt = null, isNotified = true } = wish
  const record = wish.record ?? context.recorder.record
  const receivedAt = context.now()
  const entryId = wish.entryId ?? context.newId(receivedAt)
  const command = { tenant, user, profile, body, createsUser, occurredAt, receivedAt, entryId }
  const outcome = await record(command)
  if (outcome.type === 'refused') throw new GamificationError(outcome.refusal.code, outcome.refusal.message)
  if (outcome.type === 'recorded' && isNotified) notify(context.emitter, { tenant, user }, outcome)
  return outcome
}

/** The state a call left. */
export function stateAfter(outcome: Accepted): Extract<Outcome, { type: 'unchanged' }>['state'] {
  return outcome.type === 'recorded' ? outcome.after : outcome.state
}
