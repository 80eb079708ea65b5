// How much a page loads that imports the client, or the hooks for React over it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { useConsumer } from '../support/consumer.ts'

const consumer = useConsumer([])

/** The output of a bundler for a browser script. */
async function bundle(
  script: string,
  external: RegExp,
): Promise<{ readonly code: string; readonly imports: string[] }> {
  const page = consumer().write('page.mjs', script)
  const made = await rolldown({
    input: page,
    platform: 'browser',
    cwd: join(page, '..'),
    external,
    // A directive is not for a page.
    logLevel: 'silent',
  })
  const { output } = await made.generate({ format: 'esm', minify: true })
  await made.close()
  expect(output).toHaveLength(1)
  return output[0]
}

test('A page that imports laurels/client loads less than 4 KB, compressed, and nothing of Node', async () => {
  const { code, imports } = await bundle(`export { ApiError, createClient } from 'laurels/client'\n`, /^$/)
  expect(imports).toEqual([])
  const bytes = gzipSync(code, { level: 9 }).length
  process.stdout.write(`laurels/client: ${code.length} bytes minified, ${bytes} compressed\n`)
  expect(bytes).toBeLessThan(4_096)
})

test('A page that imports laurels/react loads less than 4 KB besides React and the client, and nothing of a browser', async () => {
  const { code, imports } = await bundle(`export * from 'laurels/react'\n`, /^react$|client\//)
  expect(imports.map((name) => name.replace(/^.*\/client/, 'client')).sort()).toEqual([
    'client/calls.js',
    'client/index.js',
    'react',
  ])
  const bytes = gzipSync(code, { level: 9 }).length
  const brotli = brotliCompressSync(code).length
  process.stdout.write(`laurels/react: ${code.length} bytes minified, ${bytes} with gzip, ${brotli} with Brotli\n`)
  expect(bytes).toBeLessThan(4_096)
  expect(code).not.toMatch(/\b(?:document|window|navigator|localStorage)\b/)
  const shipped = readFileSync(join(consumer().directory, 'node_modules/laurels/dist/react/index.js'), 'utf8')
  expect(shipped).toMatch(/^'use client'\n/)
})

test('A page that imports laurels itself loads nothing of it, and says what to import', async () => {
  const { code } = await bundle(
    `import { createGamification, defineGame } from 'laurels'\ncreateGamification({ game: defineGame({}) })\n`,
    /^$/,
  )
  expect(code.length).toBeLessThan(1_000)
  const error = await import(`data:text/javascript,${encodeURIComponent(code)}`).catch(String)
  expect(error).toBe(
    'Error: laurels runs on servers. In a page, import laurels/client, laurels/react or laurels/elements: they call your server.',
  )
})

test('The entry for pages has every name of the main entry', async () => {
  const { directory } = consumer()
  const names = Object.keys(await import(join(directory, 'node_modules/laurels/dist/index.js')))
  const found = readFileSync(join(directory, 'node_modules/laurels/dist/browser.js'), 'utf8')
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(found))).toEqual([])
})
