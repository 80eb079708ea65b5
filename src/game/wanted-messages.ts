import { z } from 'zod'
import { GamificationError } from '../errors.ts'

/** The types of messages that somebody subscribed to, as they are stored beside the definition of a game. */
export interface WantedMessages {
  /** Sorted, each once; never empty. */
  readonly types: readonly string[]
  /** The instant after which messages caused by time are published. */
  readonly since: number
}

/**
 * The property of a stored game that has the wanted messages, beside those of the definition. A host's definition may
 * not have it.
 */
const PROPERTY = 'messages'
const AS_JSON = `"${PROPERTY}":`

const schema: z.ZodType<WantedMessages> = z.strictObject({
  types: z.array(z.string()).min(1),
  since: z.number(),
})

/** Takes the wanted messages out of a stored game; `rest`: the game without them. */
export function splitMessages(stored: unknown): { readonly rest: unknown; readonly messages: WantedMessages | null } {
  if (typeof stored !== 'object' || stored === null || !Object.hasOwn(stored, PROPERTY)) {
    return { rest: stored, messages: null }
  }
  const { [PROPERTY]: given, ...rest } = stored as { readonly [PROPERTY]: unknown }
  const parsed = schema.safeParse(given)
  if (parsed.success) return { rest, messages: parsed.data }
  const message = 'The wanted messages of a stored game are broken; restore what was stored.'
  throw new GamificationError('invalid_game', message)
}

/** The wanted types in the text of a stored game; null if there is no subscription. */
export function wantedMessagesOf(text: string): WantedMessages | null {
  return text.includes(AS_JSON) ? splitMessages(JSON.parse(text)).messages : null
}

/** The text of a stored game without its wanted messages: equal for two games that differ in nothing else. */
export function withoutMessages(text: string): string {
  if (!text.includes(AS_JSON)) return text
  const { rest, messages } = splitMessages(JSON.parse(text))
  return messages === null ? text : JSON.stringify(rest)
}

/** The text of a stored game with these wanted messages in place of its own; null: with none. */
export function withMessages(text: string, messages: WantedMessages | null): string {
  const plain = withoutMessages(text)
  return messages === null ? plain : JSON.stringify({ ...Object(JSON.parse(plain)), [PROPERTY]: messages })
}

/** Types that time alone brings, without a call of anybody. */
const OF_TIME: ReadonlySet<string> = new Set([
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
  'points.changed',
  'points.level_changed',
  // Of boosts given to one user. Those of all users come from the clock of tenants.
  'points.boost_started',
  'points.boost_finished',
  'emails.recap_due',
  'emails.reactivation_due',
  'emails.streak_reminder_due',
  'emails.achievement_due',
])

const REVOKED = '.revoked'

/** Whether time alone may bring messages of the type. A `.revoked` type goes by the type that it takes back. */
export function isOfTime(type: string): boolean {
  return OF_TIME.has(type.endsWith(REVOKED) ? type.slice(0, -REVOKED.length) : type)
}

/**
 * The wanted messages with this set of types; null: the set is empty. `since` stays, unless messages of time are newly
 * wanted.
 */
export function wantTypes(before: WantedMessages | null, wanted: Iterable<string>, now: number): WantedMessages | null {
  const types = [...new Set(wanted)].sort()
  if (types.length === 0) return null
  const goesOn = before !== null && (before.types.some(isOfTime) || !types.some(isOfTime))
  return { types, since: goesOn ? before.since : now }
}
