// How much a page loads for each of the elements, and that they can be loaded if there is no page.

import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { useConsumer } from '../support/consumer.ts'

const MOST = 10 * 1_024

const ELEMENTS = ['badges', 'challenges', 'choices', 'leaderboard', 'level', 'rewards', 'streak', 'wallet']

const consumer = useConsumer([])

/** The output of a bundler for a page with this script, for browsers. */
async function bundle(name: string, script: string, isOfElements = true): Promise<string> {
  const page = consumer().write(`${name}.mjs`, script)
  const made = await rolldown({ input: page, platform: 'browser', cwd: join(page, '..') })
  const { output } = await made.generate({ format: 'esm', minify: true })
  await made.close()
  // The calls of the client are a file of their own, which an element with a base-url loads.
  expect(output.slice(1).map((each) => each.fileName.replace(/-.*/, ''))).toEqual(isOfElements ? ['calls'] : [])
  expect(output[0].imports).toEqual([])
  return output[0].code
}

describe('A page', () => {
  test.each(ELEMENTS)('that imports laurels/elements/%s loads at most 10 KB', async (name) => {
    const code = await bundle(name, `import 'laurels/elements/${name}'\n`)
    const bytes = gzipSync(code, { level: 9 }).length
    process.stdout.write(`laurels/elements/${name}: ${code.length} bytes minified, ${bytes} compressed\n`)
    expect(code).toContain(`laurels-${name}`)
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(MOST)
  })

  test('that imports laurels/elements has all of them', async () => {
    const code = await bundle('elements', `import 'laurels/elements'\n`)
    process.stdout.write(
      `laurels/elements: ${code.length} bytes minified, ${gzipSync(code, { level: 9 }).length} compressed\n`,
    )
    for (const name of ELEMENTS) expect(code).toContain(`laurels-${name}`)
  })

  test('that imports laurels/elements/react has all of them, and nothing of React', async () => {
    const code = await bundle('react', `import 'laurels/elements/react'\n`)
    for (const name of ELEMENTS) expect(code).toContain(`laurels-${name}`)
    expect(code).not.toMatch(/react/i)
  })

  test('that imports laurels/client has no element', async () => {
    const code = await bundle('client', `export { createClient } from 'laurels/client'\n`, false)
    expect(code).not.toContain('laurels-')
  })
})

test('A server can load the elements; it has no tags to define', async () => {
  const script = `
    const all = await import('laurels/elements')
    const { StreakElement } = await import('laurels/elements/streak')
    console.log(Object.keys(all).join(), StreakElement === all.StreakElement, typeof customElements)`
  expect(await consumer().node('--input-type=module', '-e', script)).toEqual({
    code: 0,
    out: 'BadgesElement,ChallengesElement,ChoicesElement,LeaderboardElement,LevelElement,RewardsElement,StreakElement,WalletElement true undefined\n',
    err: '',
  })
})
