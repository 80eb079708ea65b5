import type { z } from 'zod'
import type { WalletRule } from '../rules/game.ts'
import { MOST_LOTS } from '../rules/wallet.ts'
import type { AfterDefinition, ExpiryDefinition, WalletDefinition } from './definition-parts.ts'
import { type Json, type JsonPart, type Mistakes, partsAt, propertyOf } from './json.ts'
import { flagPart, integer, object, oneOf } from './schema-parts.ts'

const MOST_DAYS = 90
const LONGEST_EXPIRY = { days: 36_500, months: 1_200, years: 100 }
const USUAL_GRACE = 30

const daysPart = (most: number): z.ZodType<{ readonly days: number }> =>
  object({ days: integer(`a whole number of days from 1 to ${most}`, 1, most) }, 'an object, as { days: 7 }')
const lasting = (unit: keyof typeof LONGEST_EXPIRY): z.ZodExactOptional<z.ZodNumber> =>
  integer(`a whole number of ${unit} from 1 to ${LONGEST_EXPIRY[unit]}`, 1, LONGEST_EXPIRY[unit]).exactOptional()

// `checkWallets` demands exactly one of the three.
const after = object(
  { days: lasting('days'), months: lasting('months'), years: lasting('years') },
  'an object, as { months: 12 }',
).transform(({ days, months, years = 1 }): AfterDefinition => {
  if (days !== undefined) return { days }
  return months === undefined ? { years } : { months }
})

const expires: z.ZodType<ExpiryDefinition> = object(
  {
    after,
    roundTo: oneOf('day', 'month', 'year').exactOptional(),
    warn: daysPart(MOST_DAYS).exactOptional(),
  },
  'an object, as { after: { months: 12 } }',
)

interface WalletShape extends z.core.$ZodLooseShape {
  readonly spendable: z.ZodExactOptional<z.ZodBoolean>
  readonly expires: z.ZodExactOptional<typeof expires>
  readonly pending: z.ZodExactOptional<z.ZodType<{ readonly days: number }>>
  readonly refundGrace: z.ZodExactOptional<z.ZodType<{ readonly days: number }>>
}

export const walletShape: WalletShape = {
  spendable: flagPart().exactOptional(),
  expires: expires.exactOptional(),
  pending: daysPart(MOST_DAYS).exactOptional(),
  refundGrace: daysPart(366).exactOptional(),
}

/** Returns `null` if the points cannot be spent. */
export function compileWallet({ spendable, expires, pending, refundGrace }: WalletDefinition): WalletRule | null {
  if (spendable !== true) return null
  return {
    expires: expires === undefined ? null : compileExpiry(expires),
    pendingDays: pending?.days ?? 0,
    graceDays: refundGrace?.days ?? USUAL_GRACE,
  }
}

function compileExpiry({ after, roundTo = 'month', warn }: ExpiryDefinition): NonNullable<WalletRule['expires']> {
  const rest = { roundTo, warnDays: warn?.days ?? null }
  if (after.days !== undefined) return { unit: 'day', count: after.days, ...rest }
  if (after.months !== undefined) return { unit: 'month', count: after.months, ...rest }
  return { unit: 'year', count: after.years ?? 1, ...rest }
}

const OF_WALLETS = ['expires', 'pending', 'refundGrace'] as const
const UNITS = ['days', 'months', 'years'] as const
/** Days of the shortest and the longest month, and so on. */
const SHORTEST = { days: 1, months: 28, years: 365 }
const LONGEST = { days: 1, months: 31, years: 366 }

/** Checks the spendable systems. Like `checkReferences`, it skips parts with the wrong shape. */
export function checkWallets(game: Json, mistakes: Mistakes): void {
  for (const system of partsAt(game, 'points.*')) {
    const { value, path } = system
    if (propertyOf(value, 'spendable') === true) checkSpendable(system, mistakes)
    else {
      for (const property of OF_WALLETS) {
        if (propertyOf(value, property) === undefined) continue
        mistakes.add([...path, property], 'is for spendable points; add `spendable: true`, or remove it')
      }
    }
    for (const after of partsAt(value, 'expires.after', path)) checkAfter(after, value, mistakes)
  }
}

function checkSpendable({ value: system, path }: JsonPart, mistakes: Mistakes): void {
  for (const { value: points, path: partPath } of partsAt(system, 'triggers.[].points', path)) {
    if (typeof points !== 'number' || points >= 0) continue
    const help = 'take them with `points.spend`, or make the system not spendable'
    mistakes.add(partPath, `is negative, and triggers do not take away spendable points; ${help}`)
  }
}

function checkAfter({ value: after, path }: JsonPart, system: Json, mistakes: Mistakes): void {
  const named = UNITS.filter((unit) => propertyOf(after, unit) !== undefined)
  const [unit] = named
  if (unit === undefined || named.length > 1) {
    const what = unit === undefined ? 'says neither days nor months nor years' : `says both ${named.join(' and ')}`
    mistakes.add(path, `${what}; give one of them, as { months: 12 }`)
    return
  }
  const count = propertyOf(after, unit)
  if (typeof count !== 'number') return
  const pending = propertyOf(propertyOf(system, 'pending'), 'days')
  if (typeof pending === 'number' && pending >= count * SHORTEST[unit]) {
    const why = `is not longer than pending, which is ${pending} days, so points would expire before they are available`
    mistakes.add(path, `${why}; make it longer, or pending shorter`)
  }
  const lots = lotsOf(unit, count, propertyOf(propertyOf(system, 'expires'), 'roundTo') ?? 'month')
  if (lots <= MOST_LOTS) return
  const help = "make `after` shorter, or `roundTo` longer: 'month' or 'year'"
  mistakes.add(path, `leads to ${lots} dates of expiry at once, and ${MOST_LOTS} are the most; ${help}`)
}

/** How many dates of expiry the points of a user can have at once. */
function lotsOf(unit: (typeof UNITS)[number], count: number, roundTo: unknown): number {
  const days = count * LONGEST[unit]
  if (roundTo === 'day') return days
  const months = unit === 'days' ? Math.ceil(days / 28) : count * (unit === 'years' ? 12 : 1)
  return 1 + (roundTo === 'year' ? Math.ceil(months / 12) : months)
}
