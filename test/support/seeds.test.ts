import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const FILES = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('seeds.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))

test('Every test whose seed is another one in each run tells its seed', () => {
  const withSeed = FILES.filter(({ name, text }) => name.endsWith('.test.ts') && /\bseedOf(Run|Soak)\(/.test(text))
  expect(withSeed.length).toBeGreaterThan(20)
  const silent = withSeed.filter(({ text }) => !/seed \$\{seed[^}]*\}/i.test(text))
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('Seeds come from the two functions that SEED=… overrules', () => {
  const own = FILES.filter(({ text }) => /Date\.now\(\) (%|&|\|)|process\.env\.SEED\b/.test(text))
  expect(own.map(({ name }) => name).sort()).toEqual(['crash/random.ts', 'support/zones.ts'])
})
