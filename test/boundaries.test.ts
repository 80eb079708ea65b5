import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9'
import { describe, expect, test } from 'vitest'
import { BROWSER, SERVER } from '../build/entries.ts'

// `types` means `import type` and `export type` only: with verbatimModuleSyntax `import { type X }` still loads the file.
type Access = 'types' | 'values'

const DATABASE = 'src/sql src/storage src/errors.ts src/options.ts src/rules'
const BINDING = 'src/http src/index.ts:types'

/**
 * The folders, from the ground up, and what each may import: `:types` means types only. A folder of `src` imports nothing from
 * the lines below its own. A file belongs to the line with the longest name that its path begins with.
 */
const FOLDERS: Record<string, string> = {
  'src/rules': '',
  'src/suggest.ts': '',
  'src/errors.ts': 'src/rules:types',
  'src/http-status.ts': 'src/errors.ts',
  'src/options.ts': 'src/errors.ts src/suggest.ts',
  'src/storage': 'src/rules:types',
  'src/sql': 'src/storage src/rules src/errors.ts',
  'src/shapes': 'src/rules:types src/errors.ts:types src/storage:types',
  'src/game': 'src/rules src/errors.ts src/options.ts src/suggest.ts',
  'src/runtime': 'src/game src/rules src/sql src/storage src/shapes:types src/errors.ts src/options.ts src/suggest.ts',
  'src/answers': 'src/runtime src/game src/rules src/shapes:types src/storage:types',
  'src/record':
    'src/answers src/runtime src/game src/rules src/sql src/storage src/errors.ts src/options.ts src/suggest.ts',
  'src/api':
    'src/record src/answers src/runtime src/game src/rules src/sql src/storage src/shapes:types src/errors.ts src/options.ts src/suggest.ts',
  'src/messages':
    'src/record src/answers src/runtime src/game src/rules src/sql src/storage src/shapes:types src/errors.ts src/options.ts src/suggest.ts',
  'src/gamification.ts':
    'src/api src/messages src/runtime src/game:types src/shapes:types src/storage:types src/errors.ts src/options.ts',
  'src/http':
    'src/api src/messages src/answers src/runtime src/storage src/gamification.ts:types src/game:types src/shapes:types src/errors.ts src/http-status.ts src/options.ts',
  'src/index.ts':
    'src/gamification.ts src/http-status.ts src/api:types src/messages:types src/runtime:types src/game src/storage:types src/errors.ts',
  'src/browser.ts': '',
  'src/testing': 'src/api src/record src/runtime src/game src/rules src/sql src/storage src/errors.ts src/options.ts',
  'adapters/version.ts': 'src/errors.ts',
  'adapters/sqlite': DATABASE,
  'adapters/memory': 'adapters/sqlite src/storage:types',
  'adapters/postgres': DATABASE,
  'adapters/express': BINDING,
  'adapters/fastify': BINDING,
  'adapters/fetch': BINDING,
  'adapters/durable-objects': 'adapters/sqlite adapters/fetch src/index.ts src/sql src/storage src/errors.ts',
  'adapters/better-auth': 'src/index.ts:types src/errors.ts src/options.ts',
  'adapters/opentelemetry': 'src/http-status.ts src/index.ts:types src/options.ts',
  'adapters/client': 'src/index.ts:types src/api:types src/errors.ts:types src/game:types',
  'adapters/react': 'adapters/client src/index.ts:types',
  'adapters/elements': 'adapters/client src/shapes:types',
  'adapters/console':
    'adapters/express adapters/fastify adapters/fetch adapters/version.ts src/http src/index.ts:types src/errors.ts src/options.ts',
  'adapters/console/pages': 'adapters/client adapters/elements src/shapes:types src/api:types src/game:types',
  'adapters/console/vite.config.ts': '',
  'adapters/cli':
    'adapters/console adapters/express adapters/postgres adapters/sqlite adapters/version.ts src/index.ts src/gamification.ts src/http src/api src/runtime src/game src/sql src/storage:types src/shapes:types src/errors.ts src/suggest.ts',
}

