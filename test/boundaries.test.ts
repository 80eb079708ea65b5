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
type Layer = {
  owns: RegExp
  imports: Record<string, Access>
  /** The only packages and node: modules a file may import. Without it: node: and every declared package. */
  packages?: (file: string) => Record<string, Access>
}

const all = (names: string, access: Access) => Object.fromEntries(names.split(' ').map((name) => [name, access]))
const values = (names: string) => all(names, 'values')
const types = (names: string) => all(names, 'types')

const DATABASE = { ...values('storage vocabulary errors options turns adapters/sql'), ...types('rules') }
const BELOW_ENGINE = values('requests rules vocabulary game storage errors options suggest')
const ABOVE_ENGINE = { ...BELOW_ENGINE, engine: 'values', storage: 'types' } as const

const framework = (name: string): Layer => ({
  owns: new RegExp(`^adapters/${name}/`),
  imports: { http: 'values', index: 'types' },
  packages: () => ({ [name]: 'types', 'node:http': 'types', 'node:stream': 'values' }),
})

/** A file belongs to the first layer that owns it. In a folder of `src/api` the file's name says its layer. */
const LAYERS: Record<string, Layer> = {
  errors: { owns: /^src\/(errors|http-status)\.ts$/, imports: types('rules') },
  // Finds the name that was probably meant.
  suggest: { owns: /^src\/game\/suggest\.ts$/, imports: {} },
  // In place of the package, for bundlers of pages.
  browser: { owns: /^src\/browser\.ts$/, imports: {}, packages: () => ({}) },
  // Checks the host's options; the option that answers and messages share.
  options: { owns: /^src\/(options|integer-scores)\.ts$/, imports: { suggest: 'values', errors: 'values' } },
  // One call after the other: requests of one user, writers of a database.
  turns: { owns: /^src\/runtime\/turns\.ts$/, imports: {}, packages: () => ({}) },
  // The shape of a game, dates and positions: the words that rules are written in.
  vocabulary: { owns: /^src\/rules\/(calendar|game|position)\.ts$/, imports: {}, packages: () => ({}) },
  rules: { owns: /^src\/rules\//, imports: { vocabulary: 'values' }, packages: () => ({}) },
  game: {
    owns: /^src\/game\//,
    imports: { ...values('vocabulary errors options suggest'), ...types('rules') },
  },
  storage: {
    owns: /^src\/storage\//,
    imports: { rules: 'types', vocabulary: 'types' },
  },
  // Types of requests.
  requests: {
    owns: /^src\/api\/(?:input|[\w-]+\/requests|users\/user-attributes|events\/read-event|operate\/(?:game-definition|export-lines))\.ts$/,
    imports: { ...values('rules vocabulary game errors suggest'), ...types('storage') },
  },
  http: {
    owns: /^src\/(?:http\/|api\/[\w-]+\/(?:[\w-]+-)?routes\.ts$)/,
    imports: { ...values('requests errors options turns'), ...types('engine game gamification messages') },
  },
  gamification: {
    owns: /^src\/(?:gamification|api\/(?:methods|tenant-api|within))\.ts$/,
    imports: { ...BELOW_ENGINE, engine: 'values', explain: 'values', messages: 'values' },
  },
  // Replays logs to answer why; the engine does not need it.
  explain: { owns: /^src\/api\/explain\//, imports: ABOVE_ENGINE },
  // How a call is read, recorded and answered, in the rooms below.
  engine: { owns: /^src\/(?:api|record|runtime|messages\/drafts)\/|^src\/messages\/types\.ts$/, imports: BELOW_ENGINE },
  // Deliveries and scheduled messages. The engine writes messages and does not need these.
  messages: { owns: /^src\/messages\//, imports: { ...ABOVE_ENGINE, storage: 'values' } },
  index: {
    owns: /^src\/index\.ts$/,
    imports: { ...BELOW_ENGINE, engine: 'values', explain: 'values', gamification: 'values', messages: 'types' },
  },
  testing: {
    owns: /^src\/testing\//,
    imports: { ...BELOW_ENGINE, engine: 'values', explain: 'values', gamification: 'values' },
  },
  'adapters/sql': {
    owns: /^adapters\/sql\//,
    imports: { storage: 'values', rules: 'types', vocabulary: 'values', errors: 'values' },
  },
  'adapters/memory': { owns: /^adapters\/memory\//, imports: DATABASE },
  'adapters/sqlite': { owns: /^adapters\/sqlite\//, imports: DATABASE },
  'adapters/postgres': { owns: /^adapters\/postgres\//, imports: DATABASE },
  'adapters/cli': {
    owns: /^adapters\/cli\//,
    imports: {
      ...values('gamification index game engine explain http errors suggest'),
      ...values('adapters/sqlite adapters/postgres adapters/console adapters/express adapters/version'),
      ...types('storage requests'),
    },
  },
  // For browsers: it loads nothing at all.
  'adapters/client': {
    owns: /^adapters\/client\//,
    imports: { index: 'types', errors: 'types', game: 'types' },
    packages: () => ({}),
  },
  // For browsers, servers and React Native: it loads the client and React.
  'adapters/react': {
    owns: /^adapters\/react\//,
    imports: { index: 'types', 'adapters/client': 'values' },
    packages: () => ({ react: 'values' }),
  },
  // For browsers too: they load nothing but each other, and the calls of the client when an element has a `base-url`.
  'adapters/elements': {
    owns: /^adapters\/elements\//,
    imports: { engine: 'types', 'adapters/client': 'values' },
    packages: () => ({ react: 'types' }),
  },
  // Built ahead for browsers: what they show comes over HTTP, and of the engine they know the shapes of its answers.
  'adapters/console/pages': {
    owns: /^adapters\/console\/pages\//,
    imports: { ...values('adapters/client adapters/elements'), ...types('engine explain game messages') },
    packages: () => ({ preact: 'values', uplot: 'values' }),
  },
  'adapters/console/vite.config': {
    owns: /^adapters\/console\/vite\.config\.ts$/,
    imports: {},
    packages: () => values('vite node:fs node:path node:url node:zlib'),
  },
  // Mounted as the three that come next mount /v1; what it shows was built ahead.
  'adapters/console': {
    owns: /^adapters\/console\/[\w-]+\.ts$/,
    imports: {
      ...values('http errors options adapters/express adapters/fastify adapters/fetch adapters/version'),
      ...types('index'),
    },
    packages: () => ({ ...values('node:crypto node:fs node:path node:url node:zlib'), ...types('fastify node:http') }),
  },
  // Users of better-auth become users of laurels.
  'adapters/better-auth': {
    owns: /^adapters\/better-auth\//,
    imports: { index: 'types', errors: 'values', options: 'values' },
    packages: () => ({ 'better-auth': 'types' }),
  },
  // The channels of the engine become spans and metrics.
  'adapters/opentelemetry': {
    owns: /^adapters\/opentelemetry\//,
    imports: { index: 'types', errors: 'values', options: 'values' },
    packages: () => ({
      '@opentelemetry/api': 'values',
      'node:async_hooks': 'values',
      'node:diagnostics_channel': 'values',
    }),
  },
  'adapters/version': { owns: /^adapters\/version\.ts$/, imports: { errors: 'values' } },
  'adapters/express': framework('express'),
  'adapters/fastify': framework('fastify'),
  'adapters/fetch': framework('fetch'),
}

/** The rooms of the engine, from the ground up: a file uses files of its own room and of the rooms below it. */
const ROOMS: readonly (readonly [name: string, owns: RegExp])[] = [
  ['types of answers', /^src\/(?:api\/(?:answer-types|formats|[\w-]+\/types)|messages\/types)\.ts$/],
  ['runtime', /^src\/(?:runtime\/|api\/(?:check-options|year\/cache)\.ts$)/],
  [
    'answers',
    /^src\/(?:messages\/drafts\/|api\/(?:[\w-]+\/(?:answer|visible|log-entry)|year\/(?!read|routes)[\w-]+)\.ts$)/,
  ],
  ['ranks', /^src\/record\/ranks\//],
  ['accept', /^src\/record\/accept\//],
  ['replay', /^src\/record\/replay\//],
  ['record', /^src\/record\//],
  ['calls', /^src\/api\/(?!create-context\.ts$)/],
  ['entrance', /^src\/api\/create-context\.ts$/],
]

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

const layerOf = (file: string): string | undefined => Object.keys(LAYERS).find((name) => LAYERS[name]?.owns.test(file))

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const resolveFrom = (file: string, specifier: string): string => posix.join(posix.dirname(file), specifier)

function judgeOurs(file: string, { specifier, kind }: Import, files: Files): string | null {
  const target = resolveFrom(file, specifier)
  if (!(target in files)) return 'leads to no source file (is the .ts extension there?)'

  const from = layerOf(file)
  const to = layerOf(target)
  if (from === 'engine' && to === 'engine') return judgeRooms(file, target)
  if (!from || !to || from === to) return null

  const access = LAYERS[from]?.imports[to]
  if (!access) return `${from} must not import ${to}`
  return access === 'types' && kind !== 'types' ? `${from} may import only types of ${to}` : null
}

const roomOf = (file: string): number => ROOMS.findIndex(([, owns]) => owns.test(file))

function judgeRooms(file: string, target: string): string | null {
  const [from, to] = [roomOf(file), roomOf(target)]
  if (from === -1) return 'belongs to no room of the engine'
  return from >= to ? null : `the room ${ROOMS[from]?.[0]} must not use the room ${ROOMS[to]?.[0]}, which is above it`
}

function judgePackage(file: string, { specifier, kind }: Import, declared: readonly string[]): string | null {
  if (kind === 'dynamic' && COMPUTED[file]?.includes(specifier)) return null
  const layer = layerOf(file) ?? ''
  const isNode = specifier.startsWith('node:')
  const name = isNode ? specifier : packageOf(specifier)

  const allowed = LAYERS[layer]?.packages?.(file)
  if (allowed && !allowed[name]) return `${layer} must not import ${name}`
  if (allowed?.[name] === 'types' && kind !== 'types') return `${layer} may import only types of ${name}`

  if (isNode || BUILT_AHEAD.test(file)) return null
  if (kind === 'types' && declared.includes(`@types/${name}`)) return null
  if (!declared.includes(name)) return `${name} is no dependency of this package`

  const owner = DRIVERS[name]
  if (owner && owner !== layer) return `only ${owner} may import ${name}`
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
    .filter((file) => !layerOf(file))
    .map((file) => `${file}: belongs to no layer`)

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

// date-fns-tz is within the package's own code.
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, 'date-fns-tz': '' })

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

  test('imports only what the layers allow', () => {
    expect(findViolations(files, dependencies)).toEqual([])
  })

  test.each(entries)('exports $subpath from a source file', ({ subpath, types, default: code }) => {
    expect(Object.keys(files)).toContain(sourceOf(code))
    // Types alone: the code is that of `./elements`.
    const declarations = subpath === './elements/react' ? './dist/elements/react.js' : code
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
      for (const project of ['adapters/elements/tsconfig.json', 'tsconfig.build.json']) {
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
  'adapters/sql/tables.ts': '',
  'adapters/memory/index.ts': '',
  'adapters/cli/run.ts': '',
}

const judge = (file: string, source: string): string[] =>
  findViolations({ ...TARGETS, [file]: source }, ['kysely', 'zod', 'date-fns', 'date-fns-tz', 'better-sqlite3', 'pg'])

describe('the checker refuses', () => {
  test.each([
    ['src/rules/total.ts', `import { fail } from '../errors.ts'`, 'rules must not import errors'],
    ['src/rules/total.ts', `import { z } from 'zod'`, 'rules must not import zod'],
    ['src/game/schema.ts', `import { type S } from '../rules/decide.ts'`, 'game may import only types of rules'],
    ['src/http/routes.ts', `import { r } from '../api/events/record-event.ts'`, 'http may import only types of engine'],
    ['src/http/routes.ts', `export { r } from '../api/events/record-event.ts'`, 'http may import only types of engine'],
    ['adapters/express/index.ts', `import { Router } from 'express'`, 'may import only types of express'],
    ['adapters/sqlite/index.ts', `import Database from 'better-sqlite3'`, 'only dynamically or as types'],
    ['adapters/sqlite/index.ts', `import type { Pool } from 'pg'`, 'only adapters/postgres may import pg'],
    ['adapters/sql/users.ts', `createRequire(import.meta.url)('pg')`, 'only adapters/postgres may import pg'],
    ['src/record/read.ts', `import type { Options } from '@scope/thing/deep'`, '@scope/thing is no dependency'],
    ['src/record/read.ts', `await import(name)`, '(computed) is no dependency'],
    ['src/record/read.ts', `import { fail } from '../errors.js'`, 'leads to no source file'],
    ['src/helpers.ts', ``, 'belongs to no layer'],
  ])('%s with %s', (file, source, reason) => {
    expect(judge(file, source)).toEqual([expect.stringContaining(reason)])
  })

  test.each([
    ['src/record/recorder.ts', `import { recordEvent } from '../api/events/record-event.ts'`, 'calls'],
    ['src/api/users/answer.ts', `import { submit } from '../../record/recorder.ts'`, 'record'],
  ])('in the engine, the way up: %s with %s', (file, source, room) => {
    expect(judge(file, source)).toEqual([expect.stringContaining(`must not use the room ${room}, which is above it`)])
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
