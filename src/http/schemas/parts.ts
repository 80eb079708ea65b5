import { z } from 'zod'
import type { AttributeFilter } from '../../engine/answers/wire/user.ts'
import type { DamagedUser } from '../../engine/answers/wire/users.ts'

/**
 * The fields that the schema of an object `T` has. An annotation alone would let a schema lack an optional field, have one
 * too many, know too few words or refuse null: `satisfies ShapeOf<T>` lets none of these pass.
 */
export type ShapeOf<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? z.ZodExactOptional<FieldOf<Required<T>[K]>>
    : FieldOf<Required<T>[K]>
}

type FieldOf<V> = null extends V ? z.ZodNullable<PresentOf<NonNullable<V>>> : PresentOf<V>

type PresentOf<V> = [V] extends [string]
  ? string extends V
    ? z.ZodType<V>
    : z.ZodEnum<{ readonly [Word in V]: Word }>
  : z.ZodType<V>

export const uuid: z.ZodType<string> = z.uuid()

/** ISO 8601 in UTC with milliseconds. */
export const instant: z.ZodType<string> = z.iso.datetime({ precision: 3 })

/** `YYYY-MM-DD`. */
export const date: z.ZodType<string> = z.iso.date()

export const count: z.ZodType<number> = z.int().min(0)

export const damagedUsers: z.ZodType<readonly DamagedUser[]> = z.array(
  z.strictObject({ tenant: z.string(), user: z.string(), message: z.string() } satisfies ShapeOf<DamagedUser>),
)

/** What marks a score in a JSON Schema, until the document is made for an API. */
export const SCORE = 'laurels:score'

/** The value of a leaderboard: `integerScores` has it answered as a whole number. */
export const score: z.ZodNumber = z.number().meta({ [SCORE]: true })

/**
 * An object with any keys. zod's own record skips the key `__proto__`; here its value is checked like any other. Meant for
 * checking: what `parse` returns still lacks that key.
 */
export function record<V>(value: z.ZodType<V>): z.ZodType<{ readonly [key: string]: V }> {
  return z.preprocess(
    (input, context) => {
      if (typeof input === 'object' && input !== null && Object.hasOwn(input, '__proto__')) {
        const parsed = value.safeParse(Object.getOwnPropertyDescriptor(input, '__proto__')?.value)
        for (const issue of parsed.error?.issues ?? []) {
          context.issues.push({ ...issue, path: ['__proto__', ...issue.path], input: undefined })
        }
      }
      return input
    },
    z.record(z.string(), value),
  )
}

export const attributeFilterSchema: z.ZodType<AttributeFilter> = z
  .strictObject({ key: z.string(), value: z.string() } satisfies ShapeOf<AttributeFilter>)
  .meta({ id: 'AttributeFilter', description: 'An attribute, and the value that it must have.' })
