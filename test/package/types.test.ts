import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { run, useConsumer } from '../support/consumer.ts'
import { pageOf, textsOf } from '../support/pages.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

const COMPILERS = [
  { compiler: 'typescript', version: /^7\./ },
  { compiler: 'typescript-5.9', version: /^5\.9\./ },
] as const

// A project on Node, and one for a bundler that has the types of a browser and none of Node.
const PROJECTS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2023'], types: ['node'] },
  bundler: { module: 'preserve', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: [] },
} as const

const CODE = `
  import { createGamification, defineGame, isGamificationError, type MetricEventResponse, type Storage } from 'laurels'
  import { ApiError, createClient } from 'laurels/client'
  import { type LeaderboardElement, type LevelElement, type StreakElement } from 'laurels/elements'
  import { BadgesElement } from 'laurels/elements/badges'
  import { ChallengesElement } from 'laurels/elements/challenges'
  import { memory } from 'laurels/memory'
  import { type SqliteDatabase, sqlite } from 'laurels/sqlite'
  import { createScenario, createTestClock, event } from 'laurels/testing'
  import { storageSuite } from 'laurels/testing/storage'

  const game = defineGame({ metrics: { words: { name: 'Words' } } })
  const storages = (mine: SqliteDatabase): Storage[] => [memory(), sqlite(':memory:'), sqlite(mine, { synchronous: 'FULL' })]

  export async function play(mine: SqliteDatabase): Promise<number> {
    const [storage = memory()] = storages(mine)
    const gamification = createGamification({ game, storage, clock: createTestClock('2026-03-01T00:00:00Z').now })
    const { total } = await gamification.metrics.event('words', { user: { id: 'ada' }, value: 1 })
    // @ts-expect-error: there is no such metric
    await gamification.metrics.event('wrds', { user: { id: 'ada' }, value: 1 })
    // @ts-expect-error: the game has no event attributes
    await gamification.metrics.event('words', { user: { id: 'ada' }, value: 1, attributes: { source: 'app' } })
    // @ts-expect-error: the game does not keep tenants apart
    gamification.tenant('acme')
    const inline = createGamification({
      game: defineGame({ metrics: { words: { name: 'Words' } }, eventAttributes: ['source'], multiTenant: true }),
      storage,
    }).tenant('acme')
    await inline.metrics.event('words', { user: { id: 'ada' }, value: 1, attributes: { source: 'app' } })
    // @ts-expect-error: there is no such event attribute
    await inline.metrics.event('words', { user: { id: 'ada' }, value: 1, attributes: { sorce: 'app' } })
    // @ts-expect-error: a number, not any
    total.toUpperCase()
    return total
  }

  export async function show(signal: AbortSignal): Promise<number> {
    const client = createClient<typeof game>({ baseUrl: '/game' })
    await client.metrics.event('words', { user: { id: 'ada' }, value: 1, idempotencyKey: 'k' }, { signal })
    // @ts-expect-error: there is no such metric
    await client.metrics.event('wrds', { user: { id: 'ada' }, value: 1 })
    // @ts-expect-error: an event over HTTP happens when it arrives
    await client.metrics.event('words', { user: { id: 'ada' }, value: 1, occurredAt: new Date() })
    const { length, expires } = await client.users.streak('ada', { historyPeriods: 3 }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return { length: 0, expires: null }
      throw error
    })
    return expires === null ? 0 : length
  }

  export function feed(streak: StreakElement, badges: BadgesElement, level: LevelElement, board: LeaderboardElement, quests: ChallengesElement): void {
    const client = createClient<typeof game>({ baseUrl: '/game' })
    for (const element of [badges, level, board]) element.setAttribute('user-id', 'ada')
    streak.client = client
    badges.client = client
    level.client = client
    board.client = client
    quests.client = client
    streak.labels = { daily: { one: '{count} Tag', other: '{count} Tage' }, retry: 'Noch einmal' }
    // @ts-expect-error: there is no such text
    streak.labels = { dayly: 'Tage' }
    // @ts-expect-error: what a level has is no streak
    streak.data = level.data
  }
  export async function fill(streak: StreakElement, badges: BadgesElement): Promise<void> {
    const { users } = createGamification({ game, storage: memory() })
    streak.data = await users.streak('ada', { historyPeriods: 365 })
    badges.data = await users.achievements('ada', { includeIncomplete: true })
  }

  // Functions for any game take the answers of this one.
  const toasts = ({ points }: MetricEventResponse): string[] => Object.values(points).map(({ name, added }) => name + added)
  export async function tell(mine: SqliteDatabase): Promise<string[]> {
    return toasts(await createGamification({ game, storage: sqlite(mine) }).metrics.event('words', { user: { id: 'ada' }, value: 1 }))
  }

  export const scenario = createScenario(game, { now: '2026-03-01T00:00:00Z' }).when(event('words', 1))
  export const check = (error: unknown): string => (isGamificationError(error) ? error.code : '')
  export const suite = storageSuite
`

