import { z } from 'zod'
import { criterion, within, years } from './criteria.ts'
import {
  datePart,
  description,
  filters,
  integer,
  key,
  length,
  list,
  name,
  number,
  object,
  oneOf,
  oneOfKinds,
  parseAs,
  record,
  value,
} from './schema-parts.ts'
import type { StoredAchievement } from './stored-definition.ts'
import { tierKey } from './tiers.ts'

/** A flag, or an object with details. `false` means the same as leaving it out. */
function flagOr<Shape extends z.core.$ZodLooseShape>(what: string, shape: Shape) {
  const full = object(shape)
  return z.unknown().transform((input, context): true | z.output<typeof full> | undefined => {
    if (input === undefined || typeof input === 'boolean') return input === true ? true : undefined
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      context.issues.push({ code: 'custom', message: `must be ${what}`, input })
      return z.NEVER
    }
    return parseAs(full, input, context)
  })
}

const base = {
  name,
  description,
  badgeUrl: name.exactOptional(),
  status: oneOf('active', 'inactive', 'locked').default('active'),
  userAttributes: filters,
  secret: flagOr("true, false or { name: '…' }", { name }).optional(),
  until: datePart.exactOptional(),
  validFor: object({ days: integer('a whole number of days from 1 to 3650', 1, 3_650) }).exactOptional(),
  announce: list(number('a number above 0 and below 1', (share) => share > 0 && share < 1)).optional(),
}
const repeat = { repeat: flagOr('true, false or { max: 10 }', { max: integer('a whole number from 2', 2) }).optional() }
const metric = {
  ...base,
  trigger: z.literal('metric'),
  metric: key,
  eventAttributes: filters,
  within: within.exactOptional(),
}
const streak = { ...base, trigger: z.literal('streak'), streak: key.exactOptional() }
const composite = { ...base, trigger: z.literal('achievement'), achievements: list(key) }
const criteria = {
  ...base,
  trigger: z.literal('criteria'),
  atLeast: integer('a whole number from 1', 1).exactOptional(),
  of: list(criterion),
}
const anniversary = { ...base, trigger: z.literal('anniversary'), years }

const plain = oneOfKinds('trigger', base, [
  object({ ...metric, value, ...repeat }),
  object({ ...base, trigger: z.literal('api'), ...repeat }),
  object({ ...streak, length, ...repeat }),
  object(composite),
  object(criteria),
  object(anniversary),
])

const tierBase = { name: name.exactOptional(), description, badgeUrl: name.exactOptional() }
// Properties that do not go with tiers pass here, because `checkTiers` explains them.
const any = z.unknown().optional()
const anything = { value: any, length: any, repeat: any }
const tiered = oneOfKinds('trigger', base, [
  object({ ...metric, ...anything, tiers: record(object({ ...tierBase, value })) }),
  object({ ...streak, ...anything, tiers: record(object({ ...tierBase, length })) }),
  object({ ...base, ...anything, trigger: z.literal('api'), tiers: record(z.unknown()) }),
  object({ ...composite, ...anything, tiers: record(z.unknown()) }),
  object({ ...criteria, ...anything, tiers: record(z.unknown()) }),
  object({ ...anniversary, ...anything, tiers: record(z.unknown()) }),
])
type Tiered = Extract<z.output<typeof tiered>, { readonly trigger: 'metric' | 'streak' }>

const achievement = z.unknown().transform((input, context): StoredAchievement | Tiered => {
  const hasTiers = typeof input === 'object' && input !== null && Object.hasOwn(input, 'tiers')
  const parsed = hasTiers ? parseAs(tiered, input, context) : parseAs(plain, input, context)
  // A tiered achievement of another trigger passes here, but `checkTiers` has reported it as a mistake.
  return withoutAbsent(parsed as StoredAchievement | Tiered)
})

/** Without properties that are `undefined`, which a stored game does not have. */
function withoutAbsent<Value extends object>(given: Value): Value {
  return Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined)) as Value
}

/** A game with tiers is the game that has them as achievements, in the place of the whole. */
function expandTiers(given: { readonly [key: string]: StoredAchievement | Tiered }): {
  readonly [key: string]: StoredAchievement
} {
  const entries = Object.entries(given).flatMap(([key, achievement]): [string, StoredAchievement][] => {
    if (!('tiers' in achievement)) return [[key, achievement]]
    const { tiers, value: _, length: __, repeat: ___, ...common } = achievement
    return Object.entries(tiers).map(([tier, own]) => {
      const name = own.name ?? `${common.name} ${tier.slice(0, 1).toUpperCase()}${tier.slice(1)}`
      return [tierKey(key, tier), { ...common, ...own, name } as StoredAchievement]
    })
  })
  return Object.fromEntries(entries)
}

export const achievements: z.ZodType<{ readonly [key: string]: StoredAchievement }> = record(achievement)
  .default({})
  .transform(expandTiers)
