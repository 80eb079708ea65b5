// `verify({ sample })` looks at so many users, each as likely as any other.

import { describe, expect, onTestFinished, test } from 'vitest'
import { createGamification, defineGame } from '../../../src/index.ts'
import { usePlaces } from '../../support/places.ts'

const USERS = 12
const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
})

describe.each(usePlaces())('On $name', ({ make }) => {
  async function open() {
    const engine = createGamification({ game, storage: make()() })
    onTestFinished(() => engine.close())
    await engine.migrate()
    const ids = Array.from({ length: USERS }, (_, index) => `user-${index}`)
    await Promise.all(ids.map((id) => engine.metrics.event('words', { user: { id }, value: 1 })))
    return { engine, ids }
  }

  test('every user is drawn at some time, never twice, and in any place', async () => {
    const { engine, ids } = await open()
    const drawn = async (sample: number): Promise<readonly string[]> => {
      const users: string[] = []
      const report = await engine.verify({ sample, onProgress: ({ last }) => users.push(last?.user ?? 'end') })
      expect(report).toEqual({ users: users.length, entries: users.length, drift: [], damaged: [] })
      return users
    }
    for (const sample of [USERS, USERS + 1]) expect([...(await drawn(sample))].sort()).toEqual([...ids].sort())
    const times = new Map(ids.map((id) => [id, 0]))
    for (let round = 0; round < 60; round += 1) {
      const users = await drawn(5)
      expect(new Set(users).size).toBe(5)
      for (const user of users) times.set(user, (times.get(user) ?? 0) + 1)
    }
    // The expected number is 25; each bound is more than five standard deviations away.
    expect(Math.min(...times.values())).toBeGreaterThan(4)
    expect(Math.max(...times.values())).toBeLessThan(46)
  })

  test('some of the named users are drawn, and a sample that is no number of users is refused', async () => {
    const { engine } = await open()
    const seen: unknown[] = []
    const onProgress = ({ last }: { readonly last: { readonly user: string } | null }) => seen.push(last?.user)
    expect(await engine.verify({ users: ['user-3', 'user-4'], sample: 1, onProgress })).toMatchObject({ users: 1 })
    expect(['user-3', 'user-4']).toContain(seen[0])
    for (const sample of [0, 0.5, -1, '3']) {
      await expect(engine.verify({ sample: sample as number })).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })
})
