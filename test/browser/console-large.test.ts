// The console with as many users as a product has: in SQLite 200,000, who did 2,000,000 things.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { chromium, inBrowser, type Opened, useBrowser, violationsOf } from '../support/browser.ts'
import { useCompiledPackage } from '../support/compiled-package.ts'
import { settled } from '../support/console.ts'
import { RICH_GAME } from '../support/console-game.ts'
import { POPULATION_DAYS, populationId, populationOf } from '../support/large-population.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { startTimedConsole, type TimedConsole, type TimedRequest } from '../support/timed-console.ts'
import { SOAK } from '../support/zones.ts'

/**
 * Postgres takes half an hour to import as many as SQLite takes in four minutes. One with more of them can be named:
 * LARGE_SQLITE is a file, LARGE_POSTGRES a URL and LARGE_SCHEMA a schema; LARGE_USERS are as many as it has, or gets.
 */
const USERS = {
  SQLite: Number(process.env.LARGE_USERS ?? 200_000),
  Postgres: Number(process.env.LARGE_USERS ?? 20_000),
} as const
const EVENTS_OF_A_USER = 10
const MINUTE = 60_000
/** What no request of the first page may take on the server, but for the time in which others had the processors. */
const MOST_MS = 300
const ROUNDS = 3

/** Each page, and what is to be seen on it once it has what it shows. */
const PAGES: readonly (readonly [path: string, content: string, text: RegExp])[] = [
  ['', '[data-figure=events] .value', /^[\d,]+$/],
  ['?days=90', '[data-figure=users] .value', /^[\d,]+$/],
  ['users', 'tbody tr:nth-child(50) a', /./],
  ['users?search=77', 'tbody tr a', /./],
  ['users?search=nobody-has-this', 'main .card', /Nobody/],
  [`users/${populationId(10)}`, '[data-total=words]', /^[\d,]{4,}$/],
  [`users/${populationId(10)}?tab=log`, 'ol.log li:nth-child(25)', /\+\d/],
  ['achievements', 'tbody tr:first-child', /First words.*100(?:\.0)?\s?%/],
  ['achievements/first-words', 'main', /Users who have it[\d,]+/],
  ['leaderboards', 'tbody tr:first-child', /This week/],
  ['leaderboards/weekly', 'tbody tr:nth-child(25)', /^25/],
  ['leaderboards/by-plan?group=plan:pro', 'tbody tr:nth-child(25)', /^25/],
  ['leaderboards/streaks', 'tbody tr:nth-child(25)', /^25/],
  ['game', 'main svg', /Words written/],
  ['game?tab=definition', 'main pre', /words/],
  ['what-if', 'main', /Nothing is changed\./],
  ['integrity', 'main', /Is the database right\?/],
  ['keys', 'main', /There are no application keys/],
  ['outbox', 'main', /There are no webhooks/],
]

interface Source {
  /** What `laurels console` is told. */
  readonly args: readonly string[]
  readonly open: () => Storage
}

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const SOURCES = {
  SQLite: (): Source => {
    const file = process.env.LARGE_SQLITE ?? nextFile()
    return { args: ['--db', file], open: () => sqlite(file, { synchronous: 'NORMAL' }) }
  },
  Postgres: (): Source => {
    const [url, schema] = [process.env.LARGE_POSTGRES ?? databaseUrl(), process.env.LARGE_SCHEMA ?? nextSchema()]
    return { args: ['--db', url, '--schema', schema], open: () => postgres(url, { schema }) }
  },
} as const

/** Puts the users there, unless they are: a database that was made before can be named. */
async function fill({ open }: Source, users: number): Promise<void> {
  const gamification = createGamification({ game: defineGame(RICH_GAME), storage: open() })
  await gamification.migrate()
  const before = await gamification.users.list({ limit: 1 })
  if (before.users.length === 0) {
    // Some more than are wanted: what would come later today is left out.
    const population = { users, events: users * EVENTS_OF_A_USER * 1.05, now: Date.now(), seed: 1 }
    expect(await gamification.import(populationOf(population))).toMatchObject({ recorded: users, refused: 0 })
  }
  await gamification.close()
}

/** Opens a page, and answers after how many milliseconds its content was there. */
async function show({ page }: Opened, base: string, [path, content, text]: (typeof PAGES)[number]): Promise<number> {
  await page.goto(`${base}${path}`, { waitUntil: 'commit' })
  await page.locator(content).filter({ hasText: text }).first().waitFor({ timeout: MINUTE })
  const ms = Number(await page.evaluate('performance.now()'))
  await settled(page)
  // Of Today the days before come one answer after the other.
  await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached', timeout: MINUTE })
  return ms
}

/** Without what tells one request of a route from another. */
function routeOf({ path }: TimedRequest): string {
  return path.replace(/\?.*/, '').replaceAll(/user-\d+/g, '{id}')
}

