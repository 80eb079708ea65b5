import type { DefinedGame } from '../game/define-game.ts'
import type { ParsedEventBody } from './events/requests.ts'
import type { ParsedPreferences, ParsedUpdate } from './users/requests.ts'

/**
 * The rights that the game gives clients. If `null`, keys may do everything for their own user, and sessions may read.
 */
export type Clients = DefinedGame['rules']['clients']

type ProfileField = NonNullable<Clients>['profile'] extends ReadonlySet<infer Field> ? Field : never

/** An effect of a call on its user. The rights of the client and of the key are checked for each. */
export type Action =
  | { readonly type: 'read' }
  | { readonly type: 'event'; readonly metric: string; readonly value: number }
  | { readonly type: 'eventAttribute'; readonly metric: string; readonly attribute: string }
  | { readonly type: 'occurredAt' }
  | { readonly type: 'achievement'; readonly achievement: string }
  | { readonly type: 'field'; readonly field: ProfileField }
  | { readonly type: 'attribute'; readonly attribute: string }
  /** Creates or updates the user, and asserts nothing. */
  | { readonly type: 'user' }
  | { readonly type: 'other' }

export const READ: readonly Action[] = [{ type: 'read' }]
export const OTHER: readonly Action[] = [{ type: 'other' }]
const NOTHING: readonly Action[] = [{ type: 'user' }]

const FIELDS = ['name', 'email', 'tz', 'deviceTokens', 'subscribedToEmails'] as const

export function assertedActions(update: ParsedUpdate): readonly Action[] {
  const subscribedToEmails = update.subscribedToEmails ?? update.subscribeToEmails
  const given = { ...update, subscribedToEmails }
  return [
    ...FIELDS.flatMap((field): Action[] => (given[field] === undefined ? [] : [{ type: 'field', field }])),
    ...[...(update.attributes?.keys() ?? [])].map((attribute): Action => ({ type: 'attribute', attribute })),
  ]
}

export function eventActions(metric: string, { value, attributes, occurredAt }: ParsedEventBody): readonly Action[] {
  const names = [...(attributes?.keys() ?? [])]
  return [
    { type: 'event', metric, value },
    ...(occurredAt === undefined ? [] : [{ type: 'occurredAt' } as const]),
    ...names.map((attribute): Action => ({ type: 'eventAttribute', metric, attribute })),
  ]
}

export function updateActions(update: ParsedUpdate): readonly Action[] {
  const asserted = assertedActions(update)
  return asserted.length === 0 ? NOTHING : asserted
}

export function preferenceActions({ notifications, streak }: ParsedPreferences): readonly Action[] {
  const actions: Action[] = []
  if (notifications !== undefined) actions.push({ type: 'field', field: 'notifications' })
  if (streak !== undefined) actions.push({ type: 'field', field: 'streak' })
  return actions.length === 0 ? NOTHING : actions
}