describe('the types, for somebody without those of any driver', () => {
  const consumer = useConsumer(['@types/node'])

  test.each(COMPILERS)('are tried with $compiler', ({ compiler, version }) => {
    expect(JSON.parse(readFileSync(join(modules, compiler, 'package.json'), 'utf8')).version).toMatch(version)
    for (const absent of ['@types/better-sqlite3', '@types/pg', 'better-sqlite3', 'pg']) {
      expect(existsSync(join(consumer().directory, 'node_modules', absent))).toBe(false)
    }
  })

  test.concurrent.each(
    COMPILERS.flatMap(({ compiler }) =>
      Object.entries(PROJECTS).map(([kind, options]) => ({ compiler, kind, options })),
    ),
  )('are right with $compiler, $kind, libraries checked', async ({ compiler, kind, options }) => {
    const { directory, write } = consumer()
    // As an ES module, and as a CommonJS one that requires the package.
    write('play.mts', CODE)
    write('play.cts', CODE)
    write(
      `tsconfig.${compiler}.${kind}.json`,
      JSON.stringify({
        compilerOptions: {
          ...options,
          target: 'es2023',
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          noEmit: true,
        },
        files: ['play.mts', 'play.cts'],
      }),
    )
    const tsc = join(modules, compiler, 'bin/tsc')
    const finished = await run(process.execPath, [tsc, '-p', `tsconfig.${compiler}.${kind}.json`], directory)
    expect(finished).toEqual({ code: 0, out: '', err: '' })
  })
})

const HOOKS = `
  import { createClient, createQueries } from 'laurels/client'
  import { LaurelsProvider, useAchievements, useLeaderboard, useMetric, usePoints, useStreak, useTrackEvent } from 'laurels/react'
  import { defineGame, type UserStreak } from 'laurels'

  const game = defineGame({
    metrics: { words: { name: 'Words' } },
    points: { xp: { name: 'XP', triggers: [] } },
    eventAttributes: ['source'],
  })
  type Game = typeof game
  const client = createClient<Game>({ baseUrl: '/game' })

  function Rewards({ initialData }: { readonly initialData: UserStreak }) {
    const { track, error, retry } = useTrackEvent<Game>()
    const { data: streak } = useStreak<Game>({ historyPeriods: 30, suspense: true, initialData })
    const { data: xp } = usePoints<Game>('xp', { awards: 3 })
    useMetric<Game>('words')
    useAchievements<Game>().data?.map(({ key }) => key satisfies never)
    // @ts-expect-error: there is no such points system
    usePoints<Game>('px')
    // @ts-expect-error: there is no such metric
    useMetric<Game>('wrds')
    // @ts-expect-error: the game has no leaderboards
    useLeaderboard<Game>('all')
    // @ts-expect-error: the game has no named streaks
    useStreak<Game>({ streak: 'reading' })
    // @ts-expect-error: a streak is not a points total
    usePoints<Game>('xp', { initialData })
    // @ts-expect-error: there is no such points system
    createQueries(client, '18').points('px')
    const send = async () => {
      const answer = await track('words', { value: 1, attributes: { source: 'app' } })
      answer?.points.xp?.total.toFixed()
      // @ts-expect-error: there is no such metric
      await track('wrds', { value: 1 })
      // @ts-expect-error: there is no such event attribute
      await track('words', { value: 1, attributes: { sorce: 'app' } })
      // @ts-expect-error: the user is that of the provider
      await track('words', { value: 1, user: { id: '19' } })
    }
    return <button onClick={send}>{streak?.length} {xp?.total} {String(error)} {retry === null}</button>
  }

  export const page = (initialData: UserStreak) => (
    <LaurelsProvider client={client} userId="18"><Rewards initialData={initialData} /></LaurelsProvider>
  )
  export const other = <LaurelsProvider baseUrl="/game" userId="18" />
  // @ts-expect-error: where is the API?
  export const nowhere = <LaurelsProvider userId="18" />
`

