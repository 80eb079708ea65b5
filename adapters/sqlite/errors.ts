import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, GamificationError, isGamificationError } from '../../src/errors.ts'
import { growingPauses } from '../../src/storage/growing-pauses.ts'

/** Thrown in place of waiting when another connection holds the database; tried again until the deadline. */
export const BUSY: unique symbol = Symbol('busy')

interface Meaning {
  readonly code: ErrorCode
  readonly message: (file: string) => string
}

const damaged: Meaning = {
  code: 'storage_unusable',
  message: (file) => `${file} is not a SQLite database, or it is damaged. Give another path, or restore a backup.`,
}
const unwritable: Meaning = {
  code: 'storage_unusable',
  message: (file) =>
    isDirectory(file)
      ? `${file} is a directory: give the path of a file in it.`
      : `${file} cannot be opened for writing. Look at the permissions of the file and of its directory.`,
}
const failing: Meaning = {
  code: 'storage_unusable',
  message: (file) => `${file} could not be read or written: the disk or file system reports an error.`,
}
const busy: Meaning = {
  code: 'unavailable',
  message: (file) => `${file} was locked until the deadline. Nothing was saved; try again.`,
}
const broken: Meaning = {
  code: 'internal',
  message: (file) => `SQLite refused what laurels asked of ${file}. Nothing was saved.`,
}

const full: Meaning = {
  code: 'storage_full',
  message: (file) => `There is no room left for ${file}. Nothing was saved.`,
}

/**
 * By the first two words of SQLite's code, because the third only refines it. `node:sqlite` gives nothing but a number, whose
 * lowest byte is the code.
 */
const CODES: readonly (readonly [name: string, number: number, meaning: Meaning])[] = [
  ['SQLITE_PERM', 3, unwritable],
  ['SQLITE_BUSY', 5, busy],
  ['SQLITE_LOCKED', 6, busy],
  ['SQLITE_READONLY', 8, unwritable],
  ['SQLITE_IOERR', 10, failing],
  ['SQLITE_CORRUPT', 11, damaged],
  ['SQLITE_FULL', 13, full],
  ['SQLITE_CANTOPEN', 14, unwritable],
  ['SQLITE_PROTOCOL', 15, busy],
  ['SQLITE_NOTADB', 26, damaged],
]

/** better-sqlite3's word for a connection on which a cursor of the host is open. It has no code. */
const isBusyWithQuery = (error: unknown): boolean =>
  error instanceof TypeError && /busy executing a query/.test(error.message)

const meaningOf = (error: unknown): Meaning =>
  error === BUSY || isBusyWithQuery(error) ? busy : meaningOfCode(resultCodeOf(error))

const meaningOfCode = (code: string | number): Meaning =>
  CODES.find(([name, number]) => name === code || number === code)?.[2] ?? broken

function resultCodeOf(error: unknown): string | number {
  if (isObject(error) && 'errcode' in error) return Number(error.errcode) & 255
  return codeOf(error).split('_', 2).join('_')
}

/** Returns whether the file is damaged or otherwise unreliable. */
export function isDamage(error: unknown): boolean {
  const meaning = meaningOf(error)
  return meaning === damaged || meaning === failing
}

/** Returns whether trying again later can help. */
export function isBusy(error: unknown): boolean {
  return meaningOf(error) === busy
}

/**
 * Runs `attempt` until no other connection holds the database, or throws its last error once `end` (by `performance.now()`) has
 * passed. Between attempts the event loop is free.
 */
export async function retryWhileBusy<T>(end: number, attempt: () => T | Promise<T>): Promise<T> {
  const nextPause = growingPauses()
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error
      await sleep(nextPause())
    }
  }
}

/** Translates an error of the driver for the caller. */
export function toSqliteError(file: string, error: unknown): GamificationError {
  if (isGamificationError(error)) return error
  if (isUnbuilt(error)) return unbuilt(error)
  const { code, message } = meaningOf(error)
  return new GamificationError(code, message(file), error === BUSY ? {} : { cause: error })
}

/**
 * Returns whether better-sqlite3's native part is missing or was built for another system. The package `bindings`, which looks for
 * it up to version 12, sets no code but the list of files it tried.
 */
export function isUnbuilt(error: unknown): boolean {
  return ['ERR_DLOPEN_FAILED', 'MODULE_NOT_FOUND'].includes(codeOf(error)) || (isObject(error) && 'tries' in error)
}

export function unbuilt(cause: unknown): GamificationError {
  const message =
    'better-sqlite3 could not be loaded: it has no binary for this system. Install it again, npm install better-sqlite3@13, ' +
    'or remove it: then sqlite() takes node:sqlite.'
  return new GamificationError('storage_unusable', message, { cause })
}

export function codeOf(error: unknown): string {
  return isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Errors of Node are no instances of `Error` if a test runner such as Jest has globals of its own. */
function isObject(error: unknown): error is object {
  return typeof error === 'object' && error !== null
}

function isDirectory(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    return false
  }
}
