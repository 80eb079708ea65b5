import type { Action, Clients } from '../api/endpoint.ts'
import { type ParsedCapability, parseCapabilities } from '../api/keys/requests.ts'

export interface Denial {
  readonly action: Action
  readonly by: 'clients' | 'key' | 'rights'
}

/**
 * Returns the first action that the game's `clients` or the key's `can` does not allow, or `null`. If `can` is null,
 * the key may do all that the game allows clients.
 */
export function findDenied(clients: Clients, can: readonly string[] | null, actions: readonly Action[]): Denial | null {
  const able = can === null ? null : (parseCapabilities(can) ?? [])
  for (const action of actions) {
    const { isLet, kinds, named, isForAdmins = false } = ruleOf(action)
    if (isForAdmins) return { action, by: 'rights' }
    if (clients !== null && !isLet(clients, action)) return { action, by: 'clients' }
    const isFor = (capability: ParsedCapability): boolean => {
      if (!kinds.includes(capability.kind)) return false
      return named === undefined || !('key' in capability) || [null, named(action)].includes(capability.key)
    }
    if (able !== null && !able.some(isFor)) return { action, by: 'key' }
  }
  return null
}

/** The denial for people. It names only parts of the request. */
export function toDenialMessage(who: string, { action, by }: Denial, clients: Clients): string {
  if (by === 'rights') return `${who} may not ${ruleOf(action).describe(action, null)}: use an admin key.`
  const why = by === 'clients' ? "the game's `clients` do not let it" : 'its key was made for less (`can`)'
  const help =
    by === 'clients' && action.type === 'eventAttribute'
      ? ` List it in \`clients.events.${action.metric}.attributes\`.`
      : ''
  return `${who} may not ${ruleOf(action).describe(action, by === 'clients' ? clients : null)}: ${why}.${help}`
}

interface Rule<Asked extends Action> {
  isLet(clients: NonNullable<Clients>, action: Asked): boolean
  /** True if neither `clients` nor a key can allow it. */
  readonly isForAdmins?: true
  readonly kinds: readonly ParsedCapability['kind'][]
  /** The key that a capability must have, if it has one. If absent, any key. */
  named?(action: Asked): string
  describe(action: Asked, clients: Clients): string
}

const RULES: { readonly [Type in Action['type']]: Rule<Extract<Action, { readonly type: Type }>> } = {
  read: { isLet: () => true, kinds: ['read'], describe: () => 'read' },
  event: {
    isLet: ({ events }, { metric, value }) => {
      const bounds = events.get(metric)
      return bounds !== undefined && value >= bounds.min && value <= (bounds.max ?? Number.POSITIVE_INFINITY)
    },
    kinds: ['events'],
    named: ({ metric }) => metric,
    describe: ({ metric, value }, clients) =>
      `send ${clients?.events.has(metric) ? `a value of ${value} in an event` : 'events'} of ${JSON.stringify(metric)}`,
  },
  eventAttribute: {
    isLet: ({ events }, { metric, attribute }) => events.get(metric)?.attributes.has(attribute) === true,
    kinds: ['events'],
    named: ({ metric }) => metric,
    describe: ({ metric, attribute }) =>
      `send the attribute ${JSON.stringify(attribute)} in an event of ${JSON.stringify(metric)}`,
  },
  occurredAt: {
    isLet: () => false,
    isForAdmins: true,
    kinds: [],
    describe: () => 'say when an event happened (`occurredAt`)',
  },
  achievement: {
    isLet: ({ achievements }, { achievement }) => achievements.has(achievement),
    kinds: ['achievements'],
    named: ({ achievement }) => achievement,
    describe: ({ achievement }) => `complete the achievement ${JSON.stringify(achievement)}`,
  },
  challenge: {
    isLet: ({ challenges }, { challenge }) => challenges.has(challenge),
    kinds: ['challenges'],
    named: ({ challenge }) => challenge,
    describe: ({ challenge }) => `take part in the challenge ${JSON.stringify(challenge)}`,
  },
  reward: {
    isLet: ({ redeem }, { reward }) => redeem.has(reward),
    kinds: ['redeem'],
    named: ({ reward }) => reward,
    describe: ({ reward }) => `redeem the reward ${JSON.stringify(reward)}`,
  },
  field: {
    isLet: ({ profile }, { field }) => profile.has(field),
    kinds: ['profile'],
    describe: ({ field }) => `set the field ${field} of its user`,
  },
  choice: {
    isLet: () => true,
    kinds: ['profile'],
    describe: ({ choice }) => `set the choice ${choice} of its user`,
  },
  attribute: {
    isLet: ({ attributes }, { attribute }) => attributes.has(attribute),
    kinds: ['attributes'],
    named: ({ attribute }) => attribute,
    describe: ({ attribute }) => `set the attribute ${JSON.stringify(attribute)} of its user`,
  },
  user: {
    isLet: ({ profile, attributes }) => profile.size > 0 || attributes.size > 0,
    kinds: ['profile', 'attributes'],
    describe: () => 'create or update its user',
  },
  other: { isLet: () => false, kinds: [], describe: () => 'do this' },
}

const ruleOf = ({ type }: Action): Rule<Action> => RULES[type] as unknown as Rule<Action>
