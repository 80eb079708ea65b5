// The clock of the process beside that of the database.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { fromPg, postgres } from '../../adapters/postgres/index.ts'
import { createGamification, defineGame, type Logger, type Storage } from '../../src/index.ts'
import { loadGames } from '../../src/sql/games.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { sharedPool, useEmptySchemas } from '../support/postgres.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })
const nextSchema = useEmptySchemas()
const MINUTE = 60_000
const AHEAD =
  'The clock of this process is 6 minutes ahead of the clock of the database, so nothing is recorded. Set both clocks by NTP.'

interface Warning {
  readonly message: string
  readonly aheadBySeconds: unknown
}

function newLogger(): { readonly logger: Logger; readonly warnings: Warning[] } {
  const warnings: Warning[] = []
  const warn = ({ aheadBySeconds }: { readonly aheadBySeconds?: unknown }, message: string): void => {
    warnings.push({ message, aheadBySeconds })
  }
  return { logger: { warn, error: () => undefined }, warnings }
}

/** A storage in memory whose database has a clock of its own. */
function withClock(behind: { value: number }): Storage {
  const ask = async () => ({ now: Date.now() - behind.value })
  return extendStorage(memory(), () => ({ checkTables: ask, checkWritable: ask }))
}

function on(storage: Storage, options: { readonly clock?: () => Date; readonly logger?: Logger } = {}) {
  const engine = createGamification({ game, storage, ...options })
  onTestFinished(() => engine.close())
  return engine
}

describe('A process whose clock is six minutes ahead of the database', () => {
  test('records nothing, stores no game, is failing, and warns once', async () => {
    const storage = withClock({ value: 6 * MINUTE })
    const { logger, warnings } = newLogger()
    const engine = on(storage, { logger })
    await expect(engine.migrate()).rejects.toMatchObject({ code: 'unavailable', message: AHEAD })
    await expect(engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).rejects.toMatchObject({
      code: 'unavailable',
      message: AHEAD,
    })
    expect(await engine.health()).toMatchObject({ status: 'failing', code: 'unavailable', message: AHEAD })
    expect(await loadGames(storage)).toEqual([])
    expect(warnings).toEqual([{ message: AHEAD, aheadBySeconds: 360 }])
  })

  test('records nothing where it calls neither migrate() nor health() nor work', async () => {
    const storage = withClock({ value: 6 * MINUTE })
    const { logger, warnings } = newLogger()
    const engine = on(storage, { logger })
    for (let call = 1; call <= 2; call += 1) {
      await expect(engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).rejects.toMatchObject({
        code: 'unavailable',
        message: AHEAD,
      })
    }
    expect(await loadGames(storage)).toEqual([])
    expect(warnings).toEqual([{ message: AHEAD, aheadBySeconds: 360 }])
  })

  test('records again when a look at its health finds the clock right', async () => {
    const behind = { value: 6 * MINUTE }
    const engine = on(withClock(behind))
    await engine.migrate().catch(() => undefined)
    behind.value = 0
    expect(await engine.health()).toMatchObject({ status: 'ok' })
    expect(await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).toMatchObject({ total: 1 })
  })

  test('records again soon after the clock was set, without a look at its health', async () => {
    const behind = { value: 6 * MINUTE }
    const engine = on(withClock(behind))
    await engine.migrate().catch(() => undefined)
    behind.value = 0
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 }).catch(() => undefined)
    await vi.waitFor(() => engine.metrics.event('words', { user: { id: 'ann' }, value: 1 }), 5_000)
  })

  test('that only does work is found out too', async () => {
    const storage = withClock({ value: 6 * MINUTE })
    await on(storage, { clock: () => new Date() }).migrate()
    const { logger, warnings } = newLogger()
    const engine = on(storage, { logger })
    await expect(engine.workOnce()).rejects.toMatchObject({ code: 'unavailable', message: AHEAD })
    expect(warnings).toEqual([{ message: AHEAD, aheadBySeconds: 360 }])
    await expect(engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).rejects.toMatchObject({
      code: 'unavailable',
      message: AHEAD,
    })
  })

  test('is not judged where the host gave it a clock', async () => {
    const engine = on(withClock({ value: 6 * MINUTE }), { clock: () => new Date() })
    await engine.migrate()
    expect(await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).toMatchObject({ total: 1 })
    expect(await engine.health()).toMatchObject({ status: 'ok' })
  })
})

