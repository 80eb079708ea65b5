// Mistakes that somebody makes who writes a game and calls it, and what the compiler says of each.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { run, SLOW, useConsumer } from '../support/consumer.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

const GAME = `
import { createGamification, defineGame } from 'laurels'
import { createClient } from 'laurels/client'
import { memory } from 'laurels/memory'

export const game = defineGame({
  metrics: { notes: { name: 'Notes' }, words: { name: 'Words' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
  achievements: {
    manual: { name: 'Manual', trigger: 'api' },
    first: { name: 'First', trigger: 'metric', metric: 'notes', value: 1 },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
  leaderboards: { top: { name: 'Top', rankBy: 'points', system: 'xp', start: '2026-01-01' } },
})
export const g = createGamification({ game, storage: memory() })
export const client = createClient<typeof game>({ baseUrl: '/game' })
export const user = { id: '1' }
const bare = defineGame({ metrics: { notes: { name: 'Notes' } } })
export const plain = createGamification({ game: bare, storage: memory() })
export const answer = await g.metrics.event('notes', { user, value: 1 })
`

/** One statement each, and a part of what is said of it. */
const MISTAKES: readonly (readonly [mistake: string, statement: string, message: string])[] = [
  [
    'a metric that is not there',
    `g.metrics.event('wrds', { user, value: 1 })`,
    `'"wrds"' is not assignable to parameter of type '"notes" | "words"'`,
  ],
  [
    'a user id in place of the user',
    `g.metrics.event('notes', { userId: '1', value: 1 })`,
    `'userId' does not exist in type`,
  ],
  [
    'a value that is a text',
    `g.metrics.event('notes', { user, value: '1' })`,
    `Type 'string' is not assignable to type 'number'`,
  ],
  ['an event without a value', `g.metrics.event('notes', { user })`, `Property 'value' is missing`],
  [
    'an event attribute that is not there',
    `g.metrics.event('notes', { user, value: 1, attributes: { sorce: 'app' } })`,
    `Did you mean to write 'source'?`,
  ],
  [
    'a user attribute that is not there',
    `g.users.identify('1', { attributes: { plann: 'pro' } })`,
    `Did you mean to write 'plan'?`,
  ],
  [
    'a misspelt option of an event',
    `g.metrics.event('notes', { user, value: 1, occuredAt: new Date() })`,
    `Did you mean to write 'occurredAt'?`,
  ],
  [
    'an instant that is a text',
    `g.metrics.event('notes', { user, value: 1, occurredAt: '2026-01-01' })`,
    `Type 'string' is not assignable to type 'Date'`,
  ],
  [
    'a misspelt option of a call',
    `g.metrics.event('notes', { user, value: 1 }, { dryrun: true })`,
    `Did you mean to write 'dryRun'?`,
  ],
  [
    'an achievement that is not there',
    `g.achievements.complete('removed', { user })`,
    `'"removed"' is not assignable to parameter of type '"manual"'`,
  ],
  [
    'an achievement that no call completes',
    `g.achievements.complete('first', { user })`,
    `'"first"' is not assignable to parameter of type '"manual"'`,
  ],
  [
    'a points system that is not there',
    `g.users.points('1', 'gold')`,
    `'"gold"' is not assignable to parameter of type '"xp"'`,
  ],
  [
    'a leaderboard that is not there',
    `g.leaderboards.get('weekly')`,
    `'"weekly"' is not assignable to parameter of type '"top"'`,
  ],
  [
    'a number of places that is a text',
    `g.leaderboards.get('top', { limit: '10' })`,
    `Type 'string' is not assignable to type 'number'`,
  ],
  [
    'an event that nobody emits',
    `g.on('achievement.complete', () => undefined)`,
    `'"achievement.complete"' is not assignable`,
  ],
  ['a points system that no answer has', `answer.points.gold?.added`, `Property 'gold' does not exist`],
  ['an achievement that no answer has', `answer.achievements.some(({ key }) => key === 'nope')`, `have no overlap`],
  [
    'an achievement that no handler is told',
    `g.on('achievement.completed', ({ achievement }) => achievement.key === 'nope' ? undefined : undefined)`,
    `have no overlap`,
  ],
  ['a leaderboard that no answer has', `answer.leaderboards.weekly?.rank`, `Property 'weekly' does not exist`],
  [
    'a metric that the client does not know',
    `client.metrics.event('wrds', { user, value: 1 })`,
    `'"wrds"' is not assignable to parameter of type '"notes" | "words"'`,
  ],
  [
    'a filter in a game without attributes',
    `defineGame({ metrics: { n: { name: 'N' } }, achievements: { a: { name: 'A', trigger: 'metric', metric: 'n', value: 1, eventAttributes: { source: 'app' } } } })`,
    'The game has no event attributes: list them in `eventAttributes` first.',
  ],
  [
    'a trigger of an achievement in a game without any',
    `defineGame({ metrics: { n: { name: 'N' } }, points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'a', points: 1 }] } } })`,
    'The game has no achievements: add one to `achievements` first.',
  ],
  [
    'a leaderboard by points in a game without systems',
    `defineGame({ metrics: { n: { name: 'N' } }, leaderboards: { top: { name: 'T', rankBy: 'points', system: 'xp', start: '2026-01-01' } } })`,
    'The game has no points systems: add one to `points` first.',
  ],
  [
    'a metric of a trigger that is not there',
    `defineGame({ metrics: { n: { name: 'N' } }, achievements: { a: { name: 'A', trigger: 'metric', metric: 'm', value: 1 } } })`,
    `Type '"m"' is not assignable to type '"n"'`,
  ],
  [
    'completing in a game without achievements',
    `plain.achievements.complete('a', { user })`,
    `No achievement of the game has the trigger 'api'`,
  ],
  [
    'a leaderboard of a game without any',
    `plain.leaderboards.get('top')`,
    'The game has no leaderboards: add one to `leaderboards` first.',
  ],
  [
    'points of a game without systems',
    `plain.users.points('1', 'xp')`,
    'The game has no points systems: add one to `points` first.',
  ],
]

