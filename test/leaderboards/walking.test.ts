import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Gamification, type Storage } from '../../src/index.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const SOAK = process.env.SOAK !== undefined
const PARTICIPANTS = SOAK ? 5_000 : 2_000
const WRITES = SOAK ? 20_000 : 2_000
const PAGE = 100

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  leaderboards: {
    board: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2024-01-01', maxParticipants: null },
  },
})

type Engine = Gamification<typeof game>

function open(storage: Storage): Engine {
  let now = Date.parse('2024-01-02T00:00:00Z')
  const clock = () => {
    now += 1
    return new Date(now)
  }
  return createGamification({ game, storage, clock })
}

/** Writes in rounds of one to twenty events, so that pages are read between any two of them. */
async function write(engines: readonly Engine[], isDone: { now: boolean }): Promise<void> {
  for (let written = 0, round = 0; written < WRITES; round += 1) {
    const events = Array.from({ length: 1 + ((round * 7) % 20) }, (_, index) => {
      const user = (round * 7919 + index * 104_729) % (PARTICIPANTS + 50)
      const value = ((round * 31 + index * 17) % 101) - 40
      return engines[index % engines.length]?.metrics.event('words', { user: { id: `user ${user}` }, value })
    })
    await Promise.all(events)
    written += events.length
  }
  isDone.now = true
}

/** Reads all pages, two at a time; answers how many pairs it read. */
async function walk(engine: Engine): Promise<number> {
  let pairs = 0
  for (let offset = 0; ; offset += PAGE) {
    const [first, second] = await Promise.all([
      engine.leaderboards.get('board', { offset, limit: PAGE }),
      engine.leaderboards.get('board', { offset: offset + PAGE, limit: PAGE }),
    ])
    const lines = [...first.rankings, ...second.rankings]
    expect(new Set(lines.map(({ userId }) => userId)).size).toBe(lines.length)
    expect(lines.map(({ rank }) => rank)).toEqual(lines.map((_, index) => offset + 1 + index))
    const values = lines.map(({ value }) => value)
    expect(values).toEqual([...values].sort((left, right) => right - left))
    pairs += 1
    if (second.rankings.length < PAGE) return pairs
  }
}

const nextFile = useDatabaseFiles()
const places: readonly { readonly name: string; readonly make: () => () => Storage }[] = [
  {
    name: 'memory',
    make: () => {
      const storage = memory()
      return () => storage
    },
  },
  {
    name: 'sqlite',
    make: () => {
      const file = nextFile()
      return () => sqlite(file, { synchronous: 'OFF' })
    },
  },
]

describe.each(places)('Walking a board of thousands on $name', ({ make }) => {
  test('shows nobody twice on two pages read at once while others write', { timeout: 600_000 }, async () => {
    const openStorage = make()
    const engines = [open(openStorage()), open(openStorage())]
    const [engine] = engines
    if (engine === undefined) throw new Error('two engines')
    await engine.migrate()
    const ids = Array.from({ length: PARTICIPANTS }, (_, index) => `user ${index}`)
    await engine.import(ids.map((id, index) => ({ metric: 'words' as const, user: { id }, value: index % 300 })))

    const isDone = { now: false }
    const written = write(engines, isDone)
    let pairs = 0
    while (!isDone.now) pairs += await walk(engine)
    await written
    expect(pairs).toBeGreaterThan(PARTICIPANTS / PAGE / 2)
    await walk(engine)
    for (const each of engines) await each.close()
  })
})
