import { z } from 'zod'
import { upTo } from '../input.ts'

/** Which part of a list is asked for. */
export interface ConfigurationListRequest {
  /** How many items there are at most, 1 to 100. Default 10. */
  readonly limit?: number
  /** How many items to pass over. Default 0. */
  readonly skip?: number
}

export const configurationListRequest: z.ZodType<{ readonly limit: number; readonly skip: number }> = z.strictObject({
  limit: upTo(100, 10).meta({ description: 'How many there are at most, 1 to 100. Default 10.', example: 100 }),
  skip: z.int().min(0).default(0).meta({ description: 'How many to skip. Default 0.', example: 10 }),
})
