import { createHash } from 'node:crypto'
import type { StoredClients, StoredDefinition } from './stored.ts'

/**
 * SHA-256 of what a game is, in hex: games with the same fingerprint behave alike. The order of properties does not
 * matter; that of lists does, and that of the keys by which answers list things. A property that a later version adds
 * has to be left out here while it has its default, or every stored game would look like a new one.
 */
export function fingerprintOf(definition: StoredDefinition): string {
  const ordered = {
    ...definition,
    metrics: Object.entries(definition.metrics),
    achievements: Object.entries(definition.achievements),
    points: Object.entries(definition.points),
    leaderboards: Object.entries(definition.leaderboards),
    eventAttributes: definition.eventAttributes.toSorted(),
    userAttributes: definition.userAttributes.toSorted(),
    ...(definition.streaks === undefined ? {} : { streaks: Object.entries(definition.streaks) }),
    ...(definition.clients === undefined ? {} : { clients: orderClients(definition.clients) }),
  }
  return createHash('sha256').update(canonicalText(ordered)).digest('hex')
}

function orderClients({ events, achievements, attributes, profile }: StoredClients): StoredClients {
  return {
    events: Object.fromEntries(
      Object.entries(events).map(([metric, { attributes, ...bounds }]) => [
        metric,
        attributes === undefined ? bounds : { ...bounds, attributes: attributes.toSorted() },
      ]),
    ),
    achievements: achievements.toSorted(),
    attributes: attributes.toSorted(),
    profile: profile.toSorted(),
  }
}

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join()}}`
}
