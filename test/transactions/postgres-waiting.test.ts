// @heavy: It takes more than three seconds.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { beginPg } from './postgres-hosts.ts'
import { useWorld, waitForWaiters } from './postgres-world.ts'
import { codeOf, settlesWithin } from './settled.ts'
import { joined } from './writer.ts'

const world = useWorld()
afterAll(() => checkFold(world().storage))

const event = (id: string, value: number) => ['words', { user: { id }, value }] as const
const LATE = new Date('2026-03-09T12:00:00Z')

describe('an event outside, of a user that a transaction holds', () => {
  const kinds = [
    ['a known user', true],
    ['a user that the transaction makes', false],
  ] as const

  test.each(kinds)('waits for the COMMIT and counts both: %s', async (_, isKnown) => {
    const { engine, pool, nextUser, another } = world()
    const id = nextUser()
    if (isKnown) await engine.users.create({ id })
    const other = await another()
    const opened = await beginPg(pool)
    const inside = await joined(engine, opened.tx).metrics.event(...event(id, 1))
    const outside = [engine.metrics.event(...event(id, 10)), other.metrics.event(...event(id, 100))]
    expect(await settlesWithin(150, Promise.race(outside))).toBe(false)
    await opened.commit()
    expect(inside.total).toBe(1)
    const totals = (await Promise.all(outside)).map(({ total }) => total).sort((a, b) => a - b)
    expect([
      [11, 111],
      [101, 111],
    ]).toContainEqual(totals)
  })

  test.each(kinds)('counts alone after a ROLLBACK: %s', async (_, isKnown) => {
    const { engine, pool, nextUser } = world()
    const id = nextUser()
    if (isKnown) await engine.users.create({ id })
    const opened = await beginPg(pool)
    await joined(engine, opened.tx).metrics.event(...event(id, 1))
    const outside = engine.metrics.event(...event(id, 10))
    expect(await settlesWithin(100, outside)).toBe(false)
    await opened.rollback()
    expect((await outside).total).toBe(10)
  })

  test.each([
    ['commit', { total: 1, idempotentReplayed: true }],
    ['rollback', { total: 2, idempotentReplayed: false }],
  ] as const)('with the same idempotency key tells what became of it: %s', async (end, expected) => {
    const { engine, pool, nextUser } = world()
    const user = { id: nextUser() }
    const opened = await beginPg(pool)
    await joined(engine, opened.tx).metrics.event('words', { user, value: 1, idempotencyKey: 'order-1' })
    const outside = engine.metrics.event('words', { user, value: 2, idempotencyKey: 'order-1' })
    await sleep(20)
    await opened[end]()
    expect(await outside).toMatchObject(expected)
  })

  test('waits where it is late, and where the one inside is', async () => {
    const { engine, pool, nextUser } = world()
    const [ann, bob] = [nextUser(), nextUser()]
    for (const id of [ann, bob]) await engine.metrics.event(...event(id, 1))
    const opened = await beginPg(pool)
    const { metrics } = joined(engine, opened.tx)
    await metrics.event('words', { user: { id: ann }, value: 10 })
    await metrics.event('words', { user: { id: bob }, value: 10, occurredAt: LATE })
    const outside = [
      engine.metrics.event('words', { user: { id: ann }, value: 100, occurredAt: LATE }),
      engine.metrics.event('words', { user: { id: bob }, value: 100 }),
    ]
    expect(await settlesWithin(50, Promise.race(outside))).toBe(false)
    await opened.commit()
    expect((await Promise.all(outside)).map(({ total }) => total)).toEqual([111, 111])
    expect((await engine.users.streak(ann)).length).toBe(2)
    expect((await engine.users.streak(bob)).length).toBe(2)
  })
})

describe('while a transaction holds a user', () => {
  test.each([
    ['a known user', true],
    ['a user that the transaction makes', false],
  ] as const)('events of other users are answered though one of it waits: %s', async (_, isKnown) => {
    const { pool, nextUser, another } = world()
    const engine = await another()
    const [held, known] = [nextUser(), nextUser()]
    await engine.users.create({ id: known })
    if (isKnown) await engine.users.create({ id: held })
    const opened = await beginPg(pool)
    await joined(engine, opened.tx).metrics.event(...event(held, 1))

    const beside = [nextUser(), held, known].map((id) => engine.metrics.event(...event(id, 10)))
    await sleep(50)
    const later = [nextUser(), known].map((id) => engine.metrics.event(...event(id, 10)))
    const areAnswered = {
      beside: await settlesWithin(1_500, Promise.all(beside.toSpliced(1, 1))),
      later: await settlesWithin(1_000, Promise.all(later)),
    }
    await opened.rollback()
    await Promise.all([...beside, ...later])
    expect(areAnswered).toEqual({ beside: true, later: true })
  })

  test('events of other users are answered though a newer game was stored meanwhile, and more are held than there are connections', async () => {
    const { pool, engine: deployed, nextUser, another } = world()
    const engine = await another()
    const held = Array.from({ length: 12 }, nextUser)
    const opened = await beginPg(pool)
    for (const id of held) await joined(engine, opened.tx).metrics.event(...event(id, 1))
    await engine.users.create({ id: nextUser() })
    const over = { name: 'Over', start: '2026-01-01', end: '2026-01-02', multiplier: 2 }
    await deployed.admin.points.boosts.create('xp', [over])

    const waiting = held.map((id) => engine.metrics.event(...event(id, 10)))
    const beside = engine.metrics.event(...event(nextUser(), 10))
    const isAnswered = await settlesWithin(1_500, beside)
    await opened.rollback()
    await Promise.all([...waiting, beside])
    expect(isAnswered).toBe(true)
  })
})

