import { GamificationError } from '../../errors.ts'
import type { EntryBody, ProfilePatch } from '../../rules/entry.ts'
import type { UserKey } from '../../storage.ts'
import type { Outcome, TimedCommand } from '../accept/command.ts'
import { chain, type Eventually } from '../accept/maybe-async.ts'
import type { Context } from '../context.ts'
import type { CurrentGame } from '../games.ts'
import { notify } from './notify.ts'

/** How writing calls are recorded: through the queue, by an import, or within the host's own transaction. */
export interface Door {
  record(command: TimedCommand): Eventually<Outcome>
  /** The game in force. */
  current(): Eventually<CurrentGame>
  /** Has the host's handlers called, now or once what was recorded is committed. */
  notify(run: () => void): void
}

/** What a writing call asks for. */
export interface Wish extends UserKey {
  readonly profile: ProfilePatch | null
  readonly body: EntryBody
  readonly createsUser: boolean
  readonly occurredAt?: number | null
  /** Default: a new one. */
  readonly entryId?: string
}

export type Accepted = Exclude<Outcome, { readonly type: 'refused' }>

/** Records what a call asks for, or throws why not. */
export function perform(context: Context, door: Door, wish: Wish): Eventually<Accepted> {
  const { tenant, user, profile, body, createsUser, occurredAt = null } = wish
  const receivedAt = context.now()
  const entryId = wish.entryId ?? context.newId(receivedAt)
  const { deadline } = context
  const command = { tenant, user, profile, body, createsUser, occurredAt, receivedAt, deadline, entryId }
  return chain(door.record(command), (outcome) => {
    if (outcome.type === 'refused') throw new GamificationError(outcome.refusal.code, outcome.refusal.message)
    if (outcome.type === 'recorded') door.notify(() => notify(context.emitter, { tenant, user }, outcome))
    return outcome
  })
}

/** The state a call left. */
export function stateAfter(outcome: Accepted): Extract<Outcome, { type: 'unchanged' }>['state'] {
  return outcome.type === 'recorded' ? outcome.after : outcome.state
}
