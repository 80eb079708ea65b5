import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as fetchEntry from '../../adapters/fetch/index.ts'
import type * as postgresEntry from '../../adapters/postgres/index.ts'
import type * as sqliteEntry from '../../adapters/sqlite/index.ts'
import type * as mainEntry from '../../src/index.ts'

/** The entries of a built package that the guard's cases use. */
export interface Build {
  readonly main: typeof mainEntry
  readonly sqlite: typeof sqliteEntry.sqlite
  readonly postgres: typeof postgresEntry.postgres
  readonly applicationApi: typeof fetchEntry.applicationApi
}

/** Loads the package of a project folder through the `exports` of its package.json. */
export async function loadBuild(folder: string): Promise<Build> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const load = (entry: string) => import(pathToFileURL(join(folder, exports[entry].default)).href)
  const [main, { sqlite }, { postgres }, { applicationApi }] = await Promise.all(
    ['.', './sqlite', './postgres', './fetch'].map(load),
  )
  return { main, sqlite, postgres, applicationApi }
}
