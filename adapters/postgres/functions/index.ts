import { fenceFunction, registerFunction } from './batch-numbers.ts'
import { blockFunctions } from './blocks.ts'
import { placeFunction, replaceMessagesFunction } from './messages.ts'
import { readingFunctions } from './ranks.ts'
import { loadFunction, namedPeriodsFunction, periodsFunction } from './read-users.ts'
import { removeFunction } from './remove-user.ts'
import { saveFunction } from './save.ts'

export { savedTypes } from './saved-types.ts'

/*
 * The functions of the schema. They hold no rule of the game: they read and write what was decided in the process.
 *
 * A save is one call of one function, so nothing is locked between two round trips, and each statement inside sees what
 * was committed before it began. Users that somebody else holds are left out, not waited for: known ones by their row,
 * new ones by an advisory lock, for there is no row yet. What is waited for is held for a moment only: the process's own
 * row and counters, these sorted by key.
 */

/** The functions, in the order in which they can be created. */
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
    placeFunction(schema),
    replaceMessagesFunction(schema),
    removeFunction(schema),
  ]
}
