import { expect, test } from 'vitest'
import { add, type Engine, onEachStorage } from '../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words' } },
  achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  streak: { frequency: 'daily', metrics: { words: {} } },
} as const

/** The names of the events that handlers get, in order. */
function listen(engine: Engine): readonly string[] {
  const told: string[] = []
  engine.on('user.created', () => void told.push('user.created'))
  engine.on('achievement.completed', () => void told.push('achievement.completed'))
  engine.on('streak.started', () => void told.push('streak.started'))
  engine.on('streak.extended', ({ streak }) => void told.push(`streak.extended ${streak.length}`))
  engine.on('streak.lost', () => void told.push('streak.lost'))
  return told
}

onEachStorage('Handlers', (open) => {
  test('are told of a streak when it starts, grows and is lost, once each', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    const told = listen(engine)
    await add(engine, 'words', 1)
    await add(engine, 'words', 1)
    engine.at('2026-03-11T12:00:00.000Z')
    await add(engine, 'words', 1)
    await add(engine, 'words', 1)
    engine.at('2026-03-13T12:00:00.000Z')
    await add(engine, 'words', 1)
    expect(told).toEqual(['streak.started', 'streak.extended 2', 'streak.lost', 'streak.started'])
  })

  test('are told nothing by a replay', async () => {
    const engine = await open(game)
    await add(engine, 'words', 10, { idempotencyKey: 'k' })
    const told = listen(engine)
    await add(engine, 'words', 10, { idempotencyKey: 'k' })
    expect(told).toEqual([])
  })

  test('are told nothing by an import, and everything by a call', async () => {
    const engine = await open(game)
    const told = listen(engine)
    await engine.import([
      { metric: 'words', user: { id: 'bob' }, value: 10, occurredAt: new Date('2026-03-09T12:00Z') },
    ])
    expect(told).toEqual([])
    await add(engine, 'words', 10)
    expect(told).toEqual(['user.created', 'achievement.completed', 'streak.started'])
  })

  test('that fail disturb neither the caller nor the others', async () => {
    const engine = await open(game)
    engine.on('user.created', () => {
      throw new Error('a handler of the host')
    })
    const told = listen(engine)
    await expect(add(engine, 'words', 1)).resolves.toMatchObject({ total: 1 })
    expect(told).toEqual(['user.created', 'streak.started'])
  })
})
