/** What a capability is about: reading, or the writing of all of a kind, or of one that is named. */
export type ParsedCapability =
  | { readonly kind: 'read' | 'profile' }
  | { readonly kind: 'attributes' | 'events' | 'achievements'; readonly key: string | null }

const KINDS = ['attributes', 'events', 'achievements'] as const

/** Reads `read`, `events` or `events:steps`; null for what is no capability. A key may have colons itself. */
export function parseCapability(given: string): ParsedCapability | null {
  if (given === 'read' || given === 'profile') return { kind: given }
  const colon = given.indexOf(':')
  const word = colon === -1 ? given : given.slice(0, colon)
  const kind = KINDS.find((each) => each === word)
  if (kind === undefined || colon === given.length - 1) return null
  return { kind, key: colon === -1 ? null : given.slice(colon + 1) }
}

/** What a key can; null where any of it cannot be read, so that the key is not taken for one that can less or more. */
export function parseCapabilities(given: readonly string[]): readonly ParsedCapability[] | null {
  const parsed = given.flatMap((each) => parseCapability(each) ?? [])
  return parsed.length === given.length && parsed.length > 0 ? parsed : null
}
