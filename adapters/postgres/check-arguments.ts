import { GamificationError } from '../../src/errors.ts'
import { checkMilliseconds, checkOptions, describeGiven, hasMethods, invalidOption, textOf } from '../../src/options.ts'

const URL_FORM = 'postgres://user:password@host:5432/database'
const WANTED = `give it a connection string, as ${URL_FORM}, a Pool of pg, an instance of kysely, or a PGlite`

/**
 * Throws `storage_unusable` for a source that no connection can come from. No message repeats a text that may have a
 * password in it.
 */
export function checkSource(source: unknown): void {
  const text = textOf(source)
  if (text !== null) checkConnectionString(text)
  else if (isClient(source) || !SHAPES.some((methods) => hasMethods(source, methods))) {
    const question = source === undefined ? ' Is the variable set that it comes from, as DATABASE_URL?' : ''
    throw unusable(`postgres() was given ${describeGiven(source)}: ${remedyFor(source)}.${question}`)
  }
}

/** Methods of a pool of pg, of kysely and of PGlite. */
const SHAPES = [['connect', 'on', 'off', 'end'], ['connection'], ['query', 'transaction', 'execProtocol']]

function isClient(source: unknown): boolean {
  return typeof source === 'object' && source !== null && ('connectionParameters' in source || 'release' in source)
}

function remedyFor(source: unknown): string {
  if (isClient(source))
    return 'a single client can serve one call at a time, so give it the Pool: postgres(new pg.Pool({ … }))'
  const isConfig = typeof source === 'object' && source !== null && CONFIG.some((name) => name in source)
  return isConfig ? 'make a pool of it, as postgres(new pg.Pool({ … }))' : WANTED
}

const CONFIG = ['connectionString', 'host', 'user', 'database', 'port', 'password', 'max']

/** What pg reads: a URL, or the folder of a socket. */
function checkConnectionString(text: string): void {
  if (text === '') throw unusable(`postgres() was given an empty text: ${WANTED}.`)
  if (text.startsWith('/') || /^socket:/i.test(text)) return
  if (!/^postgres(ql)?:/i.test(text)) {
    // A path has no password in it.
    const shown = /^[\w./\\-]{1,60}$/.test(text) ? ` '${text}'` : ''
    throw unusable(`postgres() was given a text${shown} that is no connection string: write ${URL_FORM}.`)
  }
  // pg takes a URL with a user but no host, where the host is among the parameters.
  if (URL.canParse(text) || URL.canParse(text.replace('@/', '@localhost/'))) return
  throw unusable(
    `The connection string cannot be read: write ${URL_FORM}, with special characters in the password percent-encoded.`,
  )
}

function unusable(message: string): GamificationError {
  return new GamificationError('storage_unusable', message)
}

/** Throws `invalid_request`. */
export function checkPostgresOptions(options: unknown): void {
  checkOptions('options of postgres()', options, ['schema', 'deadlineMs', 'driver'])
  const { schema, deadlineMs, driver } = options as { readonly [name: string]: unknown }
  if (schema !== undefined && typeof schema !== 'string') throw invalidOption('schema', 'a text', schema)
  checkMilliseconds('deadlineMs', deadlineMs)
  if (driver !== undefined && typeof driver !== 'function') {
    throw invalidOption('driver', 'a function that opens a pool', driver)
  }
}
