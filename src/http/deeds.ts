import type { DefinedGame } from '../game/define-game.ts'
import type { MetricEventRequest } from '../requests/types/metric-event.ts'
import type { PreferencesUpdate } from '../requests/types/preferences.ts'
import type { UserUpdate } from '../requests/types/user.ts'

/** What the game lets clients do; null: keys may do everything of their own user, sessions may read. */
export type Clients = DefinedGame['rules']['clients']

/** A field that the game's `clients` name. */
export type ClientField = NonNullable<Clients>['profile'] extends ReadonlySet<infer Field> ? Field : never

/** What a call would do to its user: what clients and keys are let do is asked for each. */
export type Deed =
  | { readonly type: 'read' }
  | { readonly type: 'event'; readonly metric: string; readonly value: number }
  | { readonly type: 'eventAttribute'; readonly metric: string; readonly attribute: string }
  | { readonly type: 'achievement'; readonly achievement: string }
  | { readonly type: 'field'; readonly field: ClientField }
  | { readonly type: 'attribute'; readonly attribute: string }
  /** Creates or updates the user, and asserts nothing. */
  | { readonly type: 'user' }
  /** What the route does not say. */
  | { readonly type: 'other' }

export const READ: readonly Deed[] = [{ type: 'read' }]
export const OTHER: readonly Deed[] = [{ type: 'other' }]
const NOTHING: readonly Deed[] = [{ type: 'user' }]

const FIELDS = ['name', 'email', 'tz', 'deviceTokens', 'subscribedToEmails'] as const

/** What a call asserts about its user, beside what else it does. */
export function assertedDeeds(update: UserUpdate): readonly Deed[] {
  // Of these two null is absent; of the others it clears.
  const subscribedToEmails = update.subscribedToEmails ?? update.subscribeToEmails ?? undefined
  const given = { ...update, subscribedToEmails }
  return [
    ...FIELDS.flatMap((field): Deed[] => (given[field] === undefined ? [] : [{ type: 'field', field }])),
    ...Object.keys(update.attributes ?? {}).map((attribute): Deed => ({ type: 'attribute', attribute })),
  ]
}

/** What an event says, beside what it asserts about its user. */
export function eventDeeds(metric: string, { value, attributes }: MetricEventRequest): readonly Deed[] {
  const names = Object.keys(attributes ?? {})
  return [
    { type: 'event', metric, value },
    ...names.map((attribute): Deed => ({ type: 'eventAttribute', metric, attribute })),
  ]
}

/** What a call does that is only about its user. */
export function updateDeeds(update: UserUpdate): readonly Deed[] {
  const asserted = assertedDeeds(update)
  return asserted.length === 0 ? NOTHING : asserted
}

export function preferencesDeeds({ notifications, streak }: PreferencesUpdate): readonly Deed[] {
  const deeds: Deed[] = []
  if (notifications != null) deeds.push({ type: 'field', field: 'notifications' })
  if (streak != null) deeds.push({ type: 'field', field: 'streak' })
  return deeds.length === 0 ? NOTHING : deeds
}
