import { type BigIntStats, renameSync, statSync } from 'node:fs'
import { GamificationError } from '../../src/errors.ts'
import { isDamage, toSqliteError } from './errors.ts'

/**
 * Finds out whether the file that is open is still the one at its path, and sound. SQLite itself does not: it continues
 * writing into a file that was deleted, and into the WAL of one that was cut off.
 */
export interface FileWatch {
  /** Call it right after the file was opened. */
  begin(probe: Probe): void
  /**
   * Call it before each write: it throws `storage_unusable` once a fault was found. Looks at the file itself at most
   * every quarter of a second, or at once.
   */
  check(isAtOnce?: boolean): void
  /** Takes notice of an error of SQLite: after one that shows damage, `check` always throws. */
  note(error: unknown): void
  /** Call it before the file is closed. */
  end(): void
}

/** `isShorter`: the file has become shorter, by VACUUM or because it was cut off, so the probe reads all of it. */
export type Probe = (isShorter: boolean) => void

const LOOK_MS = 250
/** SQLite's own names for what belongs to a database. */
const COMPANIONS = ['-wal', '-shm'] as const

/** For a database that has no file. */
export const NO_WATCH: FileWatch = {
  begin: () => undefined,
  check: () => undefined,
  note: () => undefined,
  end: () => undefined,
}

/** Never opens the file: to close it again would let go of the locks that SQLite holds on it for this process. */
export function watchFile(file: string): FileWatch {
  const openFiles: OpenFiles = new Map()
  let probe: Probe = () => undefined
  let probed: BigIntStats | undefined
  let nextLook = Number.NEGATIVE_INFINITY
  let fault: GamificationError | null = null

  function look(): GamificationError | null {
    nextLook = performance.now() + LOOK_MS
    const main = find(file)
    const found = faultOf(openFiles, file, main)
    // The file changes only when the WAL is written back to it, and is probed only then.
    const isKnown = main?.mtimeNs === probed?.mtimeNs && main?.size === probed?.size
    if (main === undefined || found !== null || isKnown) return found
    try {
      probe(probed !== undefined && main.size < probed.size)
      probed = main
      return null
    } catch (error) {
      return isDamage(error) ? damaged(file, error) : null
    }
  }

  return {
    begin: (own) => {
      probe = own
      if (!isOpenFile(openFiles, '', find(file))) fault ??= notThere(file)
    },
    check: (isAtOnce = false) => {
      if (isAtOnce || performance.now() >= nextLook) fault ??= look()
      if (fault !== null) throw fault
    },
    note: (error) => {
      if (isDamage(error)) fault ??= damaged(file, error)
    },
    end: () => {
      if (!isOpenFile(openFiles, '', find(file))) setAside(openFiles, file)
    },
  }
}

/** The ids of the files that SQLite has open, by the end of their names. */
type OpenFiles = Map<string, string>

/**
 * Returns whether a path still leads to the file that SQLite has open. A file that is seen for the first time is taken for
 * that one.
 */
function isOpenFile(openFiles: OpenFiles, suffix: string, found: BigIntStats | undefined): boolean {
  const known = openFiles.get(suffix)
  if (found === undefined) return known === undefined
  const id = idOf(found)
  openFiles.set(suffix, known ?? id)
  return known === undefined || known === id
}

/** A fault of the files that can be seen without reading them. `main` is the file at the path. */
function faultOf(openFiles: OpenFiles, file: string, main: BigIntStats | undefined): GamificationError | null {
  if (!isOpenFile(openFiles, '', main)) {
    setAside(openFiles, file)
    return notThere(file)
  }
  if (!COMPANIONS.every((suffix) => isOpenFile(openFiles, suffix, find(file + suffix)))) return notThere(file)
  return main?.size === 0n ? damaged(file, null) : null
}

/** Renames the WAL of the file that was there: whatever is opened at the path next would take the WAL for its own. */
function setAside(openFiles: OpenFiles, file: string): void {
  for (const suffix of COMPANIONS) {
    const found = find(file + suffix)
    if (found === undefined || idOf(found) !== openFiles.get(suffix)) continue
    try {
      renameSync(file + suffix, `${file}${suffix}.of-${openFiles.get('')}`)
    } catch {
      // The directory may be read-only: then the WAL stays if it is.
    }
  }
}

function idOf({ dev, ino }: BigIntStats): string {
  return `${dev}-${ino}`
}

function find(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

function notThere(file: string): GamificationError {
  const message =
    `${file} is no longer the database that was opened: it, or its -wal or -shm, was deleted, moved or replaced. ` +
    'Nothing more is written. Put the right files in their place, and start the process again.'
  return new GamificationError('storage_unusable', message)
}

function damaged(file: string, error: unknown): GamificationError {
  const said = error === null ? `${file} was emptied.` : toSqliteError(file, error).message
  const message = `${said} Nothing more is written until the process is started again, on a sound file.`
  return new GamificationError('storage_unusable', message, error === null ? {} : { cause: error })
}
