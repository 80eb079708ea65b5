import { expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { createGamification, type DefinedGame, defineGame } from '../../../src/index.ts'

function gameThatPays(points: number): DefinedGame {
  return defineGame({
    metrics: { words: { name: 'Words' } },
    points: {
      xp: { name: 'XP', triggers: [{ key: 'words', type: 'metric', metric: 'words', threshold: 10, points }] },
    },
  }) as DefinedGame
}

test('verify and rebuild of a process that has not met the newest game yet judge by that game', async () => {
  const storage = memory()
  const clock = (): Date => new Date('2026-03-10T12:00:00Z')
  const old = createGamification<DefinedGame>({ game: gameThatPays(5), storage, clock })
  await old.migrate()
  await old.metrics.event('words' as never, { user: { id: 'ann' }, value: 20 } as never)
  const next = createGamification<DefinedGame>({ game: gameThatPays(7), storage, clock })
  await next.apply(next.game, { policy: 'recompute' })

  expect(await old.verify()).toMatchObject({ users: 1, drift: [] })
  expect(await old.rebuild()).toMatchObject({ users: 1, drift: [] })
  expect(await next.users.points('ann', 'xp' as never)).toMatchObject({ total: 14 })
  await next.close()
})
