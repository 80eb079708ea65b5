// The declarations that the compiler reads when a program imports an entry of the package.

import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useConsumer } from '../support/consumer.ts'

describe('The declarations', () => {
  const consumer = useConsumer([])

  /** The packages that the declarations of an entry name, directly or through others of ours. */
  function packagesOf(entry: string): readonly string[] {
    const root = join(consumer().directory, 'node_modules', 'laurels')
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const waiting = [join(root, exports[entry].types)]
    const seen = new Set<string>()
    const packages = new Set<string>()
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
      for (const [, name = ''] of code.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)) {
        if (name.startsWith('.')) waiting.push(resolve(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')))
        else packages.add(name)
      }
    }
    expect(seen.size).toBeGreaterThan(1)
    return [...packages].sort()
  }

  test.each([
    ['.', []],
    ['./client', []],
    ['./elements', []],
    ['./elements/streak', []],
    ['./fetch', []],
    ['./memory', []],
    ['./postgres', []],
    ['./sqlite', []],
    ['./testing', []],
    ['./testing/storage', []],
    ['./express', ['node:http']],
    ['./console', ['node:http']],
    ['./fastify', ['fastify']],
    ['./react', ['react']],
  ])('of %s name %j and neither zod nor kysely', (entry, packages) => {
    expect(packagesOf(entry)).toEqual(packages)
  })
})
