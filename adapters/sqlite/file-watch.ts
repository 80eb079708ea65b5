import { type BigIntStats, renameSync, statSync } from 'node:fs'
import { GamificationError } from '../../src/errors.ts'
import { isDamage, toStorageError } from './errors.ts'

/**
 * Whether the file that is held is still the one at its path, and sound. SQLite does not ask: it goes on writing into a
 * file that was deleted, and into the WAL of one that was cut off.
 */
export interface FileWatch {
  /** The file was just opened. `probe` throws where what it reads from the file itself shows that it is damaged. */
  begin(probe: Probe): void
  /**
   * Before each write: throws `storage_unusable` once anything was found to be wrong. Looks at the file where it last did
   * so a quarter of a second ago or longer.
   */
  check(): void
  /** Takes notice of what SQLite has thrown: after a sign of damage nothing is written any more. */
  note(error: unknown): void
  /** Calls it once, as soon as anything is found to be wrong. */
  onFault(listener: () => void): void
  /** Before the file is closed. */
  end(): void
}

/** `isShorter`: all of it is to be read, for the file has become shorter, as it does by VACUUM and by being cut off. */
export type Probe = (isShorter: boolean) => void

const LOOK_MS = 250
/** SQLite's own names for what belongs to a database. */
const COMPANIONS = ['-wal', '-shm'] as const

/** For a database that has no file. */
export const NO_WATCH: FileWatch = {
  begin: () => undefined,
  check: () => undefined,
  note: () => undefined,
  onFault: () => undefined,
  end: () => undefined,
}

/** Never opens the file: to close it again would let go of the locks that SQLite holds on it for this process. */
export function watchFile(file: string): FileWatch {
  /** Which files are held, by the end of their names. */
  const held = new Map<string, string>()
  const listeners: (() => void)[] = []
  let probe: Probe = () => undefined
  let probed = ''
  let size = 0n
  let nextLook = Number.NEGATIVE_INFINITY
  let fault: GamificationError | null = null

  function fail(found: GamificationError): GamificationError {
    fault ??= found
    for (const listener of listeners.splice(0)) listener()
    return fault
  }

  /** Whether the path leads to what is held; what was not there before is taken for ours. */
  function isHeld(suffix: string, found: BigIntStats | undefined): boolean {
    const known = held.get(suffix)
    if (found === undefined) return known === undefined
    const id = idOf(found)
    held.set(suffix, known ?? id)
    return known === undefined || known === id
  }

  function look(): void {
    const main = find(file)
    if (!isHeld('', main)) {
      setAside()
      throw fail(notThere(file))
    }
    if (!COMPANIONS.every((suffix) => isHeld(suffix, find(file + suffix)))) throw fail(notThere(file))
    if (main === undefined) return
    if (main.size === 0n) throw fail(damaged(file, null))
    // The file is written to when the WAL is written back, and by nobody else.
    const written = `${main.mtimeNs} ${main.size}`
    if (written === probed) return
    try {
      probe(main.size < size)
      probed = written
      size = main.size
    } catch (error) {
      if (isDamage(error)) throw fail(damaged(file, error))
    }
  }

  /** Whatever is opened at the path next would take the WAL of the file that was there for its own. */
  function setAside(): void {
    for (const suffix of COMPANIONS) {
      const found = find(file + suffix)
      if (found === undefined || idOf(found) !== held.get(suffix)) continue
      try {
        renameSync(file + suffix, `${file}${suffix}.of-${held.get('')}`)
      } catch {
        // The directory may only be read.
      }
    }
  }

  return {
    begin: (own) => {
      probe = own
      const isSame = isHeld('', find(file))
      if (!isSame) fail(notThere(file))
    },
    check: () => {
      if (fault !== null) throw fault
      const now = performance.now()
      if (now < nextLook) return
      nextLook = now + LOOK_MS
      look()
    },
    note: (error) => {
      if (fault === null && isDamage(error)) fail(damaged(file, error))
    },
    onFault: (listener) => void listeners.push(listener),
    end: () => {
      if (!isHeld('', find(file))) setAside()
    },
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
  const said = error === null ? `${file} was emptied.` : toStorageError(file, error).message
  const message = `${said} Nothing more is written until the process is started again, on a sound file.`
  return new GamificationError('storage_unusable', message, error === null ? {} : { cause: error })
}