/** What is right, and has to stay so. */
const RIGHT = [
  `const key: 'manual' | 'first' | undefined = answer.achievements[0]?.key`,
  `const added: number | undefined = answer.points.xp?.added`,
  `const all: number[] = Object.values(answer.points).map(({ added }) => added)`,
  `await g.users.leaderboard('1', 'top')`,
  `g.on('points.changed', ({ points }) => void (points.key === 'xp'))`,
]

describe('The compiler', () => {
  const consumer = useConsumer(['@types/node'])
  let said: readonly (readonly [line: number, message: string])[] | null = null

  /** Compiles all of them at once, one on each line. */
  async function compile(): Promise<NonNullable<typeof said>> {
    if (said !== null) return said
    const { directory, write } = consumer()
    write('game.mts', GAME)
    const head = `import { answer, client, g, plain, user } from './game.mjs'\nimport { defineGame } from 'laurels'\n`
    const lines = [...MISTAKES.map(([, statement]) => statement), ...RIGHT]
    write('mistakes.mts', `${head}${lines.join('\n')}\nvoid [key, added, all]\n`)
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: ['node'],
    }
    write('tsconfig.mistakes.json', JSON.stringify({ compilerOptions, files: ['mistakes.mts'] }))
    const tsc = join(modules, 'typescript', 'bin/tsc')
    const { out } = await run(process.execPath, [tsc, '--pretty', 'false', '-p', 'tsconfig.mistakes.json'], directory)
    const messages = out.split(/\n(?=\S)/).filter((line) => line !== '')
    said = messages.map((message) => {
      const { line } = /^mistakes\.mts\((?<line>\d+),/.exec(message)?.groups ?? {}
      return [Number(line ?? 0) - 3, message] as const
    })
    return said
  }

  test.each(MISTAKES.map((each, index) => [each[0], each[2], index] as const))(
    'says of %s: %s',
    { timeout: SLOW },
    async (_, message, index) => {
      const own = (await compile()).filter(([line]) => line === index).map(([, text]) => text)
      expect(own.join('\n')).toContain(message)
      expect(own).toHaveLength(1)
    },
  )

  test('says nothing of what is right', { timeout: SLOW }, async () => {
    expect((await compile()).filter(([line]) => line < 0 || line >= MISTAKES.length)).toEqual([])
  })
})
