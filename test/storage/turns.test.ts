import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createTurns, type Turns } from '../../src/storage/turns.ts'

/** Work that ends when `end` or `fail` is called, and adds its name to `begun`. */
function gated(turns: Turns, begun: string[], name: string, deadline?: number) {
  const gate = Promise.withResolvers<string>()
  const work = async (): Promise<string> => {
    begun.push(name)
    return gate.promise
  }
  return { answer: turns.take(work, deadline), end: () => gate.resolve(name), fail: gate.reject }
}

describe('turns', () => {
  test('run one call after the other, in their order', async () => {
    const turns = createTurns(1)
    const begun: string[] = []
    const [first, second] = [gated(turns, begun, 'first'), gated(turns, begun, 'second')]
    await sleep(1)
    expect(begun).toEqual(['first'])
    first.end()
    expect(await first.answer).toBe('first')
    await sleep(1)
    expect(begun).toEqual(['first', 'second'])
    second.end()
    expect(await second.answer).toBe('second')
    expect(turns.isIdle()).toBe(true)
  })

  test('run as many at once as they may, and the next when one of these ends', async () => {
    const turns = createTurns(2)
    const begun: string[] = []
    const calls = ['a', 'b', 'c'].map((name) => gated(turns, begun, name))
    await sleep(1)
    expect(begun).toEqual(['a', 'b'])
    calls[1]?.end()
    await sleep(1)
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  test('go on after a call that failed', async () => {
    const turns = createTurns(1)
    const begun: string[] = []
    const [first, second] = [gated(turns, begun, 'first'), gated(turns, begun, 'second')]
    first.fail(new Error('full'))
    await expect(first.answer).rejects.toThrow('full')
    second.end()
    expect(await second.answer).toBe('second')
  })

  test('reject a call whose turn does not come by its deadline, and never run it', async () => {
    const turns = createTurns(1, () => new Error('overdue'))
    const begun: string[] = []
    const first = gated(turns, begun, 'first')
    const second = gated(turns, begun, 'second', performance.now() + 5)
    await expect(second.answer).rejects.toThrow('overdue')
    first.end()
    await first.answer
    const third = gated(turns, begun, 'third')
    third.end()
    await third.answer
    expect(begun).toEqual(['first', 'third'])
  })

  test('reject a call whose deadline has passed although its turn is there', async () => {
    const turns = createTurns(1, () => new Error('overdue'))
    const begun: string[] = []
    await expect(gated(turns, begun, 'only', performance.now()).answer).rejects.toThrow('overdue')
    expect(begun).toEqual([])
    expect(turns.isIdle()).toBe(true)
  })
})
