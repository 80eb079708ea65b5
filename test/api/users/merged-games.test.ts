import { expect, test } from 'vitest'
import { type DefinedGame, defineGame, type GameDefinition } from '../../../src/index.ts'
import { codeOf, onEachStorage } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words' } },
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  leaderboards: { words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
} as const
const harder: GameDefinition = { ...game, achievements: { novelist: { ...game.achievements.novelist, value: 5000 } } }
const defined = (definition: GameDefinition) => defineGame(definition) as DefinedGame

onEachStorage('A merge under another game', (open) => {
  test('takes nothing along that the game in place of all before it would not have given, though they were not folded again yet', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
    await engine.metrics.event('words', { user: { id: 'guest' }, value: 60 })
    const stop = new AbortController()
    await engine
      .apply(defined(harder), { policy: 'recompute', signal: stop.signal, onProgress: () => stop.abort() })
      .catch(() => undefined)
    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect(await engine.users.achievements('ann')).toEqual([])
    expect((await engine.verify()).drift).toEqual([])
    await engine.apply(defined(harder), { policy: 'recompute' })
    expect((await engine.verify()).drift).toEqual([])
    expect(await engine.users.achievements('ann')).toEqual([])
    await engine.metrics.event('words', { user: { id: 'guest' }, value: 60 })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('explains a log with entries that only a replaced game had, before a merge and after it', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60, idempotencyKey: 'a' })
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 6 })
    await engine.events.void({ user: 'ann', metric: 'words', idempotencyKey: 'a' })
    await engine.apply(defined(harder), { policy: 'recompute' })
    expect(await codeOf(engine.explain('ann', { achievement: 'novelist' }))).toBe('accepted')
    await engine.metrics.event('words', { user: { id: 'guest' }, value: 60 })
    await engine.users.merge({ from: 'ann', into: 'guest' })
    expect((await engine.verify()).drift).toEqual([])
    expect(await codeOf(engine.explain('ann', { achievement: 'novelist' }))).toBe('accepted')
  })
})

onEachStorage('A deletion under another game', (open) => {
  test('keeps what the game in place of all before it gives, though the user was not folded again yet', async () => {
    const engine = await open(game)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
    const stop = new AbortController()
    stop.abort()
    await engine.apply(defined(harder), { policy: 'recompute', signal: stop.signal }).catch(() => undefined)
    const { anonymousId } = await engine.users.delete('ann', { keep: 'anonymous' })
    expect(await engine.users.achievements(anonymousId ?? '')).toEqual([])
    expect((await engine.verify()).drift).toEqual([])
  })
})
