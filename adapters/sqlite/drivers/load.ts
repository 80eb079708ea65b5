import { GamificationError } from '../../../src/errors.ts'
import type { SqliteDriver } from '../driver.ts'
import { codeOf, isUnbuilt, unbuilt } from '../errors.ts'

export interface DriverSources {
  betterSqlite3(): Promise<SqliteDriver>
  /** The version of better-sqlite3 that is installed; rejects if none is. */
  versionOfBetterSqlite3(): Promise<string>
  /** The driver that Node and Deno include, or undefined if this version has none. The next member is the same for Bun. */
  nodeSqlite(): SqliteDriver | undefined
  bunSqlite(): SqliteDriver | undefined
}

export interface DriverVersions {
  readonly node: string
  readonly napi?: string
  readonly bun?: string
  readonly deno?: string
}

// The comments or the `catch` make bundlers leave both imports alone; otherwise they would stop if the package is not
// installed.
const SOURCES: DriverSources = {
  betterSqlite3: async () =>
    (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ 'better-sqlite3').catch(rethrow)).default,
  versionOfBetterSqlite3: async () =>
    (
      await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ 'better-sqlite3/package.json', {
        with: { type: 'json' },
      }).catch(rethrow)
    ).default.version,
  // Not imported by name: a bundler for one runtime would not find what another has.
  nodeSqlite: () => process.getBuiltinModule('node:sqlite')?.DatabaseSync as unknown as SqliteDriver | undefined,
  bunSqlite: () =>
    (process.getBuiltinModule('bun:sqlite') as { readonly Database: SqliteDriver } | undefined)?.Database,
}

/**
 * On Bun `bun:sqlite`; on Deno `node:sqlite`; on Node better-sqlite3 if it is installed, else `node:sqlite`. Throws
 * `storage_unusable` if there is no driver, or if the installed better-sqlite3 does not run in this process. It is not
 * even loaded if it would crash the process.
 */
export async function loadDriver(
  sources: DriverSources = SOURCES,
  versions: DriverVersions = process.versions,
): Promise<SqliteDriver> {
  if (versions.bun !== undefined) return sources.bunSqlite() ?? noDriver(versions)
  if (versions.deno !== undefined) return sources.nodeSqlite() ?? noDriver(versions)
  const installed = await sources.versionOfBetterSqlite3().catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (installed === null) return sources.nodeSqlite() ?? noDriver(versions)
  checkVersions(installed, versions)
  try {
    return await sources.betterSqlite3()
  } catch (cause) {
    throw isUnbuilt(cause) ? unbuilt(cause) : cause
  }
}

/** The driver that `loadDriver` loads, in words. */
export async function describeDriver(
  sources: DriverSources = SOURCES,
  versions: DriverVersions = process.versions,
): Promise<string> {
  if (versions.bun !== undefined) return `bun:sqlite of Bun ${versions.bun}`
  if (versions.deno !== undefined) return `node:sqlite of Deno ${versions.deno}`
  const installed = await sources.versionOfBetterSqlite3().catch(() => null)
  return installed === null ? `node:sqlite of Node ${versions.node}` : `better-sqlite3 ${installed}`
}

/** Loads the driver by the host's own function, the option `driver`. */
export async function loadGiven(driver: () => Promise<SqliteDriver>): Promise<SqliteDriver> {
  try {
    return await driver()
  } catch (cause) {
    if (isUnbuilt(cause)) throw unbuilt(cause)
    const message =
      'The driver given to sqlite() could not be loaded. Leave it out, and sqlite() takes what is installed.'
    throw new GamificationError('storage_unusable', message, { cause })
  }
}

function noDriver({ node, bun, deno }: DriverVersions): never {
  throw new GamificationError('storage_unusable', whyThereIsNone())

  function whyThereIsNone(): string {
    if (deno !== undefined) {
      return `sqlite() and memory() need Deno 2.2 or newer, and this is ${deno}. Update Deno, or use postgres().`
    }
    if (bun !== undefined) return `Bun ${bun} has no bun:sqlite. Update Bun.`
    return `laurels needs Node 22.13 or newer, and this is ${node}. Update Node.`
  }
}

function rethrow(error: unknown): never {
  throw error
}

function isMissing(error: unknown): boolean {
  return ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(codeOf(error))
}

/**
 * Throws if better-sqlite3 would crash the process. Versions up to 12 call `abort()` when a statement is collected, on
 * Node 24.19 and newer. Versions from 13 on end by a signal if Node-API is older than 10.
 */
function checkVersions(installed: string, { node, napi }: DriverVersions): void {
  const [major = 0] = numbersOf(installed)
  const [nodeMajor = 0, nodeMinor = 0] = numbersOf(node)
  if (major < 13 && (nodeMajor > 24 || (nodeMajor === 24 && nodeMinor >= 19))) {
    throw crashing(`better-sqlite3 ${installed} crashes on Node ${node}. Install 13: npm install better-sqlite3@13`)
  }
  if (major >= 13 && Number(napi) < 10) {
    throw crashing(
      `better-sqlite3 ${installed} crashes on Node ${node}: it needs 22.14 or newer. Update Node, or remove the package ` +
        '(npm uninstall better-sqlite3): from Node 22.13 on, node:sqlite is taken in its place.',
    )
  }
}

function crashing(message: string): GamificationError {
  return new GamificationError('storage_unusable', message)
}

function numbersOf(version: string): readonly number[] {
  return version.split('.').map(Number)
}