const toText = (ms: number): string => ms.toFixed(1)

function describeTime({ ms, cpuMs, waitedMs }: TimedRequest): string {
  return `${toText(ms)} ms (${toText(cpuMs)} of the processor, ${toText(waitedMs)} waited for it)`
}

describe.each(['SQLite', 'Postgres'] as const)('The console with many users in %s (in the soak)', (name) => {
  describe.skipIf(!SOAK || chromium === null)(inBrowser('in Chromium'), () => {
    const packaged = useCompiledPackage({ withPages: true })
    const open = useBrowser()
    const lines: string[] = []
    let source: Source
    beforeAll(async () => {
      source = SOURCES[name]()
      await fill(source, USERS[name])
    }, 90 * MINUTE)
    afterAll(() => console.log([`${name}:`, ...lines].join('\n')))

    /** A new process, and a browser that it has let in. */
    async function start(): Promise<{
      readonly server: TimedConsole
      readonly opened: Opened
      readonly base: string
    }> {
      const server = await startTimedConsole(packaged(), [...source.args, '--write'])
      onTestFinished(server.stop)
      const opened = await open()
      // A page without content of its own: it opens the session, and asks nothing of the database.
      await opened.context.request.get(server.link)
      server.take()
      return { server, opened, base: `${new URL(server.link).origin}/` }
    }

    test(
      `answers each request of the first page within ${MOST_MS} ms, as the server counts them`,
      async () => {
        const [first] = PAGES
        if (first === undefined) throw new Error('There is no first page')
        const taken = { cold: new Map<string, number[]>(), warm: new Map<string, number[]>() }
        for (let round = 0; round < ROUNDS; round += 1) {
          const { server, opened, base } = await start()
          for (const state of ['cold', 'warm'] as const) {
            const ms = await show(opened, base, first)
            const requests = server.take().filter(({ path }) => path.startsWith('/api/'))
            lines.push(`Today ${state}: content after ${toText(ms)} ms`)
            for (const request of requests) {
              expect(request.status, request.path).toBe(200)
              lines.push(`  ${describeTime(request)}  ${request.path}`)
            }
            for (const [route, all] of Map.groupBy(requests, routeOf)) {
              const longest = Math.max(...all.map(({ ms, waitedMs }) => ms - waitedMs))
              taken[state].set(route, [...(taken[state].get(route) ?? []), longest])
            }
          }
          expect(opened.problems).toEqual([])
          await server.stop()
        }
        // Of the rounds the fastest counts: for how long a Postgres waited for a processor, nobody tells.
        const longest = [...taken.cold, ...taken.warm].map(([route, all]) => [route, Math.min(...all)] as const)
        expect(longest.map(([route]) => route)).toContain('/api/admin/v1/activity')
        expect(longest.filter(([, ms]) => ms >= MOST_MS)).toEqual([])
      },
      10 * MINUTE,
    )

    test(
      'shows every page whole, without a fault',
      async () => {
        const { server, opened, base } = await start()
        for (const each of PAGES) {
          const [path] = each
          const cold = await show(opened, base, each)
          const requests = server.take().filter((request) => request.path.startsWith('/api/'))
          expect(await opened.page.getByRole('alert').count(), path).toBe(0)
          expect(await violationsOf(opened.page), path).toEqual([])
          server.take()
          const warm = await show(opened, base, each)
          lines.push(`/${path}: content after ${toText(cold)} ms, again ${toText(warm)}`)
          const again = Map.groupBy(server.take(), (request) => request.path)
          for (const request of requests) {
            const second = again.get(request.path)?.[0]
            const last = second === undefined ? '' : `; again ${describeTime(second)}`
            lines.push(`  ${describeTime(request)}${last}  ${request.path}`)
          }
        }
        expect(opened.problems).toEqual([])
      },
      30 * MINUTE,
    )

    test(
      `counts all ${USERS[name].toLocaleString('en')} users, and ${EVENTS_OF_A_USER} events for each`,
      async () => {
        const gamification = createGamification({ game: defineGame(RICH_GAME), storage: source.open() })
        const to = new Date().toISOString().slice(0, 10)
        expect((await gamification.status()).users).toBe(USERS[name])
        let events = 0
        for (let days = POPULATION_DAYS + 1; days >= 0; days -= 1) {
          const date = new Date(Date.parse(to) - days * 86_400_000).toISOString().slice(0, 10)
          events += (await gamification.activity.days({ from: date, to: date })).days[0]?.events ?? 0
        }
        lines.push(`${events} events`)
        expect(events).toBeGreaterThanOrEqual(USERS[name] * EVENTS_OF_A_USER)
        await gamification.close()
      },
      MINUTE,
    )
  })
})
