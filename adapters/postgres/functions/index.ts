import { inSchema } from '../quote.ts'
import { blockFunctions } from './blocks.ts'
import { readingFunctions } from './ranks.ts'
import { TEXTS } from './texts.ts'

/**
 * The functions of the schema, in the order in which they can be created. They hold no rule of the game: they read and
 * write what was decided in the process.
 */
export function liveFunctions(schema: string): readonly string[] {
  return [
    inSchema(TEXTS.load, schema),
    ...readingFunctions(schema),
    ...blockFunctions(schema),
    inSchema(TEXTS.save, schema),
  ]
}
