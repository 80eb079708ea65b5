import type { z } from 'zod'

/** The input of a schema, read-only. A member that may be undefined may be absent. */
type Input<T> = T extends readonly (infer Item)[]
  ? readonly Input<Item>[]
  : T extends Date | ReadonlyMap<unknown, unknown>
    ? T
    : T extends object
      ? { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: Input<T[Name]> } & {
          readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Input<T[Name]>
        }
      : T

/**
 * Compares a schema with the interface of its request. `true` if they agree, otherwise the mistake. Names of members are
 * compared at the first level; deeper ones only for what the schema accepts. Write
 * `true satisfies Takes<typeof schema, Request>` below the schema.
 */
export type Takes<Schema extends z.ZodType, Request> =
  Request extends Input<z.input<Schema>>
    ? [Exclude<keyof z.input<Schema>, keyof Request>] extends [never]
      ? [Exclude<keyof Request, keyof z.input<Schema>>] extends [never]
        ? true
        : ['the schema lacks', Exclude<keyof Request, keyof z.input<Schema>>]
      : ['the request lacks', Exclude<keyof z.input<Schema>, keyof Request>]
    : ['the schema refuses', Request]