const framework = (name: string): string => `${name}:types node:http:types node:stream`

/** The only packages and node: modules of a folder. Folders without a line have node: and every declared package. */
const PACKAGES: Record<string, string> = {
  'src/rules': '',
  'src/browser.ts': '',
  // For browsers: they load each other, and what they show.
  'adapters/client': '',
  'adapters/react': 'react',
  'adapters/elements': 'react:types',
  'adapters/console/pages': 'preact uplot',
  'adapters/console/vite.config.ts': 'vite node:fs node:path node:url node:zlib',
  'adapters/console': 'node:crypto node:fs node:path node:url node:zlib fastify:types node:http:types',
  'adapters/better-auth': 'better-auth:types',
  'adapters/opentelemetry': '@opentelemetry/api node:async_hooks node:diagnostics_channel',
  'adapters/express': framework('express'),
  'adapters/fastify': framework('fastify'),
  'adapters/fetch': framework('fetch'),
}

function readAccess(line: string | undefined): Record<string, Access> {
  const words = (line ?? '').split(' ').filter((word) => word !== '')
  return Object.fromEntries(
    words.map((word) => [word.replace(/:types$/, ''), word.endsWith(':types') ? 'types' : 'values']),
  )
}

/** Drivers are optional: loaded on demand, by the one adapter that needs them. */
const DRIVERS: Record<string, string> = { 'better-sqlite3': 'adapters/sqlite', pg: 'adapters/postgres' }

/** Files that are not shipped in this form: the build needs their imports, and users of the package do not. */
const BUILT_AHEAD = /^adapters\/console\/(?:pages\/|vite\.config\.ts$)/

/** Imports whose specifier is computed, so that a bundler does not stop where the optional package is not installed. */
const COMPUTED: Record<string, readonly string[]> = {
  'adapters/sqlite/drivers/load.ts': ['(computed)', ['$', '{BETTER_SQLITE3}/package.json'].join('')],
}

type Import = { specifier: string; kind: 'types' | 'values' | 'dynamic' }