describe('deadlocks', () => {
  test('between two transactions that touch two users in opposite order end with 40P01 for one of them', async () => {
    const { engine, nextUser } = world()
    const [ann, bob, cid, dan] = [nextUser(), nextUser(), nextUser(), nextUser()]
    for (const id of [ann, bob]) await engine.metrics.event(...event(id, 99))
    // With counters and achievements that all of them share; of known users, and of users that they make.
    const errors = await Promise.all([cross(ann, bob), cross(cid, dan)])
    const victim = { name: 'error', code: '40P01', severity: 'ERROR' }
    expect(errors).toMatchObject([[victim], [victim]])
    const totals = [ann, bob, cid, dan].map(async (id) => (await engine.users.singleMetric(id, 'words')).current)
    expect(await Promise.all(totals)).toEqual([100, 100, 1, 1])

    /** The errors of the drivers. Either of them may be the victim; the other continues only after its end. */
    async function cross(one: string, other: string): Promise<readonly unknown[]> {
      const thrown: unknown[] = []
      const ends = [
        [one, other],
        [other, one],
      ].map(async ([first = '', second = '']) => {
        const opened = await beginPg(world().pool)
        const writer = joined(engine, opened.tx)
        await writer.metrics.event(...event(first, 1))
        return async () => {
          try {
            await writer.metrics.event(...event(second, 1))
            await opened.commit()
          } catch (error) {
            thrown.push(error)
            await opened.rollback()
          }
        }
      })
      await Promise.all((await Promise.all(ends)).map((goOn) => goOn()))
      return thrown
    }
  })
})

describe.each(['repeatable read', 'serializable'] as const)('a host that reads %s', (isolation) => {
  test.each([
    ['a known user', true],
    ['a new user', false],
  ] as const)('is told 40001 where somebody else has changed %s, and then succeeds', async (_, isKnown) => {
    const { engine, pool, nextUser } = world()
    const id = nextUser()
    if (isKnown) await engine.users.create({ id })
    const opened = await beginPg(pool, isolation)
    // The snapshot is that of the first statement.
    await opened.query('select 1')
    await engine.metrics.event(...event(id, 1))
    const error = await Promise.resolve(joined(engine, opened.tx).metrics.event(...event(id, 10))).catch(
      (thrown: unknown) => thrown,
    )
    await opened.rollback()
    expect(error).toMatchObject({ name: 'error', code: '40001', severity: 'ERROR' })

    const again = await beginPg(pool, isolation)
    expect((await joined(engine, again.tx).metrics.event(...event(id, 10))).total).toBe(11)
    await again.commit()
  })

  test('is told 40001 where the one it waited for has committed', async () => {
    const { engine, pool, nextUser } = world()
    const id = nextUser()
    await engine.users.create({ id })
    const [first, second] = [await beginPg(pool), await beginPg(pool, isolation)]
    await joined(engine, first.tx).metrics.event(...event(id, 1))
    const code = codeOf(joined(engine, second.tx).metrics.event(...event(id, 1)))
    await waitForWaiters(world(), 1)
    await first.commit()
    expect(await code).toBe('40001')
    await second.rollback()
  })

  test('reads its own calls, late ones too', async () => {
    const { engine, pool, nextUser } = world()
    const id = nextUser()
    const opened = await beginPg(pool, isolation)
    const { metrics, achievements } = joined(engine, opened.tx)
    await metrics.event('words', { user: { id }, value: 60 })
    await achievements.complete('joined', { user: { id } })
    expect(await metrics.event('words', { user: { id }, value: 40, occurredAt: LATE })).toMatchObject({
      total: 100,
      achievements: [{ key: 'hundred' }, { key: 'both' }],
      currentStreak: { length: 2 },
    })
    await opened.commit()
  })
})
