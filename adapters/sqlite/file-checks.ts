import { GamificationError } from '../../src/errors.ts'
import { type None, statement } from '../../src/sql/database.ts'
import type { BlockConnection } from './leaderboard-blocks.ts'

type Queries = Pick<BlockConnection, 'get' | 'all'>

/** Checks before migrations. They use functions and pragmas that a SQLite in a platform may refuse, which needs no checks. */
export interface FileChecks {
  /** Throws `storage_unusable` if laurels cannot use this SQLite or this file. */
  sqlite(connection: Queries): void
  /**
   * Throws `storage_unusable` if a table of the host refers to one of ours: replacing our table would remove the rows
   * that refer to it.
   */
  references(connection: Queries): void
}

const EXAMINE = statement<None, { readonly version: string; readonly encoding: string }>(
  'select sqlite_version() as version, encoding from pragma_encoding',
)
const FIND_REFERENCES = statement<None, { readonly name: string; readonly to: string }>(
  `select s.name, f."table" as "to" from sqlite_schema s, pragma_foreign_key_list(s.name) f
    where s.type = 'table' and lower(f."table") like 'laurels!_%' escape '!'`,
)

/** From 2023-02, the first version with `unhex`. */
const OLDEST = [3, 41]

export const FILE_CHECKS: FileChecks = {
  sqlite: (connection) => {
    const { version = '', encoding = '' } = connection.get(EXAMINE, {}) ?? {}
    requireVersion(version)
    requireUtf8(encoding)
  },
  references: (connection) => {
    const [found] = connection.all(FIND_REFERENCES, {})
    if (found === undefined) return
    const message = `The table ${found.name} has a foreign key to ${found.to}, which migrations may replace: take it away, keep the ids alone, and call migrate() again.`
    throw new GamificationError('storage_unusable', message)
  },
}

/** Throws `storage_unusable` if the driver's SQLite lacks a feature that the statements need. */
function requireVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  const message = `The driver has SQLite ${version}, which is too old: give sqlite() a driver that has ${OLDEST.join('.')} or newer.`
  throw new GamificationError('storage_unusable', message)
}

/** Throws `storage_unusable` if text is UTF-16: packed ids and the order of ids need UTF-8. */
function requireUtf8(encoding: string): void {
  if (encoding === 'UTF-8') return
  const message = `The database keeps text as ${encoding}, and laurels needs UTF-8: copy what is in it to a new file, whose encoding is UTF-8.`
  throw new GamificationError('storage_unusable', message)
}
