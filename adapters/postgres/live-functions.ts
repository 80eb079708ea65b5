import { blockFunctions } from './blocks/index.ts'
import { fenceFunction, loadFunction, namedPeriodsFunction, periodsFunction, registerFunction } from './functions.ts'
import { readingFunctions } from './leaderboard-functions.ts'
import { placeFunction, replaceMessagesFunction, saveMessagesFunction } from './outbox-functions.ts'
import { forgetStartsFunction, removeFunction } from './remove-function.ts'
import { saveFunction } from './save-function.ts'

/**
 * The functions as the newest migrations have them, in the order in which they can be created. Nothing runs these texts: a
 * migration runs the copy that it has, which stays as it is when a source changes. Tests compare the two.
 */
export function liveFunctions(schema: string): readonly string[] {
  return [
    loadFunction(schema),
    ...readingFunctions(schema),
    ...blockFunctions(schema),
    periodsFunction(schema),
    namedPeriodsFunction(schema),
    registerFunction(schema),
    fenceFunction(schema),
    saveFunction(schema),
    saveMessagesFunction(schema),
    placeFunction(schema),
    replaceMessagesFunction(schema),
    forgetStartsFunction(schema),
    removeFunction(schema),
  ]
}
