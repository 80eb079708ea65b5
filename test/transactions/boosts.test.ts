import { expect, test } from 'vitest'
import { codeOf } from '../support/engine.ts'
import { beginPg } from './postgres-hosts.ts'
import { useWorld } from './postgres-world.ts'

const world = useWorld()
const DOUBLE = { name: 'Double', start: '2026-03-01', multiplier: 2 } as const

test('A boost of one user is given within the host’s transaction: undone with it, and committed with it', async () => {
  const { engine, pool, dump, nextUser } = world()
  const { boosts } = engine.admin.points
  const userId = nextUser()
  await engine.users.identify(userId, {})
  const before = await dump()

  const undone = await beginPg(pool)
  const { created } = await boosts.create('xp', [{ ...DOUBLE, userId }], { tx: undone.tx })
  expect(created).toMatchObject([{ userId, multiplier: 2, status: 'active' }])
  const add = { user: { id: userId }, value: 20 }
  expect((await engine.metrics.event('words', add, { tx: undone.tx })).points.xp).toMatchObject({ added: 4 })
  await undone.rollback()
  expect(await dump()).toEqual(before)

  const done = await beginPg(pool)
  const [given] = (await boosts.create('xp', [{ ...DOUBLE, userId }], { tx: done.tx })).created
  await done.commit()
  await done.tx.committed()
  const id = given?.id ?? ''
  expect((await engine.metrics.event('words', add)).points.xp).toMatchObject({ added: 4 })

  const changed = await beginPg(pool)
  const { updated } = await boosts.update('xp', [{ id, multiplier: 3 }], { tx: changed.tx })
  expect(updated).toMatchObject([{ id, multiplier: 3 }])
  expect((await boosts.delete('xp', [id], { tx: changed.tx })).deleted).toEqual([{ id }])
  await changed.commit()
  await changed.tx.committed()
  expect(await codeOf(boosts.get('xp', id))).toBe('unknown_boost')
  expect(await engine.verify()).toMatchObject({ drift: [] })
})

test('A boost that was given in the same transaction is not known yet, and one of all users is no part of any', async () => {
  const { engine, pool, dump, nextUser } = world()
  const { boosts } = engine.admin.points
  const userId = nextUser()
  await engine.users.identify(userId, {})
  const before = await dump()
  const { tx, rollback } = await beginPg(pool)
  const [given] = (await boosts.create('xp', [{ ...DOUBLE, userId }], { tx })).created
  const id = given?.id ?? ''
  const unknown = {
    ...{ id, boostId: id, severity: 'error' },
    message: `There is no boost "${id}" that was given in operation. One that was given in the same transaction can be named after its commit.`,
  }
  expect(await boosts.update('xp', [{ id, multiplier: 3 }], { tx })).toEqual({ updated: [], issues: [unknown] })
  expect(await boosts.delete('xp', [id], { tx })).toEqual({ deleted: [], issues: [unknown] })
  expect(await codeOf(boosts.create('xp', [DOUBLE], { tx }))).toBe('invalid_request')
  await rollback()
  expect(await dump()).toEqual(before)
})
