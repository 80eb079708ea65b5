import { type ParsedCapability, parseCapabilities } from '../requests/capabilities.ts'
import type { Clients, Deed } from './deeds.ts'

/** Who asks, as far as it counts for what it may do. */
export interface Client {
  /** What its key is for; null: all that the game lets clients do. */
  readonly can: readonly string[] | null
}

/** What is not allowed, and what says so; null: all of it is. */
export interface Denial {
  readonly deed: Deed
  readonly by: 'clients' | 'key'
}

/** Whether a client may do all of this: what the game lets clients do, and of that what its key is for. */
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

/** The denial for people: it names what was sent, and nothing of what else there is. */
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
