// @heavy: It drives a browser.
// Texts of a game and of its users are shown as text, whatever they contain.

import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { type OpenedConsole, settled, useConsole, watchForScript } from '../support/console.ts'

const SCRIPTS: readonly string[] = [
  '<script>globalThis.ran = 1; alert(1)</script>',
  '"><img src=x onerror="globalThis.ran = 1; alert(2)">',
  `'"--></style></title></textarea><svg/onload=alert(3)>`,
  '<iframe srcdoc="<script>parent.ran = 1</script>"></iframe>',
  '<style>* { display: none !important }</style><base href="https://example.com/">',
  '{{constructor.constructor("alert(4)")()}}',
]

const NAMES: readonly string[] = [
  'محمد بن عبد الله',
  '李小龍・ブルース',
  'กรุงเทพมหานคร',
  '👩‍👩‍👧‍👦 🏳️‍🌈 é',
  'Z̷̢̛a̵͚͝l̶̰̈́g̴̱̈ö̷̜́',
  '\u202Eright to left\u202C',
  `${'Donaudampfschifffahrtsgesellschaft'.repeat(6)}`,
]

/** A game in which every text is `text`. */
function gameOf(text: string): GameDefinition {
  return {
    metrics: { lessons: { name: text } },
    eventAttributes: ['source'],
    userAttributes: ['plan'],
    achievements: {
      first: { name: text, description: text, trigger: 'metric', metric: 'lessons', value: 1 },
      ten: { name: text, description: text, trigger: 'metric', metric: 'lessons', value: 10 },
    },
    points: {
      xp: {
        name: text,
        description: text,
        triggers: [{ type: 'metric', metric: 'lessons', threshold: 1, points: 10 }],
        levels: { low: { name: text, points: 0 }, high: { name: text, points: 100 } },
      },
    },
    streak: { frequency: 'daily', metrics: { lessons: {} } },
    challenges: {
      daily: {
        ...{ name: text, description: text, every: 'day', pick: 1 },
        pool: { one: { name: text, of: [{ metric: 'lessons', value: 9 }] } },
      },
    },
    leaderboards: { all: { name: text, rankBy: 'points', system: 'xp', start: '2024-01-01' } },
  }
}

async function fill({ gamification }: OpenedConsole, id: string, text: string): Promise<void> {
  const user = { id, name: text, attributes: { plan: text } }
  const { eventId } = await gamification.metrics.event('lessons', { user, value: 3, attributes: { source: text } })
  await gamification.events.void(eventId, { reason: text })
  await gamification.metrics.event('lessons', { user, value: 2, attributes: { source: text } })
  await gamification.users.suspend(id, { reason: text })
}

describe.skipIf(chromium === null)(inBrowser('A page of the console'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test.each(SCRIPTS)('runs nothing of %s', async (text) => {
    const console = await openConsole({ definition: gameOf(text) })
    const id = text.slice(0, 200)
    await fill(console, id, text)
    const { page, problems, requests } = await open()
    const ran = await watchForScript(page)
    const user = `users/${encodeURIComponent(id)}`
    for (const path of ['', 'challenges', 'challenges/daily', 'users', user, `${user}?tab=log`]) {
      await page.goto(`${console.base}${path}`)
      await settled(page)
      expect(await page.getByRole('heading', { level: 1 }).isVisible(), path).toBe(true)
      expect(await ran(), path).toEqual([])
    }
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(text)
    await page
      .getByRole('button', { name: /^Explain/ })
      .first()
      .click()
    await page.getByRole('button', { name: /^Void/ }).first().click()
    await page.getByRole('dialog').waitFor()
    await settled(page)
    expect(await ran()).toEqual([])
    expect(problems).toEqual([])
    expect(requests.filter((url) => !url.startsWith(console.base))).toEqual([])
  })

  test.each(NAMES)('has room for %s', async (name) => {
    const console = await openConsole({ definition: gameOf(name) })
    await fill(console, name, name)
    const { page, problems } = await open({ width: 360 })
    for (const path of [
      '',
      'challenges',
      'challenges/daily',
      'users',
      `users/${encodeURIComponent(name)}`,
      `users/${encodeURIComponent(name)}?tab=log`,
    ]) {
      await page.goto(`${console.base}${path}`)
      await settled(page)
      expect(await overflowOf(page), path).toBe(0)
    }
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name)
    expect(await violationsOf(page)).toEqual([])
    expect(problems).toEqual([])
    await takePicture(page, `console-name-${NAMES.indexOf(name)}`)
  })
})