test('a process whose clock is six minutes behind is failing and warns, and records', async () => {
  const { logger, warnings } = newLogger()
  const engine = on(withClock({ value: -6 * MINUTE }), { logger })
  await engine.migrate()
  const message =
    'The clock of this process is 6 minutes behind the clock of the database, so events are dated too early. Set both clocks by NTP.'
  expect(await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).toMatchObject({ total: 1 })
  expect(await engine.health()).toMatchObject({ status: 'failing', code: 'unavailable', message })
  expect(warnings).toEqual([{ message, aheadBySeconds: -360 }])
})

test('four minutes are no fault', async () => {
  for (const value of [4 * MINUTE, -4 * MINUTE]) {
    const engine = on(withClock({ value }))
    await engine.migrate()
    expect(await engine.health()).toMatchObject({ status: 'ok' })
  }
})

test('a clock that jumps ahead is found out by the next write, and one that was set by the write after it', async () => {
  let asked = 0
  const ask = async () => {
    asked += 1
    return { now: Math.round(performance.timeOrigin + performance.now()) }
  }
  const engine = on(extendStorage(memory(), () => ({ checkTables: ask, checkWritable: ask })))
  const write = (user: string) => engine.metrics.event('words', { user: { id: user }, value: 1 })
  await write('ann')
  await write('ben')
  expect(asked).toBe(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90 * MINUTE })
  try {
    await expect(write('cleo')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is 90 minutes ahead of the clock of the database'),
    })
  } finally {
    vi.useRealTimers()
  }
  expect(await write('cleo')).toMatchObject({ total: 1 })
  expect(asked).toBe(2)
})

describe('On Postgres, a process 400 days ahead that calls nothing else first', () => {
  async function openWorld() {
    const schema = nextSchema()
    const right = on(postgres(sharedPool(), { schema }))
    await right.migrate()
    await right.metrics.event('words', { user: { id: 'ann' }, value: 1, occurredAt: new Date(Date.now() - MINUTE) })
    return { right, wrong: on(postgres(sharedPool(), { schema })) }
  }
  type World = Awaited<ReturnType<typeof openWorld>>

  const REFUSED = {
    code: 'unavailable',
    message:
      'The clock of this process is 400 days ahead of the clock of the database, so nothing is recorded. Set both clocks by NTP.',
  }
  const WRITES: { readonly [name: string]: (engine: World['wrong']) => Promise<unknown> } = {
    event: (engine) => engine.metrics.event('words', { user: { id: 'ann' }, value: 5 }),
    'late event': (engine) =>
      engine.metrics.event('words', {
        user: { id: 'ann' },
        value: 5,
        occurredAt: new Date(Date.now() - 401 * 24 * 60 * MINUTE),
      }),
    profile: (engine) => engine.users.update('ann', { name: 'Ann' }),
    "event in the host's transaction": async (engine) => {
      const client = await sharedPool().connect()
      try {
        await client.query('begin')
        await engine.metrics.event('words', { user: { id: 'ann' }, value: 5 }, { tx: fromPg(client) })
      } finally {
        await client.query('commit')
        client.release()
      }
    },
  }

  test.each(Object.entries(WRITES))('stores no %s, so that later events keep their dates', async (_, write) => {
    const { right, wrong } = await openWorld()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 24 * 60 * MINUTE })
    try {
      await expect(write(wrong)).rejects.toMatchObject(REFUSED)
    } finally {
      vi.useRealTimers()
    }
    expect(await right.metrics.event('words', { user: { id: 'ann' }, value: 1 })).toMatchObject({ total: 2 })
    expect(await right.users.get('ann')).toMatchObject({ name: null })
  })
})

test('on Postgres, a process 400 days ahead records nothing, so that later events keep their dates', async () => {
  const schema = nextSchema()
  const right = on(postgres(sharedPool(), { schema }))
  await right.migrate()
  await right.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  const wrong = on(postgres(sharedPool(), { schema }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 24 * 60 * MINUTE })
  try {
    await expect(wrong.migrate()).resolves.toMatchObject({ applied: [], game: { epoch: 1, isOwn: true } })
    await expect(wrong.metrics.event('words', { user: { id: 'ann' }, value: 5 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/ahead of the clock of the database/),
    })
    expect(await wrong.health()).toMatchObject({ status: 'failing', code: 'unavailable' })
  } finally {
    vi.useRealTimers()
  }
  expect(await right.metrics.event('words', { user: { id: 'ann' }, value: 1 })).toMatchObject({ total: 2 })
})
