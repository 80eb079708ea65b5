// @heavy: It takes more than three seconds.

import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { isGamificationError, type WithinApi } from '../../src/index.ts'
import { checkFold } from '../support/check-fold.ts'
import { untyped } from '../support/engine.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { CALLS, REFUSED_CALLS } from './calls.ts'
import { TENANTS_GAME } from './game.ts'
import { codeOf } from './settled.ts'
import { openSqliteWorld, type SqliteWorld, thrownBy } from './sqlite-world.ts'

const nextFile = useDatabaseFiles()
const event = (id: string, value: number) => ['words', { user: { id }, value }] as const

const PLACES = [
  ['a file', nextFile],
  ['memory', () => ':memory:'],
] as const

describe.each(PLACES)('within a database in %s', (_, place) => {
  test.each(CALLS)('$name: is done at once, and as through the queue', async (call) => {
    const { engine, storage, db } = await openSqliteWorld(place())
    for (const id of ['ann', 'bob']) await call.prepare?.(engine, id)
    const answer = engine.within(db, (writer) => call.run(writer, 'ann'))
    expect(db.inTransaction).toBe(false)
    const usual = await call.run(engine, 'bob')
    const anyId = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id').replaceAll('bob', 'ann')
    expect(anyId(JSON.stringify(answer))).toBe(anyId(JSON.stringify(usual)))
    await checkFold(storage)
  })

  test.each(CALLS)(
    '$name: in a transaction of the host, ROLLBACK leaves nothing and COMMIT everything',
    async (call) => {
      const world = await openSqliteWorld(place())
      const { engine, storage, db, dump, notes } = world
      await call.prepare?.(engine, 'ann')
      const before = dump()
      for (const end of ['rollback', 'commit'] as const) {
        db.exec('begin immediate')
        db.exec(`insert into orders values ('before')`)
        engine.within(db, (writer) => call.run(writer, 'ann'))
        db.exec(`insert into orders values ('after')`)
        expect(db.inTransaction).toBe(true)
        if (world.file !== ':memory:') expect(dump()).toEqual(before)
        db.exec(end)
        expect(notes()).toEqual(end === 'commit' ? ['after', 'before'] : [])
        if (end === 'rollback') expect(dump()).toEqual(before)
        else expect(dump()).not.toEqual(before)
      }
      await checkFold(storage)
    },
  )

  test('a callback that throws undoes all of it, and its error is thrown on', async () => {
    const { engine, db, dump, notes } = await openSqliteWorld(place())
    const before = dump()
    const fault = new Error('A fault of the host')
    const told: string[] = []
    engine.on('user.created', ({ user }) => void told.push(user.id))
    const thrown = thrownBy(() =>
      engine.within(db, (g) => {
        db.exec(`insert into orders values ('one')`)
        g.metrics.event(...event('ann', 100))
        throw fault
      }),
    )
    expect(thrown).toBe(fault)
    expect(db.inTransaction).toBe(false)
    expect(dump()).toEqual(before)
    expect([notes(), told]).toEqual([[], []])
  })

  test('calls that are refused are undone alone, and the callback may go on', async () => {
    const { engine, storage, db, notes } = await openSqliteWorld(place())
    const codes = engine.within(db, (g) => {
      g.metrics.event('laps', { user: { id: 'ann' }, value: 10 })
      return REFUSED_CALLS.map(({ run }, index) => {
        db.prepare('insert into orders values (?)').run(String(index))
        const error = thrownBy(() => run(g, 'ann'))
        g.metrics.event(...event('ann', 1))
        return isGamificationError(error) ? error.code : error
      })
    })
    expect(codes).toEqual(REFUSED_CALLS.map(({ code }) => code))
    expect(notes()).toHaveLength(REFUSED_CALLS.length)
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(REFUSED_CALLS.length)
    await checkFold(storage)
  })

  test('an async callback is refused and undone', async () => {
    const { engine, db, dump, notes } = await openSqliteWorld(place())
    const before = dump()
    const thrown = thrownBy(() =>
      engine.within(db, async (g) => {
        db.exec(`insert into orders values ('one')`)
        g.metrics.event(...event('ann', 1))
      }),
    )
    expect(thrown).toMatchObject({ name: 'GamificationError', code: 'invalid_request' })
    expect(dump()).toEqual(before)
    expect(notes()).toEqual([])
  })

  test('what an async callback does later is refused too', async () => {
    const { engine, db, dump } = await openSqliteWorld(place())
    const before = dump()
    const later: unknown[] = []
    thrownBy(() =>
      engine.within(db, async (g) => {
        await Promise.resolve()
        try {
          later.push(g.metrics.event(...event('ann', 1)).total)
        } catch (error) {
          later.push(isGamificationError(error) ? error.code : error)
        }
      }),
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(dump()).toEqual(before)
    expect(later).toEqual([expect.any(String)])
  })

  test('what the callback kept cannot be used without a transaction', async () => {
    const { engine, db, dump } = await openSqliteWorld(place())
    let kept: WithinApi<DefinedGame> | null = null
    engine.within(db, (g) => {
      kept = g
    })
    const before = dump()
    expect(thrownBy(() => kept?.metrics.event(...event('ann', 1)))).toMatchObject({ name: 'GamificationError' })
    expect(dump()).toEqual(before)
  })

  test('the queue sees what was done, and the other way round', async () => {
    const { engine, storage, db } = await openSqliteWorld(place())
    const totals: number[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      totals.push((await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).total)
      totals.push(engine.within(db, (g) => g.metrics.event(...event('ann', 10)).total))
      db.exec('begin immediate')
      engine.within(db, (g) => g.metrics.event(...event('ann', 1_000)))
      db.exec('rollback')
    }
    expect(totals).toEqual([1, 11, 12, 22, 23, 33])

    const once = (value: number) => ({ user: { id: 'ann' }, value, idempotencyKey: 'a' })
    expect(engine.within(db, (g) => g.metrics.event('laps', once(1)).idempotentReplayed)).toBe(false)
    expect(await engine.metrics.event('laps', once(2))).toMatchObject({ total: 1, idempotentReplayed: true })
    await engine.metrics.event('laps', { ...once(4), idempotencyKey: 'b' })
    const replay = engine.within(db, (g) => g.metrics.event('laps', { ...once(8), idempotencyKey: 'b' }))
    expect(replay).toMatchObject({ total: 5, idempotentReplayed: true })
    await checkFold(storage)
  })

  test("the host's own savepoints undo what was done after them", async () => {
    const { engine, storage, db } = await openSqliteWorld(place())
    db.exec('begin immediate')
    engine.within(db, (g) => g.metrics.event(...event('ann', 1)))
    // Named like ours.
    db.exec('savepoint laurels')
    engine.within(db, (g) => g.metrics.event(...event('ann', 10)))
    db.exec('rollback to laurels')
    engine.within(db, (g) => g.metrics.event(...event('ann', 100)))
    db.exec('release laurels')
    db.exec('commit')
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(101)
    await checkFold(storage)
  })

  test('transactions of better-sqlite3 hold calls, nested ones too', async () => {
    const { engine, storage, db, notes } = await openSqliteWorld(place())
    const order = db.transaction((note: string, value: number) => {
      db.prepare('insert into orders values (?)').run(note)
      engine.within(db, (g) => g.metrics.event(...event('ann', value)))
      if (note === 'bad') throw new Error('A fault of the host')
    })
    const orders = db.transaction(() => {
      order('one', 1)
      thrownBy(() => order('bad', 10))
      order('two', 100)
    })
    thrownBy(() => order('bad', 1_000))
    orders()
    expect(notes()).toEqual(['one', 'two'])
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(101)
    await checkFold(storage)
  })
})

describe('handlers', () => {
  async function listening(): Promise<SqliteWorld & { readonly told: string[] }> {
    const world = await openSqliteWorld(nextFile())
    const told: string[] = []
    world.engine.on('user.created', ({ user }) => void told.push(`${user.id} created`))
    world.engine.on('achievement.completed', ({ user, achievement }) => void told.push(`${user.id} ${achievement.key}`))
    return { ...world, told }
  }

  test('are called at once where the transaction is ours: after the COMMIT, in order, once', async () => {
    const { engine, db, told } = await listening()
    engine.on('user.created', () => void told.push(`in a transaction: ${db.inTransaction}`))
    engine.within(db, (g) => {
      g.metrics.event(...event('ann', 1))
      thrownBy(() => g.achievements.complete('closed', { user: { id: 'ann' } }))
      g.achievements.complete('joined', { user: { id: 'bob' } })
      expect(told).toEqual([])
    })
    const isOver = 'in a transaction: false'
    expect(told).toEqual(['ann created', isOver, 'ann first', 'bob created', isOver, 'bob joined'])
  })

  test("wait for committed() in a transaction of the host's", async () => {
    const { engine, db, told } = await listening()
    const kept: (() => void)[] = []
    for (const [id, end] of [
      ['ann', 'rollback'],
      ['bob', 'commit'],
    ] as const) {
      db.exec('begin immediate')
      engine.within(db, (g) => {
        g.users.create({ id })
        if (end === 'commit') kept.push(g.committed)
      })
      db.exec(end)
    }
    expect(told).toEqual([])
    for (const committed of [...kept, ...kept]) committed()
    expect(told).toEqual(['bob created'])
  })
})

test('tenants are apart, and one has to be named', async () => {
  const { engine, db } = await openSqliteWorld(nextFile(), { definition: TENANTS_GAME })
  expect(thrownBy(() => engine.within(db, (g) => g.users.create({ id: 'ann' })))).toMatchObject({
    code: 'tenant_required',
  })
  expect(thrownBy(() => engine.within(db, () => 7, untyped('')))).toMatchObject({ code: 'invalid_request' })
  const totals = engine.within(
    db,
    (acme) => [
      acme.metrics.event(...event('ann', 1)).total,
      engine.within(db, (bolt) => bolt.metrics.event(...event('ann', 10)).total, 'bolt'),
      acme.metrics.event(...event('ann', 100)).total,
    ],
    'acme',
  )
  expect(totals).toEqual([1, 10, 101])
  expect((await engine.tenant('bolt').users.singleMetric('ann', 'words')).current).toBe(10)
  expect(await codeOf(engine.tenant('cork').users.get('ann'))).toBe('unknown_user')
})

test('what an outer callback undoes is gone for an inner within too', async () => {
  const { engine, db, storage } = await openSqliteWorld(nextFile())
  const other = new Database(db.name)
  engine.within(db, (outer) => {
    outer.metrics.event(...event('ann', 1))
    thrownBy(() =>
      engine.within(db, (inner) => {
        inner.metrics.event(...event('ann', 10))
        throw new Error('A fault of the host')
      }),
    )
    expect(other.prepare('select count(*) from laurels_view_log').pluck().get()).toBe(0)
  })
  other.close()
  await checkFold(storage)
})