const TSX = `
  import 'laurels/elements/react'
  import { createClient } from 'laurels/client'
  import { memory } from 'laurels/memory'
  import { useRef } from 'react'
  import type { StreakElement } from 'laurels/elements'

  const client = createClient({ baseUrl: '/game' })

  export function Rewards({ id }: { readonly id: string }) {
    const streak = useRef<StreakElement>(null)
    return (
      <section className="rewards">
        <laurels-streak ref={streak} key="streak" base-url="/game" periods={365} className="wide" style={{ margin: 0 }}>
          <h2 slot="heading">Your streak</h2>
        </laurels-streak>
        <laurels-badges user-id={id} client={client} labels={{ badges: 'Yours' }} show="earned" />
        <laurels-leaderboard leaderboard="weekly" user-id={id} client={client} limit={10} around />
        <laurels-level user-id={id} system="xp" base-url="/game" onlaurels-error={({ detail }) => console.error(detail.error)} />
        {/* @ts-expect-error: no number of periods */}
        <laurels-streak periods={[7]} />
        {/* @ts-expect-error: there is no such attribute */}
        <laurels-level sytem="xp" />
        {/* @ts-expect-error: a storage is no client */}
        <laurels-badges client={memory()} />
      </section>
    )
  }
`

/** The TSX blocks of the pages, by the file that the first line names. */
const OF_PAGES = ['coming-from-the-hosted-service', 'elements', 'react', 'recipes'].flatMap((name) =>
  textsOf(pageOf(name), 'tsx').map((text) => ({
    file: `${name}/${/^\/\/ (?<file>\S+\.tsx?)\n/.exec(text)?.groups?.file ?? 'rewards.tsx'}`,
    text,
  })),
)
/** From Next, which is not among the packages here. */
const NEXT = `declare module 'next/server' {\n  export function connection(): Promise<void>\n}\n`

describe('the types in React', () => {
  const consumer = useConsumer([
    ...['react', 'react-dom', '@types/react', '@types/react-dom', '@tanstack/react-query'],
    ...['express', '@types/express', '@types/node'],
  ])

  test('are right in what the pages show in TSX', async () => {
    const { directory, write } = consumer()
    expect(OF_PAGES.map(({ file }) => file)).toEqual([
      'coming-from-the-hosted-service/kit.ts',
      'elements/rewards.tsx',
      ...['game.ts', 'server.ts', 'vite.config.ts', 'main.tsx'].map((file) => `react/${file}`),
      ...['choices.tsx', 'days.tsx', 'tanstack.tsx'].map((file) => `react/${file}`),
      'recipes/gamification.ts',
      'recipes/app/v1/[...path]/route.ts',
    ])
    const [game = '', gamification = ''] = pageOf('define-a-game').programs.map(({ code }) => code)
    const sources = [
      ...OF_PAGES,
      { file: 'recipes/game.ts', text: game },
      { file: 'recipes/next.d.ts', text: NEXT },
      { file: 'react/gamification.ts', text: gamification },
    ]
    for (const { file, text } of sources) write(`shown/${file}`, text)
    const compilerOptions = {
      ...{ ...PROJECTS.bundler, types: ['node'], jsx: 'react-jsx', strict: true, noEmit: true },
      allowImportingTsExtensions: true,
    }
    write('tsconfig.shown.json', JSON.stringify({ compilerOptions, include: ['shown'] }))
    const finished = await run(
      process.execPath,
      [join(modules, 'typescript/bin/tsc'), '-p', 'tsconfig.shown.json'],
      directory,
    )
    expect(finished).toEqual({ code: 0, out: '', err: '' })
  })

  test.each(COMPILERS)('are right in TSX with $compiler', async ({ compiler }) => {
    const { directory, write } = consumer()
    write('rewards.tsx', TSX)
    write('hooks.tsx', HOOKS)
    const compilerOptions = {
      ...PROJECTS.bundler,
      target: 'es2023',
      jsx: 'react-jsx',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    }
    write(`tsconfig.${compiler}.json`, JSON.stringify({ compilerOptions, files: ['rewards.tsx', 'hooks.tsx'] }))
    const tsc = join(modules, compiler, 'bin/tsc')
    const finished = await run(process.execPath, [tsc, '-p', `tsconfig.${compiler}.json`], directory)
    expect(finished).toEqual({ code: 0, out: '', err: '' })
  })
})
