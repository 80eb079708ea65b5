// How much a page loads that imports the client, or the hooks for React over it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { useConsumer } from '../support/consumer.ts'

const consumer = useConsumer([])

/** What a bundler makes of a script for browsers. */
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
