import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { wrongCall } from '../text.ts'

/** The folder that the files are for. */
export interface Project {
  readonly directory: string
  /** Whether its `.js` and `.ts` files are ES modules. */
  readonly isModule: boolean
  /** Whether its package.json says that they are not. */
  readonly isCommonJs: boolean
  /** Names of the packages that its package.json lists. */
  readonly packages: ReadonlySet<string>
  /** Whether Next has its routes below `src`. */
  readonly hasSrcApp: boolean
  readonly hasTsconfig: boolean
}

const dependencies = z.record(z.string(), z.unknown()).optional()
const manifestSchema = z.object({
  type: z.enum(['module', 'commonjs']).optional(),
  dependencies,
  devDependencies: dependencies,
})

/** Throws `invalid_request` where the folder has no package.json that can be read. */
export async function readProject(given: string): Promise<Project> {
  const directory = resolve(given)
  const file = join(directory, 'package.json')
  if (!existsSync(directory)) throw wrongCall(`there is no folder ${directory}`)
  if (!existsSync(file)) throw wrongCall(`there is no package.json in ${directory}: run npm init -y there first`)
  const { type, ...lists } = await readManifest(file)
  return {
    directory,
    isModule: type === 'module',
    isCommonJs: type === 'commonjs',
    packages: new Set([...Object.keys(lists.dependencies ?? {}), ...Object.keys(lists.devDependencies ?? {})]),
    hasSrcApp: existsSync(join(directory, 'src', 'app')),
    hasTsconfig: existsSync(join(directory, 'tsconfig.json')),
  }
}

async function readManifest(file: string): Promise<z.output<typeof manifestSchema>> {
  const text = await readFile(file, 'utf8')
  try {
    // A byte order mark is no JSON.
    return manifestSchema.parse(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : ''
    throw wrongCall(`${file} cannot be read as a package.json: ${reason}`)
  }
}
