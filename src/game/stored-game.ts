import { z } from 'zod'
import { GamificationError, isGamificationError } from '../errors.ts'
import { parseDate, toDateText } from '../rules/calendar.ts'
import type { Boost } from '../rules/game.ts'
import type { StoredBoost } from './stored-definition.ts'

export interface StoredGivenBoost extends StoredBoost {
  readonly id: string
  readonly created: number
}

export type GivenBoosts = { readonly [system: string]: readonly StoredGivenBoost[] }

export const NO_BOOSTS: GivenBoosts = {}

/** The types of messages that have a subscriber. */
export interface WantedMessages {
  /** Sorted, each once; never empty. */
  readonly types: readonly string[]
  /** The instant after which messages caused by time are published. */
  readonly since: number
}

/** A stored game: its definition, and two properties that a host's game cannot have. */
export interface StoredParts {
  readonly definition: unknown
  readonly boosts: GivenBoosts
  /** The property `messages`. `null` if there are no subscribers. */
  readonly messages: WantedMessages | null
}

const date = z.string().refine((text) => parseDate(text) !== null)
const boostsSchema: z.ZodType<GivenBoosts> = z.record(
  z.string(),
  z.array(
    z.strictObject({
      id: z.string(),
      created: z.number(),
      name: z.string(),
      start: date,
      end: date.exactOptional(),
      multiplier: z.number().positive(),
      rounding: z.enum(['down', 'up', 'nearest']),
      userAttributes: z.record(z.string(), z.string()),
    }),
  ),
)
const messagesSchema: z.ZodType<WantedMessages> = z.strictObject({
  types: z.array(z.string()).min(1),
  since: z.number(),
})

/** Puts the place of a game before the message of its error. */
export function withSource<T>(source: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!isGamificationError(cause)) throw cause
    throw new GamificationError(cause.code, `${source}: ${cause.message}`, { issues: cause.issues, cause })
  }
}

/** Adds the epoch of the stored game to the error of `read`. */
export function withEpoch<T>(epoch: number, read: () => T): T {
  return withSource(`The stored game of epoch ${epoch} cannot be read`, read)
}

/** The value of a stored text. Throws `invalid_game` if it is not JSON. */
export function parseStored(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new GamificationError('invalid_game', 'The game is not JSON. Restore it from a backup.', { cause })
  }
}

export function readStoredGame(stored: unknown): StoredParts {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    return { definition: stored, boosts: NO_BOOSTS, messages: null }
  }
  const { givenBoosts, messages, ...definition }: { givenBoosts?: unknown; messages?: unknown } = stored
  return {
    definition,
    boosts: givenBoosts === undefined ? NO_BOOSTS : readPart(boostsSchema, givenBoosts, 'given boosts'),
    messages: messages === undefined ? null : readPart(messagesSchema, messages, 'wanted messages'),
  }
}

function readPart<T>(schema: z.ZodType<T>, given: unknown, what: string): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new GamificationError('invalid_game', `The ${what} of the game are damaged. Restore it from a backup.`)
}

const storedGames = new WeakSet<object>()

/** Marks a game that was read from a storage. A process with such a game uses the game in force. */
export function markStored<Defined extends object>(game: Defined): Defined {
  storedGames.add(game)
  return game
}

export function isStoredGame(game: object): boolean {
  return storedGames.has(game)
}

export function storedGameText({ definition, boosts, messages }: StoredParts): string {
  const systems = Object.entries(boosts).filter(([, given]) => given.length > 0)
  return JSON.stringify({
    ...Object(definition),
    ...(systems.length === 0 ? {} : { givenBoosts: Object.fromEntries(systems) }),
    ...(messages === null ? {} : { messages }),
  })
}

/** The text of a stored game without its wanted messages: equal for two games that differ in nothing else. */
export function withoutMessages(text: string): string {
  if (!text.includes('"messages":')) return text
  return storedGameText({ ...readStoredGame(parseStored(text)), messages: null })
}

/** A stored boost in the form that the rules use. `created`: 0 for a boost that the game plans. */
export function compileBoost(id: string, created: number, stored: StoredBoost): Boost {
  const { name, multiplier, rounding } = stored
  const [start, end] = [parseDate(stored.start) ?? 0, stored.end === undefined ? null : parseDate(stored.end)]
  const userAttributes = Object.entries(stored.userAttributes)
  return { id, name, start, end, multiplier, rounding, userAttributes, created }
}

export function toStoredBoost(boost: Boost): StoredGivenBoost {
  const { id, created, name, start, end, multiplier, rounding } = boost
  const last = end === null ? {} : { end: toDateText(end) }
  const userAttributes = Object.fromEntries(boost.userAttributes)
  return { id, created, name, start: toDateText(start), ...last, multiplier, rounding, userAttributes }
}

/** Types that time alone causes, without a call. */
const OF_TIME: ReadonlySet<string> = new Set([
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
  'points.changed',
  'points.level_changed',
  'points.expiring',
  'points.expired',
  'achievement.expired',
  'challenge.ending',
  // The boosts of one user. The scheduled work of all tenants publishes boosts for all users.
  'points.boost_started',
  'points.boost_finished',
  'emails.recap_due',
  'emails.reactivation_due',
  'emails.streak_reminder_due',
  'emails.achievement_due',
])

const REVOKED = '.revoked'

/** True if time alone may cause messages of the type. A `.revoked` type goes by the type that it revokes. */
export function isOfTime(type: string): boolean {
  return OF_TIME.has(type.endsWith(REVOKED) ? type.slice(0, -REVOKED.length) : type)
}

/** Returns `null` if the set is empty. `since` stays, unless messages of time are newly wanted. */
export function wantTypes(before: WantedMessages | null, wanted: Iterable<string>, now: number): WantedMessages | null {
  const types = [...new Set(wanted)].sort()
  if (types.length === 0) return null
  const goesOn = before !== null && (before.types.some(isOfTime) || !types.some(isOfTime))
  return { types, since: goesOn ? before.since : now }
}
