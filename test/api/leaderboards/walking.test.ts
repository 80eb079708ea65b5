// @heavy: It takes more than three seconds.

import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Gamification } from '../../../src/index.ts'
import { runCompiled } from '../../support/compiled.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const SOAK = process.env.SOAK !== undefined
const PARTICIPANTS = SOAK ? 5_000 : 2_000
const ROUNDS = SOAK ? 2_000 : 50
const PAGE = 100

const definition = {
  metrics: { words: { name: 'Words' } },
  leaderboards: {
    board: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2024-01-01', maxParticipants: null },
  },
} as const
const game = defineGame(definition)
const NOW = '2024-01-02T00:00:00Z'

type Engine = Gamification<typeof game>

/** One to twenty events; some of the users are new. */
function eventsOf(round: number, participants: number): readonly { id: string; value: number }[] {
  return Array.from({ length: 1 + ((round * 7) % 20) }, (_, index) => ({
    id: `user ${(round * 7919 + index * 104_729) % (participants + 50)}`,
    value: ((round * 31 + index * 17) % 101) - 40,
  }))
}

/** The same rounds from another process. */
const WRITER = `
  import { createGamification } from './src/gamification.js'
  import { defineGame } from './src/game/define-game.js'
  import { sqlite } from './adapters/sqlite/index.js'
  ${eventsOf.toString()}
  const { file, definition, rounds, participants, now } = JSON.parse(process.argv[1])
  const storage = sqlite(file, { synchronous: 'NORMAL' })
  const engine = createGamification({ game: defineGame(definition), storage, clock: () => new Date(now) })
  for (let round = 0; round < rounds; round += 1) {
    const events = eventsOf(round, participants)
    await Promise.all(events.map(({ id, value }) => engine.metrics.event('words', { user: { id }, value })))
  }
  await engine.close()
`

async function write(engines: readonly Engine[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const events = eventsOf(round, PARTICIPANTS).map(({ id, value }, index) =>
      engines[index % engines.length]?.metrics.event('words', { user: { id }, value }),
    )
    await Promise.all(events)
  }
}

type Rankings = Awaited<ReturnType<Engine['leaderboards']['get']>>['rankings']

function checkLines(lines: Rankings, offset: number): void {
  expect(new Set(lines.map(({ userId }) => userId)).size).toBe(lines.length)
  expect(lines.map(({ rank }) => rank)).toEqual(lines.map((_, index) => offset + 1 + index))
  const values = lines.map(({ value }) => value)
  expect(values).toEqual([...values].sort((left, right) => right - left))
}

/** Reads all pages, two at a time. */
async function walk(
  engine: Engine,
  check: (first: Rankings, second: Rankings, offset: number) => void,
): Promise<Rankings> {
  const all: Rankings[number][] = []
  for (let offset = 0; ; offset += 2 * PAGE) {
    const [first, second] = await Promise.all([
      engine.leaderboards.get('board', { offset, limit: PAGE }),
      engine.leaderboards.get('board', { offset: offset + PAGE, limit: PAGE }),
    ])
    check(first.rankings, second.rankings, offset)
    all.push(...first.rankings, ...second.rankings)
    await setImmediate()
    if (second.rankings.length < PAGE) return all
  }
}

describe('Walking a board of thousands on SQLite', () => {
  const nextFile = useDatabaseFiles()
  const opened: Engine[] = []
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close()
  })

  function open(file: string): Engine {
    const engine = createGamification({
      game,
      storage: sqlite(file, { synchronous: 'NORMAL' }),
      clock: () => new Date(NOW),
    })
    opened.push(engine)
    return engine
  }

  async function start(): Promise<{ readonly file: string; readonly engine: Engine }> {
    const file = nextFile()
    const engine = open(file)
    await engine.migrate()
    const ids = Array.from({ length: PARTICIPANTS }, (_, index) => `user ${index}`)
    await engine.import(ids.map((id, index) => ({ metric: 'words' as const, user: { id }, value: index % 300 })))
    return { file, engine }
  }

  async function walkUntil(written: Promise<unknown>, walkOnce: () => Promise<unknown>): Promise<number> {
    let isDone = false
    const done = written.finally(() => {
      isDone = true
    })
    let walks = 0
    for (; !isDone; walks += 1) await walkOnce()
    await done
    return walks
  }

  async function checkEnd(engine: Engine, times: number): Promise<void> {
    const totals = new Map(Array.from({ length: PARTICIPANTS }, (_, index) => [`user ${index}`, index % 300]))
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { id, value } of eventsOf(round, PARTICIPANTS)) totals.set(id, (totals.get(id) ?? 0) + times * value)
    }
    const lines = await walk(engine, () => {})
    checkLines(lines, 0)
    expect(new Map(lines.map(({ userId, value }) => [userId, value]))).toEqual(totals)
  }

  test('shows nobody twice on two pages read at once, while two engines write', { timeout: 600_000 }, async () => {
    const { file, engine } = await start()
    const written = write([engine, open(file)])
    const walks = await walkUntil(written, () =>
      walk(engine, (first, second, offset) => checkLines([...first, ...second], offset)),
    )
    expect(walks).toBeGreaterThan(1)
    await checkEnd(engine, 1)
  })

  test('never fails, while another process writes too', { timeout: 600_000 }, async () => {
    const { file, engine } = await start()
    const args = { file, definition, rounds: ROUNDS, participants: PARTICIPANTS, now: NOW }
    const written = Promise.all([write([engine]), runCompiled(WRITER, JSON.stringify(args))])
    await walkUntil(written, () =>
      // Between two pages the other process may have written.
      walk(engine, (first, second, offset) => {
        checkLines(first, offset)
        checkLines(second, offset + PAGE)
      }),
    )
    await checkEnd(engine, 2)
  })
})
