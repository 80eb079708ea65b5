// Whatever stands in the texts of a game, of its users and of messages: the pages of rules show it as text. SOAK=1: all of them.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { type OpenedConsole, settled, useConsole, watchForScript } from '../support/console.ts'
import { SOAK } from '../support/zones.ts'

const SCRIPTS: readonly string[] = [
  '<script>globalThis.ran = 1; alert(1)</script>',
  '"><img src=x onerror="globalThis.ran = 1; alert(2)">',
  `'"--></style></title></textarea></svg><svg/onload=alert(3)>`,
  'javascript:alert(4)',
]

const NAMES: readonly string[] = [
  'Ωμέγα Ψ',
  'محمد بن عبد الله',
  'שָׁלוֹם עוֹלָם',
  '李小龍・ブルース',
  'กรุงเทพมหานคร',
  'हिन्दी नमस्ते',
  '👩‍👩‍👧‍👦 🏳️‍🌈 é',
  '\u202Eright to left\u202C',
  'Donaudampfschifffahrtsgesellschaft'.repeat(6),
]

/** Each goes through a dozen pages, which takes as many seconds: every third in each run. */
const some = (texts: readonly string[]): readonly string[] =>
  SOAK ? texts : texts.filter((_, index) => index % 3 === 1)

const webhooks = { secretKey: '0123456789abcdef0123456789abcdef' }

/** A game in which every text is `text`, keys too where they may be any. */
function gameOf(text: string): GameDefinition {
  return {
    metrics: { lessons: { name: text } },
    userAttributes: ['plan'],
    achievements: {
      first: { name: text, description: text, badgeUrl: text, trigger: 'metric', metric: 'lessons', value: 1 },
      second: { name: text, trigger: 'api', secret: { name: text } },
      both: { name: text, trigger: 'achievement', achievements: ['first', 'second'] },
      many: { name: text, trigger: 'metric', metric: 'lessons', tiers: { low: { name: text, value: 5 } } },
    },
    points: {
      xp: {
        name: text,
        description: text,
        triggers: [{ type: 'metric', metric: 'lessons', threshold: 1, points: 10 }],
        levels: { low: { name: text, description: text, points: 0 } },
      },
    },
    leaderboards: {
      all: { name: text, description: text, rankBy: 'points', system: 'xp', start: '2024-01-01' },
      groups: { name: text, rankBy: 'points', system: 'xp', start: '2024-01-01', breakdown: ['plan'] },
    },
  }
}

/** A user and a webhook by that name; the receiver answers with it too. Answers the address of the webhook's page. */
async function fill({ gamification }: OpenedConsole, text: string): Promise<string> {
  const receiver = createServer((_, response) => response.writeHead(500).end(text))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/?${encodeURIComponent(text)}`
  const { id } = await gamification.webhooks.create({
    url,
    types: ['achievement.completed'],
    name: text.slice(0, 255),
    allowInternal: true,
  })
  await gamification.subscribe('mailer', { types: ['user.created'] }, async () => {
    throw new Error(text)
  })
  const user = { id: text.slice(0, 200), name: text, attributes: { plan: text } }
  await gamification.metrics.event('lessons', { user, value: 3 })
  await gamification.achievements.complete('second', { user })
  await gamification.admin.applicationApiKeys.create([{ userId: user.id }])
  return `outbox?webhook=${id}&subscription=mailer`
}

const PAGES: readonly string[] = [
  'achievements',
  'achievements/first',
  'achievements/second',
  'achievements/many.low',
  'leaderboards',
  'leaderboards/all',
  'leaderboards/groups',
  'game',
  'game?tab=definition',
  'keys',
  'what-if',
]

vi.setConfig({ testTimeout: 240_000 })

describe.skipIf(chromium === null)(inBrowser('A page of rules or of operation'), () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test.each(some(SCRIPTS))('runs nothing of %s', async (text) => {
    const console = await openConsole({ definition: gameOf(text), options: { webhooks } })
    const outbox = await fill(console, text)
    const { page, problems, requests } = await open()
    const ran = await watchForScript(page)
    for (const path of [...PAGES, outbox, `leaderboards/all?user=${encodeURIComponent(text)}`]) {
      await page.goto(`${console.base}${path}`)
      await settled(page)
      expect(await ran(), path).toEqual([])
    }
    await page.goto(`${console.base}achievements/first`)
    await settled(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(text)
    await page.goto(`${console.base}what-if`)
    await page.getByLabel('The other definition, as JSON').fill(JSON.stringify({ [text]: text, metrics: text }))
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('The other definition, as JSON').fill(JSON.stringify({ metrics: { [text]: { name: text } } }))
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Users checked').waitFor()
    await settled(page)
    expect(await ran()).toEqual([])
    // A refused body is told in the console of every browser.
    expect(problems.filter((problem) => !problem.includes('422'))).toEqual([])
    expect(requests.filter((url) => !url.startsWith(console.base))).toEqual([])
  })

  test.each(some(NAMES))('has room for %s', async (name) => {
    const console = await openConsole({ definition: gameOf(name), options: { webhooks } })
    const outbox = await fill(console, name)
    const { page, problems } = await open({ width: 360 })
    for (const path of [...PAGES, outbox]) {
      await page.goto(`${console.base}${path}`)
      await settled(page)
      expect(await overflowOf(page), path).toBe(0)
    }
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.goto(`${console.base}game`)
    await settled(page)
    expect(await overflowOf(page)).toBe(0)
    await takePicture(page, `console-game-name-${NAMES.indexOf(name)}`)
    expect(problems).toEqual([])
  })
})
