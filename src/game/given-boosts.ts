import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import { parseDate, toDateText } from '../rules/calendar.ts'
import type { Boost } from '../rules/game.ts'
import type { StoredBoost } from './stored.ts'
import { splitMessages, wantedMessagesOf, withMessages } from './wanted-messages.ts'

/** A boost that was given to all users in operation, as it is stored beside the definition. */
export interface StoredGivenBoost extends StoredBoost {
  readonly id: string
  readonly created: number
}

/** By key of the points system. */
export type GivenBoosts = { readonly [system: string]: readonly StoredGivenBoost[] }

export const NO_BOOSTS: GivenBoosts = {}

/**
 * The property of a stored game that has the given boosts, beside those of the definition. A host's definition may not
 * have it.
 */
const PROPERTY = 'givenBoosts'

const schema: z.ZodType<GivenBoosts> = z.record(
  z.string(),
  z.array(
    z.strictObject({
      id: z.string(),
      created: z.number(),
      name: z.string(),
      start: z.string().refine((text) => parseDate(text) !== null),
      end: z
        .string()
        .refine((text) => parseDate(text) !== null)
        .exactOptional(),
      multiplier: z.number().positive(),
      rounding: z.enum(['down', 'up', 'nearest']),
      userAttributes: z.record(z.string(), z.string()),
    }),
  ),
)

/** What a stored game has: the definition, and the boosts that were given beside it. */
export function splitGame(stored: unknown): { readonly definition: unknown; readonly boosts: GivenBoosts } {
  const { rest } = splitMessages(stored)
  if (typeof rest !== 'object' || rest === null || !Object.hasOwn(rest, PROPERTY)) {
    return { definition: rest, boosts: NO_BOOSTS }
  }
  const { [PROPERTY]: given, ...definition } = rest as { readonly [PROPERTY]: unknown }
  const parsed = schema.safeParse(given)
  if (parsed.success) return { definition, boosts: parsed.data }
  throw new GamificationError('invalid_game', 'The given boosts of a stored game are broken; restore what was stored.')
}

/** The boosts beside the definition in the text of a stored game. */
export function givenBoostsOf(text: string): GivenBoosts {
  return text.includes(PROPERTY) ? splitGame(JSON.parse(text)).boosts : NO_BOOSTS
}

/** The text of a game as it is stored: that of its definition, with the boosts beside it where there are any. */
export function withGivenBoosts(text: string, boosts: GivenBoosts): string {
  const { definition } = splitGame(JSON.parse(text))
  const systems = Object.entries(boosts).filter(([, given]) => given.length > 0)
  const given = systems.length === 0 ? {} : { [PROPERTY]: Object.fromEntries(systems) }
  return withMessages(JSON.stringify({ ...Object(definition), ...given }), wantedMessagesOf(text))
}

/** Equal for two stored games with the same boosts. */
export function givenBoostsText(text: string): string {
  const boosts = Object.entries(givenBoostsOf(text)).filter(([, given]) => given.length > 0)
  return JSON.stringify(boosts.map(([system, given]) => [system, given.map(toParts)]).sort())
}

function toParts(boost: StoredGivenBoost): unknown {
  const { id, created, name, start, end = null, multiplier, rounding, userAttributes } = boost
  return [id, created, name, start, end, multiplier, rounding, Object.entries(userAttributes).sort()]
}

/** A stored boost in the form that the rules use. `created`: 0 for a boost that the game plans. */
export function compileBoost(id: string, created: number, stored: StoredBoost): Boost {
  const { name, multiplier, rounding } = stored
  const [start, end] = [parseDate(stored.start) ?? 0, stored.end === undefined ? null : parseDate(stored.end)]
  const userAttributes = Object.entries(stored.userAttributes)
  return { id, name, start, end, multiplier, rounding, userAttributes, created }
}

/** A given boost in the form that is stored. */
export function toStoredBoost(boost: Boost): StoredGivenBoost {
  const { id, created, name, start, end, multiplier, rounding } = boost
  const last = end === null ? {} : { end: toDateText(end) }
  const userAttributes = Object.fromEntries(boost.userAttributes)
  return { id, created, name, start: toDateText(start), ...last, multiplier, rounding, userAttributes }
}
