import type { z } from 'zod'
import type { WalletRule } from '../rules/game.ts'
import type { AfterDefinition, ExpiryDefinition, WalletDefinition } from './definition-parts.ts'
import { flagPart, integer, object, oneOf } from './schema-parts.ts'

const MOST_DAYS = 90
const LONGEST_EXPIRY = { days: 36_500, months: 1_200, years: 100 }
const USUAL_GRACE = 30

const daysPart = (most: number): z.ZodType<{ readonly days: number }> =>
  object({ days: integer(`a whole number of days from 1 to ${most}`, 1, most) }, 'an object, as { days: 7 }')
const lasting = (unit: keyof typeof LONGEST_EXPIRY): z.ZodExactOptional<z.ZodNumber> =>
  integer(`a whole number of ${unit} from 1 to ${LONGEST_EXPIRY[unit]}`, 1, LONGEST_EXPIRY[unit]).exactOptional()

// Exactly one of the three.
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
