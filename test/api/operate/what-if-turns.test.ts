import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { defineGame } from '../../../src/index.ts'
import { type Engine, NOON, openOn } from '../../support/engine.ts'

/** Thousands of rules that each look at every event. */
const dear = defineGame({
  metrics: { words: { name: 'Words' } },
  points: {
    xp: {
      name: 'XP',
      triggers: Array.from({ length: 2_000 }, (_, index) => ({
        type: 'metric' as const,
        metric: 'words' as const,
        threshold: 1,
        points: 1,
        key: `t${index}`,
      })),
    },
  },
})

async function open(): Promise<Engine> {
  const engine = await openOn(memory(), { now: NOON }, { metrics: { words: { name: 'Words' } } })
  onTestFinished(() => engine.close())
  const event = { user: { id: 'ann' }, value: 1 }
  for (let index = 0; index < 60; index += 1) await engine.metrics.event('words', event)
  return engine
}

/** Counts the turns that the event loop has had. */
function countTurns(onTurn: (turns: number) => void = () => undefined): () => number {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns += 1
    onTurn(turns)
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  onTestFinished(() => {
    isOver = true
  })
  return () => turns
}

test('the event loop turns every few milliseconds, however many rules each line meets', async () => {
  const engine = await open()
  const turns = countTurns()
  await engine.whatIf(dear)
  // A slower machine yields more often, since a chunk ends after 10 ms.
  expect(turns()).toBeGreaterThan(8)
})

test('a signal ends it amid the log of one user', async () => {
  const engine = await open()
  const ending = new AbortController()
  countTurns((turns) => {
    if (turns === 8) ending.abort(new Error('The client has gone.'))
  })
  await expect(engine.whatIf(dear, { signal: ending.signal })).rejects.toThrow('The client has gone.')
})
