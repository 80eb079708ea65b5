// The messages on the channels of node:diagnostics_channel.

import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'

const GAME = {
  metrics: { words: { name: 'Words' } },
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
} as const

async function open(storage: Storage): Promise<Engine> {
  const engine = await openOn(storage, { now: NOON }, GAME)
  onTestFinished(() => engine.close())
  return engine
}

type Told = Record<string, unknown>

/** Every message of a channel until the end of the test, as `name: what`. */
function listen(name: string, tell: (told: Told) => unknown): string[] {
  const heard: string[] = []
  const hear = (event: string) => (told: unknown) => void heard.push(`${event}: ${tell(told as Told)}`)
  const subscribers = {
    start: hear('start'),
    end: hear('end'),
    asyncStart: hear('asyncStart'),
    asyncEnd: hear('asyncEnd'),
    error: hear('error'),
  }
  const channel = tracingChannel(`laurels:${name}`)
  channel.subscribe(subscribers)
  onTestFinished(() => void channel.unsubscribe(subscribers))
  return heard
}

const EVENT = { user: { id: 'ann' }, value: 5 }

describe('laurels:call', () => {
  test('tells of a call from its beginning to its answer', async () => {
    const engine = await open(memory())
    const heard = listen('call', ({ operation, result }) => `${operation} ${(result as Told | undefined)?.total}`)
    await engine.metrics.event('words', EVENT)
    expect(heard).toEqual([
      'start: metrics.event undefined',
      'end: metrics.event undefined',
      'asyncStart: metrics.event 5',
      'asyncEnd: metrics.event 5',
    ])
  })

  test('tells why a call was refused', async () => {
    const engine = await open(memory())
    const heard = listen('call', ({ operation, error }) => `${operation} ${(error as Told | undefined)?.code}`)
    await engine.users.get('nobody').catch(() => undefined)
    expect(heard).toEqual([
      'start: users.get undefined',
      'end: users.get undefined',
      'error: users.get unknown_user',
      'asyncStart: users.get unknown_user',
      'asyncEnd: users.get unknown_user',
    ])
  })

  test('lets a subscriber keep what is its own with each call, as tracers do', async () => {
    const engine = await open(memory())
    const spans = new AsyncLocalStorage<string>()
    const channel = tracingChannel('laurels:storage')
    const parents: (string | undefined)[] = []
    const calls = tracingChannel('laurels:call')
    calls.start.bindStore(spans, (told) => `span of ${(told as Told).operation}`)
    onTestFinished(() => void calls.start.unbindStore(spans))
    const subscribers = { start: () => void parents.push(spans.getStore()) }
    channel.subscribe(subscribers as never)
    onTestFinished(() => void channel.unsubscribe(subscribers as never))
    await engine.users.get('ann').catch(() => undefined)
    expect(parents).toEqual(['span of users.get'])
  })
})

test('laurels:replay says whose log is replayed, and how long it is', async () => {
  const engine = await open(memory())
  for (const value of [1, 2, 3]) await engine.metrics.event('words', { ...EVENT, value })
  const heard = listen('replay', (told) => ['user', 'commands', 'entries'].map((name) => told[name]).join(' '))
  await engine.metrics.event('words', { ...EVENT, occurredAt: new Date('2026-03-09T12:00:00Z') })
  // Three events and the profile that came with the first.
  const entries = heard[0]?.split(' ').at(-1)
  // A storage that answers at once replays the log at once.
  expect(heard).toEqual(['start', 'end'].map((name) => `${name}: ann 1 ${entries}`))
  expect(Number(entries)).toBeGreaterThanOrEqual(3)
})

test('What is answered is the same with subscribers as without', async () => {
  const answers: unknown[] = []
  for (const isHeard of [false, true]) {
    if (isHeard) for (const name of ['call', 'batch', 'storage', 'replay']) listen(name, () => '')
    let made = 0
    const ids = (): string => {
      made += 1
      return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
    }
    const engine = createGamification({ game: defineGame(GAME), storage: memory(), clock: () => new Date(NOON), ids })
    answers.push([
      await engine.metrics.event('words', EVENT),
      await engine.achievements.complete('tour', { user: { id: 'ann' } }),
      await engine.users.allMetrics('ann'),
      await engine.users.get('bob').catch((error) => error.code),
    ])
    await engine.close()
  }
  expect(answers[1]).toEqual(answers[0])
})
