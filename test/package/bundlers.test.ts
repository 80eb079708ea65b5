// The quick start as one file, made by a bundler, if no driver is installed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { useConsumer } from '../support/consumer.ts'

const consumer = useConsumer([])

const PROGRAM = `
import { createGamification, defineGame } from 'laurels'
import { sqlite } from 'laurels/sqlite'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const gamification = createGamification({ game, storage: sqlite(':memory:') })
await gamification.migrate()
const { total } = await gamification.metrics.event('words', { user: { id: '18' }, value: 750 })
console.log(total)
await gamification.close()
`

const BUNDLERS = {
  esbuild: async (entry: string, outfile: string): Promise<unknown> =>
    build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' }),
  rolldown: async (entry: string, file: string): Promise<unknown> => {
    const bundle = await rolldown({ input: entry, platform: 'node' })
    return bundle.write({ file, format: 'esm', codeSplitting: false })
  },
}

test.each(['esbuild', 'rolldown'] as const)(
  '%s bundles a program on SQLite without better-sqlite3, and the bundle runs',
  async (name) => {
    const { directory, write, node } = consumer()
    expect(readdirSync(join(directory, 'node_modules'))).not.toContain('better-sqlite3')
    const outfile = join(directory, `${name}.bundled.mjs`)
    await BUNDLERS[name](write('program.mjs', PROGRAM), outfile)
    const { code, out, err } = await node(outfile)
    expect({ code, out, err: err.replace(/^.*ExperimentalWarning.*\n.*\n/m, '') }).toEqual({
      code: 0,
      out: '750\n',
      err: '',
    })
  },
)

const WORKER = `
import { DurableObject } from 'cloudflare:workers'
import { defineGame } from 'laurels'
import { gameObject } from 'laurels/durable-objects'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
export class Game extends gameObject(DurableObject, { game }) {}
export default { fetch: (request, env) => env.GAME.getByName('acme').fetch(request) }
`

test('a Worker with a game and the HTTP API has less than 1 MB, minified as wrangler does it', async () => {
  const { write } = consumer()
  const { outputFiles, metafile } = await build({
    entryPoints: [write('worker.mjs', WORKER)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    write: false,
    outdir: 'worker',
    metafile: true,
    logLevel: 'silent',
  })
  const [bundle] = outputFiles
  process.stdout.write(`A Worker: ${bundle?.contents.length} bytes minified\n`)
  expect(bundle?.contents.length).toBeLessThan(1_000_000)
  const parts = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
  const ours = parts.flatMap((path) => /laurels\/dist\/(.*)\.js$/.exec(path)?.[1] ?? [])
  expect(ours.sort()).toEqual(['core', 'durable-objects', 'http', 'index', 'sqlite-storage'])
})

test.each(['esbuild', 'rolldown'] as const)(
  'what %s bundles for Postgres has the functions within it, and reads no file',
  async (name) => {
    const { directory, write } = consumer()
    const outfile = join(directory, `${name}.postgres.mjs`)
    await BUNDLERS[name](write('postgres.mjs', "export { postgres } from 'laurels/postgres'\n"), outfile)
    const bundle = readFileSync(outfile, 'utf8').replaceAll('\\"', '"')
    expect(bundle).toContain('create function "laurels".load(')
    expect(bundle).toContain('create function "laurels".save(')
    expect(bundle).not.toContain('.sql`')
  },
)
