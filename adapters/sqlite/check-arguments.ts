import { GamificationError } from '../../src/errors.ts'
import { checkMilliseconds, checkOptions, describeGiven, invalidOption, textOf } from '../../src/options.ts'

import { DRIVERS, isDatabase } from './drivers/to-database.ts'

const WANTED = `give it the path of a file, as sqlite('app.db'), ':memory:', or a database of ${DRIVERS}`

/** Throws `storage_unusable` for a source that `sqlite()` cannot open. */
export function checkSource(source: unknown): void {
  const text = textOf(source)
  if (text !== null) checkText(text)
  else if (!isDatabase(source)) {
    const question = source === undefined ? ' Is the variable set that it comes from?' : ''
    throw unusable(`sqlite() was given ${describeGiven(source)}: ${WANTED}.${question}`)
  }
}

function checkText(source: string): void {
  const [, scheme = 'file'] = /^([a-z][a-z\d+.-]*):\/\//i.exec(source) ?? []
  if (scheme.toLowerCase() === 'file') return
  const remedy = /^postgres/i.test(scheme) ? 'give it to postgres() from laurels/postgres' : WANTED
  throw unusable(`sqlite() was given a URL of ${scheme}: ${remedy}.`)
}

function unusable(message: string): GamificationError {
  return new GamificationError('storage_unusable', message)
}

/** Throws `invalid_request`. */
export function checkSqliteOptions(options: unknown): void {
  checkOptions('options of sqlite()', options, ['synchronous', 'busyDeadlineMs', 'driver'])
  const { synchronous, busyDeadlineMs, driver } = options as { readonly [name: string]: unknown }
  if (synchronous !== undefined && synchronous !== 'FULL' && synchronous !== 'NORMAL') {
    throw invalidOption('synchronous', "'FULL' or 'NORMAL'", synchronous)
  }
  checkMilliseconds('busyDeadlineMs', busyDeadlineMs)
  if (driver !== undefined && typeof driver !== 'function') {
    throw invalidOption('driver', 'a function that loads the class of a driver', driver)
  }
}
