import { z } from 'zod'
import { optional, type Parsed, upTo } from '../../runtime/input.ts'
import type { Takes } from '../takes.ts'

export interface GamesRequest {
  /** 1 to 20. Default: 10. */
  readonly limit?: number
  /** Continues with lower epochs: `before` of the previous answer. */
  readonly before?: number
}

/** The requested part of a list. */
export interface ConfigurationListRequest {
  /** The most items, 1 to 100. Default 10. */
  readonly limit?: number
  /** The number of items to skip. Default 0. */
  readonly skip?: number
}

export const gamesRequest: z.ZodType<Parsed<GamesRequest, 'limit'>> = z.strictObject({
  before: optional(z.int().min(1)).meta({ description: '`before` of the answer before.' }),
  limit: upTo(20, 10).meta({ description: 'How many, 1 to 20. Default 10.' }),
})

export type ParsedListRequest = Required<ConfigurationListRequest>

const list = z.strictObject({
  limit: upTo(100, 10).meta({ description: 'How many there are at most, 1 to 100. Default 10.', example: 100 }),
  skip: z.int().min(0).default(0).meta({ description: 'How many to skip. Default 0.', example: 10 }),
})
true satisfies Takes<typeof list, ConfigurationListRequest>
export const configurationListRequest: z.ZodType<ParsedListRequest> = list
