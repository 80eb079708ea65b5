import type { ParsedEventBody } from '../api/events/requests.ts'
import { type ParsedCapability, parseCapabilities } from '../api/keys/requests.ts'
import type { ParsedPreferences, ParsedUpdate } from '../api/users/requests.ts'
import type { DefinedGame } from '../game/define-game.ts'

/** The restrictions of a caller. */
export interface Client {
  /** The capabilities of its key; null: all that the game allows clients. */
  readonly can: readonly string[] | null
}

/** The deed that is not allowed, and what forbids it. */
export interface Denial {
  readonly deed: Deed
  readonly by: 'clients' | 'key'
}

/** Returns the first deed that the game's `clients` or the key's `can` does not allow, or `null`. */
export function findDenied(clients: Clients, { can }: Client, deeds: readonly Deed[]): Denial | null {
  const able = can === null ? null : (parseCapabilities(can) ?? [])
  for (const deed of deeds) {
    if (clients !== null && !isLetBy(clients, deed)) return { deed, by: 'clients' }
    if (able !== null && !able.some((capability) => isFor(capability, deed))) return { deed, by: 'key' }
  }
  return null
}

function isLetBy(clients: NonNullable<Clients>, deed: Deed): boolean {
  switch (deed.type) {
    case 'read':
      return true
    case 'event': {
      const bounds = clients.events.get(deed.metric)
      return bounds !== undefined && deed.value >= bounds.min && deed.value <= (bounds.max ?? Number.POSITIVE_INFINITY)
    }
    case 'eventAttribute':
      return clients.events.get(deed.metric)?.attributes.has(deed.attribute) === true
    case 'achievement':
      return clients.achievements.has(deed.achievement)
    case 'field':
      return clients.profile.has(deed.field)
    case 'attribute':
      return clients.attributes.has(deed.attribute)
    case 'user':
      return clients.profile.size > 0 || clients.attributes.size > 0
    case 'other':
      return false
    default:
      return deed satisfies never
  }
}

function isFor(capability: ParsedCapability, deed: Deed): boolean {
  const named = 'key' in capability ? capability.key : null
  switch (deed.type) {
    case 'read':
      return capability.kind === 'read'
    case 'event':
    case 'eventAttribute':
      return capability.kind === 'events' && (named === null || named === deed.metric)
    case 'achievement':
      return capability.kind === 'achievements' && (named === null || named === deed.achievement)
    case 'field':
      return capability.kind === 'profile'
    case 'attribute':
      return capability.kind === 'attributes' && (named === null || named === deed.attribute)
    case 'user':
      return capability.kind === 'profile' || capability.kind === 'attributes'
    case 'other':
      return false
    default:
      return deed satisfies never
  }
}

/** The denial for people. It names only what was sent. */
export function tellDenied(who: string, { deed, by }: Denial, clients: Clients): string {
  const why = by === 'clients' ? "the game's `clients` do not let it" : 'its key was made for less (`can`)'
  const help =
    by === 'clients' && deed.type === 'eventAttribute'
      ? ` List it in \`clients.events.${deed.metric}.attributes\`.`
      : ''
  return `${who} may not ${tell(deed, by === 'clients' ? clients : null)}: ${why}.${help}`
}

function tell(deed: Deed, clients: Clients): string {
  switch (deed.type) {
    case 'read':
      return 'read'
    case 'event': {
      const metric = JSON.stringify(deed.metric)
      return clients?.events.has(deed.metric) === true
        ? `send a value of ${deed.value} in an event of ${metric}`
        : `send events of ${metric}`
    }
    case 'eventAttribute':
      return `send the attribute ${JSON.stringify(deed.attribute)} in an event of ${JSON.stringify(deed.metric)}`
    case 'achievement':
      return `complete the achievement ${JSON.stringify(deed.achievement)}`
    case 'field':
      return `set the field ${deed.field} of its user`
    case 'attribute':
      return `set the attribute ${JSON.stringify(deed.attribute)} of its user`
    case 'user':
      return 'create or update its user'
    case 'other':
      return 'do this'
    default:
      return deed satisfies never
  }
}

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
export function assertedDeeds(update: ParsedUpdate): readonly Deed[] {
  const subscribedToEmails = update.subscribedToEmails ?? update.subscribeToEmails
  const given = { ...update, subscribedToEmails }
  return [
    ...FIELDS.flatMap((field): Deed[] => (given[field] === undefined ? [] : [{ type: 'field', field }])),
    ...[...(update.attributes?.keys() ?? [])].map((attribute): Deed => ({ type: 'attribute', attribute })),
  ]
}

/** What an event says, beside what it asserts about its user. */
export function eventDeeds(metric: string, { value, attributes }: ParsedEventBody): readonly Deed[] {
  const names = [...(attributes?.keys() ?? [])]
  return [
    { type: 'event', metric, value },
    ...names.map((attribute): Deed => ({ type: 'eventAttribute', metric, attribute })),
  ]
}

/** What a call does that is only about its user. */
export function updateDeeds(update: ParsedUpdate): readonly Deed[] {
  const asserted = assertedDeeds(update)
  return asserted.length === 0 ? NOTHING : asserted
}

export function preferencesDeeds({ notifications, streak }: ParsedPreferences): readonly Deed[] {
  const deeds: Deed[] = []
  if (notifications !== undefined) deeds.push({ type: 'field', field: 'notifications' })
  if (streak !== undefined) deeds.push({ type: 'field', field: 'streak' })
  return deeds.length === 0 ? NOTHING : deeds
}
