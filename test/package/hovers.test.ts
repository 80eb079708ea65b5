// The documentation that editors show while somebody uses the package. Mapped types, `Pick` and `Omit` lose it in TypeScript 7.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { useConsumer } from '../support/consumer.ts'
import { hoverWithServer, hoverWithService } from '../support/language-server.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

const OPTIONS = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
}

// The mark «» is before each name to look at.
const MARKED = `
import { createGamification, defineGame } from 'laurels'
import { createClient } from 'laurels/client'
import { sqlite } from 'laurels/sqlite'

const game = «»defineGame({
  metrics: { words: { name: 'Words', «»unit: 'words', «»limits: [] } },
  achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1, «»secret: true } },
  points: { xp: { name: 'XP', triggers: [], «»cap: { points: 1, per: 'day' } } },
  leaderboards: { weekly: { name: 'Weekly', rankBy: 'metric', metric: 'words' } },
})

export async function play(database: Parameters<typeof sqlite>[0] & object): Promise<void> {
  const gamification = «»createGamification({ game, «»storage: sqlite(database) })
  const { «»total } = await gamification.metrics.«»event(
    'words',
    { user: { id: 'ada' }, value: 1, «»idempotencyKey: 'k' },
    { «»dryRun: true },
  )
  await gamification.leaderboards.«»get('weekly', { «»userId: 'ada' })
  await gamification.users.«»identify('ada', { name: 'Ada' })
  await gamification.users.«»streak('ada')
  await gamification.users.«»metricEventSummary('ada', 'words', { aggregation: 'daily', startDate: '', endDate: '' })
  await gamification.points.«»levels('xp')
  await gamification.admin.points.boosts.«»create('xp', [{ «»userId: 'ada', name: 'Double', start: '', multiplier: 2 }])
  await gamification.admin.achievements.«»grant('first', { userId: 'ada', reason: '' })
  gamification.within(database, (g) => {
    g.metrics.«»event('words', { user: { id: 'ada' }, value: total })
    g.users.«»updatePreferences('ada', {})
  })
}

export async function show(): Promise<void> {
  const client = «»createClient<typeof game>({ baseUrl: '/game' })
  await client.metrics.«»event('words', { user: { id: 'ada' }, value: 1, «»attributes: {} })
  await client.users.«»get('ada')
  await client.users.«»identify('ada', { name: 'Ada' })
  await client.users.«»achievements('ada')
  await client.achievements.«»all()
  await client.streaks.«»rankings()
  await client.points.«»summary('xp')
  await client.users.«»allMetrics('ada')
  await client.leaderboards.«»get('weekly', { «»userId: 'ada' })
}
`

const PARTS = MARKED.split('«»')
const CODE = PARTS.join('')
/** The lines with the names, and where these begin in the code. */
const OFFSETS = PARTS.slice(0, -1).map((_, index) => PARTS.slice(0, index + 1).join('').length)
const NAMES = OFFSETS.map((offset) => {
  const [line = ''] = CODE.slice(CODE.lastIndexOf('\n', offset) + 1).split('\n')
  const [name] = /^\w+/.exec(CODE.slice(offset)) ?? []
  return `${name} in ${line.trim()}`
})

const consumer = useConsumer([])

/** The names without a text. */
function nameless(texts: readonly string[]): readonly string[] {
  expect(texts).toHaveLength(NAMES.length)
  return NAMES.filter((_, index) => texts[index] === '')
}

test('editors show a text for each name of the API, with TypeScript 7', async () => {
  const { directory, write } = consumer()
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...OPTIONS, noEmit: true }, files: ['play.mts'] }))
  const file = write('play.mts', CODE)
  const texts = await hoverWithServer(join(modules, 'typescript/bin/tsc'), directory, file, CODE, OFFSETS)
  expect(nameless(texts)).toEqual([])
})

test('editors show a text for each name of the API, with TypeScript 5.9', () => {
  const { directory, write } = consumer()
  const texts = hoverWithService(directory, write('play.mts', CODE), OPTIONS, OFFSETS)
  expect(nameless(texts)).toEqual([])
})
