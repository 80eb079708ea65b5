// What a user's page shows is what the API answers.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { chromium, inBrowser, useBrowser } from '../support/browser.ts'
import { fillWithDemo, settled, useConsole } from '../support/console.ts'

const USERS = 50

interface Shown {
  readonly name: string | null
  readonly totals: Readonly<Record<string, string>>
  readonly points: string
  readonly level: string
  readonly streak: string
  /** Of each day of the last year that was not without a streak, with the length. */
  readonly days: readonly string[]
  readonly earned: readonly string[]
  readonly missing: readonly string[]
  readonly places: Readonly<Record<string, readonly string[]>>
}

describe.skipIf(chromium === null)(inBrowser("A user's page"), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test(`shows totals, points, level, streak, badges and places as the API answers them, of ${USERS} users`, async () => {
    const console = await openConsole()
    await fillWithDemo(console, 120)
    const { gamification } = console
    const all = await gamification.users.list({ limit: 100 })
    const ids = all.users.map(({ id }) => id).filter((_, index) => index % 2 === 0)
    expect(ids).toHaveLength(USERS)
    const { page, problems } = await open()
    for (const id of ids) {
      await page.goto(`${console.base}users/${id}`)
      await settled(page)
      expect(await readPage(page), id).toEqual(await readApi(gamification, id))
    }
    expect(problems).toEqual([])
  }, 300_000)
})

async function readPage(page: Page): Promise<Shown> {
  // Names are isolated from the texts around them by characters that are not seen.
  const texts = async (selector: string): Promise<readonly string[]> =>
    (await page.locator(selector).allTextContents()).map((each) => each.replace(/[\u2066-\u2069]/g, ''))
  const pairs = async (attribute: string): Promise<readonly (readonly [string, string])[]> => {
    const found = page.locator(`[${attribute}]`)
    const keys = await found.evaluateAll(
      (elements, name) => elements.map((each) => each.getAttribute(name) ?? ''),
      attribute,
    )
    return (await found.allTextContents()).map((text, index) => [keys[index] ?? '', text])
  }
  const ranks = await pairs('data-rank')
  const values = new Map(await pairs('data-value'))
  const days = await texts('laurels-streak td.day')
  return {
    name: await page.getByRole('heading', { level: 1 }).textContent(),
    totals: Object.fromEntries(await pairs('data-total')),
    points: (await texts('laurels-level [part=total]')).join(),
    level: (await texts('laurels-level [part=level]')).join(),
    streak: (await texts('laurels-streak [part=count]')).join(),
    // The calendar has a row for each day of the week.
    days: days.filter((text) => !text.endsWith('no streak')).toSorted(),
    earned: (await texts('laurels-badges .badge.earned .name')).toSorted(),
    missing: (await texts('laurels-badges .badge.missing .name')).toSorted(),
    places: Object.fromEntries(ranks.map(([key, rank]) => [key, [rank, values.get(key) ?? '']])),
  }
}

async function readApi({ users, leaderboards }: Gamification<DefinedGame>, id: string): Promise<Shown> {
  const user = await users.get(id)
  const metrics = await users.allMetrics(id)
  const xp = await users.points(id, 'xp')
  const streak = await users.streak(id, { historyPeriods: 365 })
  const achievements = await users.achievements(id, { includeIncomplete: true })
  const places = await Promise.all(
    (await leaderboards.all()).map(async ({ key }) => {
      const { rank, value } = await users.leaderboard(id, key)
      return [key, [rank === null ? '–' : `#${text(rank)}`, value === null ? '–' : text(value)]] as const
    }),
  )
  const named = (isEarned: boolean): readonly string[] =>
    achievements
      .filter(({ achievedAt }) => (achievedAt !== null) === isEarned)
      .map(({ name }) => name)
      .toSorted()
  return {
    name: user.name,
    totals: Object.fromEntries(metrics.map(({ key, current }) => [key, text(current)])),
    points: `${text(xp.total)} XP`,
    level: xp.level?.name ?? 'No level yet',
    streak: inDays(streak.length),
    days: streak.streakHistory
      .flatMap(({ periodStart, length, usedFreeze }, index, all) => {
        const date = new Date(`${periodStart}T00:00:00Z`).toLocaleDateString('en-GB', {
          dateStyle: 'full',
          timeZone: 'UTC',
        })
        const before = all[index - 1]?.length ?? 0
        const isLast = index === all.length - 1
        if (usedFreeze === true) return [`${date}: saved by a freeze, ${inDays(length)}`]
        // Until it is extended the last period has the length of the one before.
        if (isLast && length === before) return [length === 0 ? `${date}: today` : `${date}: today, ${inDays(length)}`]
        if (length > 0) return [`${date}: kept, ${inDays(length)}`]
        return before > 0 ? [`${date}: lost`] : []
      })
      .toSorted(),
    earned: named(true),
    missing: named(false),
    places: Object.fromEntries(places),
  }
}

function text(value: number): string {
  return value.toLocaleString('en')
}

function inDays(length: number): string {
  return length === 1 ? '1 day' : `${text(length)} days`
}
