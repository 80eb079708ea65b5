import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type Gamification,
  type Storage,
} from '../../../src/index.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const one = { user: { id: 'ann' }, value: 1 }

function on(storage: Storage): Gamification<DefinedGame> {
  const engine = createGamification<DefinedGame>({ game, storage })
  onTestFinished(() => engine.close())
  return engine
}

describe('memory()', () => {
  test('needs no migrate(), and migrate() has nothing to do', async () => {
    const storage = memory()
    const engine = on(storage)
    expect((await engine.metrics.event('words', one)).total).toBe(1)
    expect((await engine.migrate()).applied).toEqual([])
    expect((await engine.metrics.event('words', one)).total).toBe(2)
  })

  test('is shared by the engines that are given the same', async () => {
    const storage = memory()
    const [first, second] = [on(storage), on(storage)]
    await first.metrics.event('words', one)
    expect((await second.metrics.event('words', one)).total).toBe(2)
  })

  test('is another one with each call', async () => {
    await on(memory()).metrics.event('words', one)
    expect((await on(memory()).metrics.event('words', one)).total).toBe(1)
  })

  test('rejects calls after close()', async () => {
    const engine = on(memory())
    await engine.metrics.event('words', one)
    await engine.close()
    await expect(engine.metrics.event('words', one)).rejects.toMatchObject({ code: 'closed' })
  })

  test('is called memory in status()', async () => {
    const engine = on(memory())
    await engine.migrate()
    expect((await engine.status()).storage).toBe('memory')
  })
})
