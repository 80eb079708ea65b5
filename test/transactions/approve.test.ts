import { expect, test } from 'vitest'
import { codeOf } from '../support/engine.ts'
import { beginPg } from './postgres-hosts.ts'
import { useWorld } from './postgres-world.ts'

const world = useWorld()

test('An approval within the host’s transaction is undone with it, and committed with it', async () => {
  const { engine, pool, dump, nextUser } = world()
  const user = nextUser()
  const { eventId } = await engine.metrics.event('sets', { user: { id: user }, value: 11 })
  const before = await dump()

  const undone = await beginPg(pool)
  expect(await engine.events.approve(eventId, { tx: undone.tx })).toMatchObject({ total: 11, alreadyApproved: false })
  expect(await engine.events.approve(eventId, { tx: undone.tx })).toMatchObject({ total: 11, alreadyApproved: true })
  await undone.rollback()
  expect(await dump()).toEqual(before)
  expect((await engine.events.held({ user })).map((event) => event.eventId)).toEqual([eventId])

  const done = await beginPg(pool)
  await engine.events.approve(eventId, { tx: done.tx })
  await done.commit()
  await done.tx.committed()
  expect(await engine.events.held({ user })).toEqual([])
  expect((await engine.users.singleMetric(user, 'sets')).current).toBe(11)
  expect(await engine.verify()).toMatchObject({ drift: [] })
})

test('What a host’s transaction adds uses the limit with it, and gives it back where it is undone', async () => {
  const { engine, pool, nextUser } = world()
  const user = { id: nextUser() }
  const undone = await beginPg(pool)
  const add = (value: number) => engine.metrics.event('sets', { user, value }, { tx: undone.tx })
  expect((await add(10)).held).toBeUndefined()
  expect((await add(1)).held).toBe(true)
  expect(await codeOf(add(11))).toBe('limit_exceeded')
  await undone.rollback()
  expect((await engine.metrics.event('sets', { user, value: 10 })).held).toBeUndefined()
})
