import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginPg, HOSTS } from './postgres-hosts.ts'
import { useWorld } from './postgres-world.ts'
import { codeOf } from './settled.ts'
import { joined } from './writer.ts'

const world = useWorld()

let told: string[] = []
const ends: (() => void)[] = []
beforeEach(() => {
  const { engine } = world()
  told = []
  ends.push(
    engine.on('user.created', ({ user }) => void told.push(`${user.id} created`)),
    engine.on('achievement.completed', ({ user, achievement }) => void told.push(`${user.id} ${achievement.key}`)),
    engine.on('points.changed', ({ user, points }) => void told.push(`${user.id} +${points.added}`)),
  )
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

describe.each(HOSTS)('%s: handlers', (_, begin) => {
  test('run after committed(), in the order of the calls, and once', async () => {
    const { engine, pool, nextUser } = world()
    const [ann, bob] = [nextUser(), nextUser()]
    const opened = await begin(pool)
    const writer = joined(engine, opened.tx)
    await writer.metrics.event('words', { user: { id: ann }, value: 10 })
    await writer.achievements.complete('joined', { user: { id: bob } })
    await codeOf(writer.achievements.complete('closed', { user: { id: bob } }))
    await writer.achievements.complete('joined', { user: { id: bob } })
    await writer.achievements.complete('joined', { user: { id: ann } })
    expect(told).toEqual([])
    await opened.commit()
    expect(told).toEqual([])
    await opened.tx.committed()
    const all = [`${ann} created`, `${ann} first`, `${ann} +21`, `${bob} created`, `${bob} joined`, `${bob} +20`]
    expect(told).toEqual([...all, `${ann} joined`])
    await opened.tx.committed()
    expect(told).toHaveLength(7)
  })

  test('never run for what was rolled back', async () => {
    const { engine, pool, nextUser } = world()
    const id = nextUser()
    const undone = await begin(pool)
    await joined(engine, undone.tx).users.create({ id })
    await undone.rollback()
    const done = await begin(pool)
    await joined(engine, done.tx).achievements.complete('joined', { user: { id } })
    await done.commit()
    await done.tx.committed()
    expect(told).toEqual([`${id} created`, `${id} joined`, `${id} +20`])
  })
})

test('a handler may record, and one that fails disturbs nobody', async () => {
  const { engine, pool, nextUser } = world()
  const id = nextUser()
  const followed: Promise<unknown>[] = []
  ends.push(
    engine.on('user.created', () => {
      throw new Error('A fault of the host')
    }),
    engine.on('user.created', ({ user }) => {
      followed.push(engine.achievements.complete('joined', { user: { id: user.id } }))
    }),
  )
  const opened = await beginPg(pool)
  await joined(engine, opened.tx).users.create({ id })
  await opened.commit()
  await opened.tx.committed()
  await Promise.all(followed)
  expect(told).toEqual([`${id} created`, `${id} +20`, `${id} joined`])
})
