import type { ParsedEventBody } from '../api/events/requests.ts'
import { type ParsedCapability, parseCapabilities } from '../api/keys/requests.ts'
import type { ParsedPreferences, ParsedUpdate } from '../api/users/requests.ts'
import type { DefinedGame } from '../game/define-game.ts'

/** The restrictions of a caller. */
export interface Client {
  /** The capabilities of its key; null: all that the game allows clients. */
  readonly can: readonly string[] | null
}

/** The action that is not allowed, and what forbids it. */
export interface Denial {
  readonly action: Action
  readonly by: 'clients' | 'key'
}

/** Returns the first action that the game's `clients` or the key's `can` does not allow, or `null`. */
export function findDenied(clients: Clients, { can }: Client, actions: readonly Action[]): Denial | null {
  const able = can === null ? null : (parseCapabilities(can) ?? [])
  for (const action of actions) {
    if (clients !== null && !isLetBy(clients, action)) return { action, by: 'clients' }
    if (able !== null && !able.some((capability) => isFor(capability, action))) return { action, by: 'key' }
  }
  return null
}

function isLetBy(clients: NonNullable<Clients>, action: Action): boolean {
  switch (action.type) {
    case 'read':
      return true
    case 'event': {
      const bounds = clients.events.get(action.metric)
      return (
        bounds !== undefined && action.value >= bounds.min && action.value <= (bounds.max ?? Number.POSITIVE_INFINITY)
      )
    }
    case 'eventAttribute':
      return clients.events.get(action.metric)?.attributes.has(action.attribute) === true
    case 'achievement':
      return clients.achievements.has(action.achievement)
    case 'field':
      return clients.profile.has(action.field)
    case 'attribute':
      return clients.attributes.has(action.attribute)
    case 'user':
      return clients.profile.size > 0 || clients.attributes.size > 0
    case 'other':
      return false
    default:
      return action satisfies never
  }
}

function isFor(capability: ParsedCapability, action: Action): boolean {
  const named = 'key' in capability ? capability.key : null
  switch (action.type) {
    case 'read':
      return capability.kind === 'read'
    case 'event':
    case 'eventAttribute':
      return capability.kind === 'events' && (named === null || named === action.metric)
    case 'achievement':
      return capability.kind === 'achievements' && (named === null || named === action.achievement)
    case 'field':
      return capability.kind === 'profile'
    case 'attribute':
      return capability.kind === 'attributes' && (named === null || named === action.attribute)
    case 'user':
      return capability.kind === 'profile' || capability.kind === 'attributes'
    case 'other':
      return false
    default:
      return action satisfies never
  }
}

/** The denial for people. It names only what was sent. */
export function toDenialMessage(who: string, { action, by }: Denial, clients: Clients): string {
  const why = by === 'clients' ? "the game's `clients` do not let it" : 'its key was made for less (`can`)'
  const help =
    by === 'clients' && action.type === 'eventAttribute'
      ? ` List it in \`clients.events.${action.metric}.attributes\`.`
      : ''
  return `${who} may not ${describe(action, by === 'clients' ? clients : null)}: ${why}.${help}`
}

function describe(action: Action, clients: Clients): string {
  switch (action.type) {
    case 'read':
      return 'read'
    case 'event': {
      const metric = JSON.stringify(action.metric)
      return clients?.events.has(action.metric) === true
        ? `send a value of ${action.value} in an event of ${metric}`
        : `send events of ${metric}`
    }
    case 'eventAttribute':
      return `send the attribute ${JSON.stringify(action.attribute)} in an event of ${JSON.stringify(action.metric)}`
    case 'achievement':
      return `complete the achievement ${JSON.stringify(action.achievement)}`
    case 'field':
      return `set the field ${action.field} of its user`
    case 'attribute':
      return `set the attribute ${JSON.stringify(action.attribute)} of its user`
    case 'user':
      return 'create or update its user'
    case 'other':
      return 'do this'
    default:
      return action satisfies never
  }
}

/** What the game lets clients do; null: keys may do everything of their own user, sessions may read. */
export type Clients = DefinedGame['rules']['clients']

/** A field that the game's `clients` name. */
export type ClientField = NonNullable<Clients>['profile'] extends ReadonlySet<infer Field> ? Field : never

/** What a call would do to its user: what clients and keys are let do is asked for each. */
export type Action =
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

export const READ: readonly Action[] = [{ type: 'read' }]
export const OTHER: readonly Action[] = [{ type: 'other' }]
const NOTHING: readonly Action[] = [{ type: 'user' }]

const FIELDS = ['name', 'email', 'tz', 'deviceTokens', 'subscribedToEmails'] as const

/** What a call asserts about its user, beside what else it does. */
export function assertedActions(update: ParsedUpdate): readonly Action[] {
  const subscribedToEmails = update.subscribedToEmails ?? update.subscribeToEmails
  const given = { ...update, subscribedToEmails }
  return [
    ...FIELDS.flatMap((field): Action[] => (given[field] === undefined ? [] : [{ type: 'field', field }])),
    ...[...(update.attributes?.keys() ?? [])].map((attribute): Action => ({ type: 'attribute', attribute })),
  ]
}

/** What an event says, beside what it asserts about its user. */
export function eventActions(metric: string, { value, attributes }: ParsedEventBody): readonly Action[] {
  const names = [...(attributes?.keys() ?? [])]
  return [
    { type: 'event', metric, value },
    ...names.map((attribute): Action => ({ type: 'eventAttribute', metric, attribute })),
  ]
}

/** What a call does that is only about its user. */
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
