import { GamificationError } from '../../errors.ts'
import type { EntryBody, ProfilePatch } from '../../rules/entry.ts'
import type { UserKey } from '../../storage-rows.ts'
import { chain } from '../accept/chain.ts'
import type { Context, Door, Eventually, Outcome, VoidCommand } from '../types.ts'
import { notify } from './notify.ts'

/** What a writing call asks for. */
export interface Submission extends UserKey {
  readonly profile: ProfilePatch | null
  readonly body: EntryBody
  readonly createsUser: boolean
  readonly occurredAt?: number | null
  /** Default: a new one. */
  readonly entryId?: string
  readonly voids?: readonly VoidCommand[]
}

export type Accepted = Extract<Outcome, { readonly type: 'recorded' | 'unchanged' }>

/**
 * Records what a call asks for, or throws why not. A call for a merged user goes to the one into whom it was merged.
 */
export function submit(context: Context, door: Door, submission: Submission): Eventually<Accepted> {
  const { tenant, user, profile, createsUser, occurredAt = null } = submission
  const body = context.isClient ? ownBody(submission.body) : submission.body
  const receivedAt = context.now()
  const entryId = submission.entryId ?? context.newId(receivedAt)
  const { deadline, by } = context
  const command = {
    tenant,
    user,
    profile,
    body,
    createsUser,
    occurredAt,
    receivedAt,
    deadline,
    entryId,
    ...(by === null ? {} : { by }),
    ...(submission.voids === undefined ? {} : { voids: submission.voids }),
    ...(door.isSilent === true ? { isSilent: true } : {}),
  }
  return chain(door.record(command), (outcome) => {
    if (outcome.type === 'refused') throw new GamificationError(outcome.refusal.code, outcome.refusal.message)
    if (outcome.type === 'merged') return submit(context, door, { ...submission, user: outcome.into, entryId })
    if (outcome.type === 'recorded') door.notify(() => notify(context.emitter, { tenant, user }, outcome))
    return outcome
  })
}

/** What a user changes with the own key or session is an activity; events and completions are in any case. */
function ownBody(body: EntryBody): EntryBody {
  return body.kind === 'userUpserted' || body.kind === 'preferencesChanged' ? { ...body, own: true } : body
}

/** The state a call left. */
export function stateAfter(outcome: Accepted): Extract<Outcome, { type: 'unchanged' }>['state'] {
  return outcome.type === 'recorded' ? outcome.after : outcome.state
}
