// Makes the package's JavaScript and declarations: node build/main.ts <folder>
// Entries share chunks, so that a class is one class in all entries.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CodeSplittingOptions, type MinifyOptions, type Plugin, type RolldownOptions, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { BROWSER, SERVER } from './entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = process.argv[2] ?? 'dist'
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { dependencies, peerDependencies } = JSON.parse(read('package.json'))

const isExternal = (id: string): boolean =>
  id.startsWith('node:') ||
  Object.keys({ ...dependencies, ...peerDependencies, react: '' }).some(
    (name) => id === name || id.startsWith(`${name}/`),
  )

/** The texts of Postgres' functions, in the code: the bundle of a host has no files beside it. They come without comments. */
const SQL: Plugin = {
  name: 'sql',
  load: {
    filter: { id: /postgres\/functions\/texts\.ts$/ },
    handler: () => {
      const folder = 'adapters/postgres/functions'
      const names = [...read(`${folder}/texts.ts`).matchAll(/read\('(\w+)'\)/g)].map(([, name]) => name)
      const texts = names.map((name) => read(`${folder}/${name}.sql`).replaceAll(/^ *--.*\n/gm, ''))
      return { code: `export const TEXTS = ${JSON.stringify(texts)}` }
    },
  },
}

/** Bundlers drop what is not used of a namespace: the texts of zod in fifty languages, a quarter of a Worker's bundle. */
const ZOD: Plugin = {
  name: 'zod',
  transform: {
    filter: { code: /import \{ z \} from 'zod'/ },
    handler: (code) => code.replace("import { z } from 'zod'", "import * as z from 'zod'"),
  },
}

// One chunk for each layer. A layer needs only those before it, so a host loads only the layers that it uses.
const NODE: CodeSplittingOptions = {
  groups: [
    {
      name: 'core',
      test: /\/(?:src\/(?!http\/|testing\/)|adapters\/version\.ts$|node_modules\/kysely\/)/,
    },
    // `serve` uses laurels/express, which would otherwise be in the chunk of the commands.
    {
      name: 'http',
      test: /\/(?:src\/http\/(?!index\.ts$)|adapters\/(?:express\/|fetch\/|fastify\/(?!index\.ts$)))/,
    },
    { name: 'sql', test: /\/src\/sql\// },
    { name: 'sqlite-storage', test: /\/adapters\/sqlite\// },
    { name: 'postgres-storage', test: /\/adapters\/postgres\/(?!inspect)/ },
    { name: 'console-server', test: /\/adapters\/console\// },
  ],
}
const BROWSERS: CodeSplittingOptions = {
  groups: [
    { name: 'client/calls', test: /\/adapters\/client\/(?!index\.ts$)/ },
    { name: 'elements/parts', test: /\/adapters\/elements\/parts\// },
  ],
}
const TYPES: CodeSplittingOptions = {
  groups: [
    {
      name: 'types.d',
      test: /\/(?:src\/(?!http\/(?:node|index)\.)|adapters\/(?:client\/(?!index\.)|fetch\/fetch-handler\.))/,
      minShareCount: 2,
    },
    { name: 'node-types.d', test: /\/(?:src\/http\/node|adapters\/express\/listen)\./ },
    { name: 'elements/types.d', test: /\/adapters\/elements\/(?!react\.)/ },
  ],
}

/** First lines of files: libraries that declarations need and a host's project may lack, and a directive for Next. */
const FIRST_LINES: readonly (readonly [RegExp, string])[] = [
  [/^react\/index\.js$/, "'use client'"],
  [/^elements\/.*\.d\.ts$/, '/// <reference lib="dom" preserve="true" />'],
  [/^types\.d\.ts$/, '/// <reference lib="esnext.disposable" preserve="true" />'],
]

/** The licences of packages that a chunk contains. `npm install laurels` does not install these packages. */
function licencesOf(moduleIds: readonly string[]): readonly string[] {
  const names = moduleIds.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1])
  return [...new Set(names)]
    .filter((name) => name !== undefined)
    .map((name) => `/*\nOf ${name}:\n\n${licenceOf(`node_modules/${name}/LICENSE`).trim()}\n*/`)
}

function licenceOf(path: string): string {
  return read(existsSync(join(root, path)) ? path : `${path}.md`)
}

/**
 * Shorter code that can be read, and debugged, as it is: it keeps its lines and the names of its functions and variables.
 */
const SHORTER: MinifyOptions = {
  compress: { joinVars: false, sequences: false, keepNames: { function: true, class: true } },
  mangle: false,
  codegen: { removeWhitespace: false },
}

async function make(options: RolldownOptions, codeSplitting: CodeSplittingOptions, isTypes = false): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    external: isExternal,
    resolve: { symlinks: false },
    // Without a comment for each module.
    experimental: { attachDebugInfo: 'none' },
    ...options,
  })
  await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting,
    minifyInternalExports: false,
    minify: isTypes ? false : SHORTER,
    comments: { jsdoc: isTypes },
    postBanner: ({ fileName, moduleIds }) =>
      FIRST_LINES.find(([of]) => of.test(fileName))?.[1] ?? licencesOf(moduleIds).join('\n'),
  })
  await bundle.close()
}

await make({ input: { ...SERVER }, platform: 'node', plugins: [SQL, ZOD] }, NODE)
// This entry has types alone: its code is that of `elements/index`.
const { 'elements/react': types, ...scripts } = BROWSER
await make({ input: scripts, platform: 'browser', preserveEntrySignatures: 'allow-extension' }, BROWSERS)
const { cli, ...typed } = SERVER
const { browser, ...rest } = BROWSER
// The elements share their declarations: a page that loads one of them knows the tags of all.
const inPages = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^elements\/(?!index|react)/.test(name)))
const declarations = dts({ dtsOnly: true, generator: 'oxc', tsconfig: false })
await make({ input: { ...typed, ...inPages }, platform: 'node', plugins: [declarations] }, TYPES, true)