function readImports(source: string): Import[] {
  const found: Import[] = []
  const file = ts.createSourceFile('file.tsx', source, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  })
  const add = (specifier: ts.Node | undefined, kind: Import['kind']): void => {
    const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : '(computed)'
    found.push({ specifier: text, kind })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.isTypeOnly ? 'types' : 'values')
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      add(node.moduleSpecifier, node.isTypeOnly ? 'types' : 'values')
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, 'dynamic')
    } else if (
      ts.isCallExpression(node) &&
      /^(?:import|require|createRequire\(.*\))$/s.test(node.expression.getText(file))
    ) {
      add(node.arguments[0], 'dynamic')
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

type Files = Record<string, string>

const LONGEST_FIRST = Object.keys(FOLDERS).toSorted((a, b) => b.length - a.length)
const folderOf = (file: string): string | undefined =>
  LONGEST_FIRST.find((name) => file === name || file.startsWith(`${name}/`))

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const resolveFrom = (file: string, specifier: string): string => posix.join(posix.dirname(file), specifier)

function judgeOurs(file: string, { specifier, kind }: Import, files: Files): string | null {
  const target = resolveFrom(file, specifier)
  if (!(target in files)) return 'leads to no source file (is the .ts extension there?)'

  const from = folderOf(file)
  const to = folderOf(target)
  if (!from || !to || from === to) return null

  const access = readAccess(FOLDERS[from])[to]
  if (!access) return `${from} must not import ${to}`
  return access === 'types' && kind !== 'types' ? `${from} may import only types of ${to}` : null
}

function judgePackage(file: string, { specifier, kind }: Import, declared: readonly string[]): string | null {
  if (kind === 'dynamic' && COMPUTED[file]?.includes(specifier)) return null
  const folder = folderOf(file) ?? ''
  const isNode = specifier.startsWith('node:')
  const name = isNode ? specifier : packageOf(specifier)

  const allowed = folder in PACKAGES ? readAccess(PACKAGES[folder]) : null
  if (allowed && !allowed[name]) return `${folder} must not import ${name}`
  if (allowed?.[name] === 'types' && kind !== 'types') return `${folder} may import only types of ${name}`

  if (isNode || BUILT_AHEAD.test(file)) return null
  if (kind === 'types' && declared.includes(`@types/${name}`)) return null
  if (!declared.includes(name)) return `${name} is no dependency of this package`

  const owner = DRIVERS[name]
  if (owner && owner !== folder) return `only ${owner} may import ${name}`
  return owner && kind === 'values' ? `${name} may be imported only dynamically or as types` : null
}

/** Cycles of files that need each other, be it for types alone. */
function findCycles(files: Files): string[] {
  const cycles: string[] = []
  const done = new Set<string>()

  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      cycles.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' -> ')}`)
      return
    }
    if (done.has(file)) return
    for (const { specifier } of readImports(files[file] ?? '')) {
      if (specifier.startsWith('.')) visit(resolveFrom(file, specifier), [...path, file])
    }
    done.add(file)
  }

  for (const file of Object.keys(files)) visit(file, [])
  return cycles
}

function findViolations(files: Files, declared: readonly string[]): string[] {
  const strangers = Object.keys(files)
    .filter((file) => !folderOf(file))
    .map((file) => `${file}: belongs to no folder of the table`)

  const forbidden = Object.entries(files).flatMap(([file, source]) =>
    readImports(source).flatMap((found) => {
      const isOurs = found.specifier.startsWith('.')
      const reason = isOurs ? judgeOurs(file, found, files) : judgePackage(file, found, declared)
      return reason ? [`${file}: '${found.specifier}': ${reason}`] : []
    }),
  )
  return [...strangers, ...forbidden, ...findCycles(files)]
}

/** The drivers that someone who imports `entry` would need for its types alone. */
function findDriversInTypes(entry: string, declarations: Files): string[] {
  const seen = new Set<string>()
  const drivers: string[] = []

  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { specifier } of readImports(declarations[file] ?? '')) {
      if (specifier.startsWith('.')) visit(resolveFrom(file, specifier).replace(/(\.d)?\.[jt]s$/, '.d.ts'))
      else if (packageOf(specifier) in DRIVERS) drivers.push(`${file}: '${specifier}'`)
    }
  }

  visit(entry)
  return drivers
}

const root = fileURLToPath(new URL('..', import.meta.url))

const manifest: {
  exports: Record<string, string | { types: string; default: string }>
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const BUNDLED = { 'date-fns-tz': '', kysely: '' }
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...BUNDLED })

function readTree(base: string, folders: readonly string[], extension: RegExp): Files {
  const names = folders
    .filter((folder) => existsSync(join(base, folder)))
    .flatMap((folder) =>
      readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.replaceAll('\\', '/')),
      ),
    )
  return Object.fromEntries(
    names.filter((name) => extension.test(name)).map((name) => [name, readFileSync(join(base, name), 'utf8')]),
  )
}

const entries = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === 'string' ? [] : [{ subpath, ...target }],
)

/** The sources from which `build/main.ts` makes a file of `dist`. */
function sourceOf(code: string): string {
  return { ...SERVER, ...BROWSER }[code.replace(/^\.\/dist\/|\.js$/g, '')] ?? ''
}

describe('this package', () => {
  const files = readTree(root, ['src', 'adapters'], /\.(?:tsx?|css)$/)

  test('has sources to look at', () => {
    expect(Object.keys(files)).toContain('src/index.ts')
  })

  test('imports only what the table of folders allows', () => {
    expect(findViolations(files, dependencies)).toEqual([])
  })

  test('has folders in one direction: each line of the table names lines above it', () => {
    const names = Object.keys(FOLDERS).filter((name) => name.startsWith('src/'))
    const upward = names.flatMap((from, floor) =>
      Object.keys(readAccess(FOLDERS[from]))
        .filter((to) => names.indexOf(to) >= floor)
        .map((to) => `${from} imports ${to}`),
    )
    expect(upward).toEqual([])
  })

  test('has features of src/api that use each other in one direction', () => {
    const roomOf = (file: string): string | undefined => /^src\/api\/([^/]+)/.exec(file)?.[1]?.replace(/\.ts$/, '')
    const rooms: Files = {}
    for (const [file, source] of Object.entries(files)) {
      const from = roomOf(file)
      for (const { specifier } of from === undefined ? [] : readImports(source)) {
        const to = roomOf(resolveFrom(file, specifier))
        if (to !== undefined && to !== from) rooms[`${from}.ts`] = `${rooms[`${from}.ts`] ?? ''}import './${to}.ts'\n`
      }
    }
    expect(Object.keys(rooms)).toContain('users.ts')
    expect(findCycles(rooms)).toEqual([])
  })

  test('has no line in the table for a folder that is gone, and none that allows what nobody needs', () => {
    const used = new Set(
      Object.entries(files).flatMap(([file, source]) =>
        readImports(source)
          .filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => `${folderOf(file)} imports ${folderOf(resolveFrom(file, specifier))}`),
      ),
    )
    const owners = new Set(Object.keys(files).map(folderOf))
    const superfluous = Object.entries(FOLDERS).flatMap(([from, line]) => [
      ...(owners.has(from) ? [] : [`${from} is gone`]),
      ...Object.keys(readAccess(line)).flatMap((to) =>
        used.has(`${from} imports ${to}`) ? [] : [`${from} imports ${to}`],
      ),
    ])
    expect(superfluous).toEqual([])
  })

  test.each(entries)('exports $subpath from a source file', ({ subpath, types, default: code }) => {
    expect(Object.keys(files)).toContain(sourceOf(code))
    // Types alone: the code is that of `./elements`.
    // The elements share the declarations of `./elements`.
    const shared = /^\.\/elements\/(?!react)/.test(subpath) ? './dist/elements/index.js' : code
    const declarations = subpath === './elements/react' ? './dist/elements/react.js' : shared
    expect(Object.keys(files)).toContain(sourceOf(declarations))
    expect(types).toBe(declarations.replace(/\.js$/, '.d.ts'))
  })

  test('exports every adapter', () => {
    const adapters = Object.keys(files).filter((file) => /^adapters\/[^/]+\/index\.ts$/.test(file))
    const exported = entries.map(({ default: code }) => sourceOf(code))
    expect(adapters.filter((file) => !exported.includes(file))).toEqual([])
  })

  test('needs no driver for its public types', () => {
    const out = mkdtempSync(join(tmpdir(), 'laurels-types-'))
    try {
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      for (const project of ['adapters/elements/tsconfig.json', 'build/tsconfig.json']) {
        const options = [
          '-p',
          project,
          '--noEmit',
          'false',
          '--declaration',
          '--emitDeclarationOnly',
          '--noCheck',
          '--outDir',
          out,
        ]
        execFileSync(process.execPath, [tsc, ...options], { cwd: root, encoding: 'utf8' })
      }

      const declarations = readTree(out, ['src', 'adapters'], /\.d\.ts$/)
      for (const { default: code } of entries) {
        const entry = sourceOf(code).replace(/\.ts$/, '.d.ts')
        expect(Object.keys(declarations)).toContain(entry)
        expect(findDriversInTypes(entry, declarations)).toEqual([])
      }
    } finally {
      rmSync(out, { recursive: true, force: true })
    }
  })
})

const TARGETS: Files = {
  'src/errors.ts': '',
  'src/storage/storage.ts': '',
  'src/gamification.ts': '',
  'src/game/game.ts': '',
  'src/rules/decide.ts': '',
  'src/runtime/context.ts': '',
  'src/record/recorder.ts': '',
  'src/api/events/record-event.ts': '',
  'src/http/handler.ts': '',
  'src/testing/suite.ts': '',
  'src/sql/tables.ts': '',
  'adapters/memory/index.ts': '',
  'adapters/cli/run.ts': '',
}

const judge = (file: string, source: string): string[] =>
  findViolations({ ...TARGETS, [file]: source }, ['kysely', 'zod', 'date-fns', 'date-fns-tz', 'better-sqlite3', 'pg'])

describe('the checker refuses', () => {
  test.each([
    ['src/rules/total.ts', `import { fail } from '../errors.ts'`, 'src/rules must not import src/errors.ts'],
    ['src/rules/total.ts', `import { z } from 'zod'`, 'src/rules must not import zod'],
    [
      'src/storage/rows.ts',
      `import { type S } from '../rules/decide.ts'`,
      'src/storage may import only types of src/rules',
    ],
    ['src/api/a.ts', `import { h } from '../http/handler.ts'`, 'src/api must not import src/http'],
    ['src/record/a.ts', `export { r } from '../api/events/record-event.ts'`, 'src/record must not import src/api'],
    [
      'src/http/a.ts',
      `export { c } from '../gamification.ts'`,
      'src/http may import only types of src/gamification.ts',
    ],
    ['adapters/express/index.ts', `import { Router } from 'express'`, 'may import only types of express'],
    ['adapters/sqlite/index.ts', `import Database from 'better-sqlite3'`, 'only dynamically or as types'],
    ['adapters/sqlite/index.ts', `import type { Pool } from 'pg'`, 'only adapters/postgres may import pg'],
    ['src/sql/users.ts', `createRequire(import.meta.url)('pg')`, 'only adapters/postgres may import pg'],
    ['src/record/read.ts', `import type { Options } from '@scope/thing/deep'`, '@scope/thing is no dependency'],
    ['src/record/read.ts', `await import(name)`, '(computed) is no dependency'],
    ['src/record/read.ts', `import { fail } from '../errors.js'`, 'leads to no source file'],
    ['src/helpers.ts', ``, 'belongs to no folder of the table'],
  ])('%s with %s', (file, source, reason) => {
    expect(judge(file, source)).toEqual([expect.stringContaining(reason)])
  })

  test('files that load each other in a circle, dynamic imports included', () => {
    const files = {
      'src/rules/a.ts': `import { b } from './b.ts'`,
      'src/rules/b.ts': `export { c } from './c.ts'`,
      'src/rules/c.ts': `await import('./a.ts')`,
    }
    expect(findViolations(files, [])).toEqual([
      'cycle: src/rules/a.ts -> src/rules/b.ts -> src/rules/c.ts -> src/rules/a.ts',
    ])
  })

  test('two files that need only types of each other', () => {
    const files = {
      'src/rules/a.ts': `import type { B } from './b.ts'`,
      'src/rules/b.ts': `import { a } from './a.ts'`,
    }
    expect(findViolations(files, [])).toEqual(['cycle: src/rules/a.ts -> src/rules/b.ts -> src/rules/a.ts'])
  })

  test('a driver behind public types, however it is written', () => {
    const declarations = {
      'index.d.ts': `export type { Options } from './options.js'`,
      'options.d.ts': `import type { Database } from 'better-sqlite3'\nexport * from './pool.ts'`,
      'pool.d.ts': `export declare const pool: import('pg').Pool`,
    }
    expect(findDriversInTypes('index.d.ts', declarations)).toEqual([
      `options.d.ts: 'better-sqlite3'`,
      `pool.d.ts: 'pg'`,
    ])
  })
})

describe('the checker accepts', () => {
  test.each([
    ['src/rules/total.ts', `import { decide } from './decide.ts'`],
    ['adapters/cli/run.ts', `import { formatInTimeZone } from 'date-fns-tz'`],
    ['src/game/schema.ts', `import type { State } from '../rules/decide.ts'\nimport { z } from 'zod'`],
    ['adapters/sqlite/index.ts', `import type { Database } from 'better-sqlite3'\nawait import('better-sqlite3')`],
  ])('%s with %s', (file, source) => {
    expect(judge(file, source)).toEqual([])
  })
})
