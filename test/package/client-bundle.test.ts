// How much a page loads that imports the client.

import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { useConsumer } from '../support/consumer.ts'

const consumer = useConsumer([])

test('A page that imports laurels/client loads less than 4 KB, compressed, and nothing of Node', {
  timeout: 60_000,
}, async () => {
  const page = consumer().write('page.mjs', `export { ApiError, createClient } from 'laurels/client'\n`)
  const bundle = await rolldown({ input: page, platform: 'browser', cwd: join(page, '..') })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  const { code, imports } = output[0]
  expect(imports).toEqual([])
  const bytes = gzipSync(code, { level: 9 }).length
  process.stdout.write(`laurels/client: ${code.length} bytes minified, ${bytes} compressed\n`)
  expect(bytes).toBeLessThan(4_096)
})
