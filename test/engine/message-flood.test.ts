import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { type Engine, NOON, openOn, STORAGES } from '../support/engine.ts'
import { SOAK } from '../support/zones.ts'

// So many messages wait for one subscription, and are handed over beside what recording costs; the figures are printed.

const MESSAGES = SOAK ? 100_000 : 5_000
const PLAIN = SOAK ? 20_000 : 2_000
const USERS = 500
const AT_ONCE = 64
const MOST_GROWTH = 16_000_000

/** Each event completes it once more. */
const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: { each: { name: 'Each', trigger: 'metric', metric: 'words', value: 1, repeat: true } },
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

let spentOnGarbage = 0

function usedHeap(): number {
  const start = performance.now()
  collectGarbage()
  spentOnGarbage += performance.now() - start
  return process.memoryUsage().heapUsed
}

/** How many of `count` calls are done in a second, without the time in which the heap is looked at. */
async function rateOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const [start, spent] = [performance.now(), spentOnGarbage]
  await work()
  return (count / (performance.now() - start - (spentOnGarbage - spent))) * 1_000
}

async function record(engine: Engine, count: number): Promise<void> {
  let next = 0
  const line = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await engine.metrics.event('words', { user: { id: `user-${next % USERS}` }, value: 1 })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, line))
}

test.each(STORAGES.filter(({ name }) => name !== 'memory'))(
  `${MESSAGES} messages that wait are handed over in order, half as fast as events are recorded at least, and memory stays flat: $name`,
  { timeout: 600_000 },
  async ({ name, create }) => {
    const engine = await openOn(create(), { now: NOON }, GAME)
    try {
      await record(engine, PLAIN)
      const plain = await rateOf(PLAIN, () => record(engine, PLAIN))
      const counts = new Map<string | null, number>()
      const heaps: number[] = []
      let [handled, outOfOrder] = [0, 0]
      await engine.subscribe('all', { types: ['achievement.completed'] }, (messages) => {
        for (const { type, userId, data } of messages) {
          if (type !== 'achievement.completed') continue
          const count = data.achievement.count ?? 1
          if (counts.has(userId) && count !== (counts.get(userId) ?? 0) + 1) outOfOrder += 1
          counts.set(userId, count)
        }
        handled += messages.length
        if (handled % (MESSAGES / 10) < messages.length) heaps.push(usedHeap())
      })
      await record(engine, MESSAGES)
      const before = usedHeap()
      const rate = await rateOf(MESSAGES, () => engine.workOnce())
      const figures = { plain: Math.round(plain), handedOver: Math.round(rate), ratio: rate / plain }
      process.stdout.write(`${name}, each second: ${JSON.stringify(figures)}\n`)
      expect({ handled, outOfOrder, users: counts.size }).toEqual({ handled: MESSAGES, outOfOrder: 0, users: USERS })
      expect(heaps.length).toBeGreaterThanOrEqual(9)
      expect(Math.max(...heaps) - before).toBeLessThan(MOST_GROWTH)
      expect(figures.ratio).toBeGreaterThan(0.5)
    } finally {
      await engine.close()
    }
  },
)
