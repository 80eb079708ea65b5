import { memory } from 'laurels/memory'
import { afterEach, expect, test, vi } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification, type Logger } from '../../src/index.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const event = { user: { id: '18' }, value: 1 }

afterEach(() => void vi.useRealTimers())

function create(logger?: Logger): Gamification<DefinedGame> {
  return createGamification<DefinedGame>({ game, storage: memory(), ...(logger === undefined ? {} : { logger }) })
}

/** Ends when the test asks for it. */
function held(): { readonly promise: Promise<void>; end(): void } {
  let end = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}

test('close() waits for handlers that are under way, and for what they record', async () => {
  const engine = create()
  const { promise, end } = held()
  const done: string[] = []
  engine.on('user.created', async ({ user }) => {
    await promise
    if (user.id === '18') await engine.metrics.event('words', { user: { id: '19' }, value: 1 })
    done.push(user.id)
  })
  await engine.metrics.event('words', event)
  const closing = engine.close().then(() => done.push('closed'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(done).toEqual([])
  end()
  await closing
  expect([...done].sort()).toEqual(['18', '19', 'closed'])
  expect(done.at(-1)).toBe('closed')
})

test('a handler that fails late is still told to the logger', async () => {
  const errors: unknown[] = []
  const engine = create({ warn: () => undefined, error: ({ err }) => void errors.push(err) })
  const { promise, end } = held()
  const failure = new Error('no toast today')
  engine.on('user.created', async () => {
    await promise
    throw failure
  })
  await engine.metrics.event('words', event)
  const closing = engine.close()
  end()
  await closing
  expect(errors).toEqual([failure])
})

test('close() waits ten seconds for a handler that never ends, and says that it does not any longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const warnings: unknown[] = []
  const engine = create({
    warn: (details, message) => void warnings.push({ ...details, message }),
    error: () => undefined,
  })
  engine.on('user.created', () => new Promise(() => undefined))
  await engine.metrics.event('words', event)
  let isClosed = false
  const closing = engine.close().then(() => {
    isClosed = true
  })
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(9_900)
  expect([isClosed, warnings]).toEqual([false, []])
  await vi.advanceTimersByTimeAsync(200)
  await closing
  expect(warnings).toEqual([{ handlers: 1, message: 'Handlers still run while the storage is closed.' }])
})
