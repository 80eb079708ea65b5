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
const richer: GameDefinition = {
  ...game,
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 2 }] } },
}
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

  for (const policy of ['forward', 'grant', 'recompute'] as const) {
    test(`is sound where the game had changed in the middle by ${policy}, and through further games and an import`, async () => {
      const engine = await open(game)
      await engine.metrics.event('words', { user: { id: 'ann' }, value: 60 })
      engine.at('2026-03-11T12:00:00Z')
      await engine.metrics.event('words', { user: { id: 'guest' }, value: 30, idempotencyKey: 'x' })
      await engine.apply(defined(richer), { policy })
      engine.at('2026-03-12T12:00:00Z')
      await engine.metrics.event('words', { user: { id: 'ann' }, value: 10, idempotencyKey: 'x' })
      engine.at('2026-03-13T12:00:00Z')
      await engine.metrics.event('words', {
        user: { id: 'guest' },
        value: 10,
        occurredAt: new Date('2026-03-11T13:00:00Z'),
      })
      expect((await engine.verify()).drift).toEqual([])
      await engine.users.merge({ from: 'guest', into: 'ann' })
      expect((await engine.verify()).drift).toEqual([])
      expect((await engine.users.singleMetric('ann', 'words')).current).toBe(100)
      await engine.metrics.event('words', { user: { id: 'guest' }, value: 10 })
      await engine.metrics.event('words', {
        user: { id: 'guest' },
        value: 10,
        occurredAt: new Date('2026-03-11T13:30:00Z'),
      })
      expect((await engine.verify()).drift).toEqual([])
      expect(await codeOf(engine.explain('guest', { achievement: 'novelist' }))).toBe('accepted')
      for (const again of ['grant', 'recompute', 'forward'] as const) {
        await engine.apply(defined(again === 'grant' ? game : richer), { policy: again })
        await engine.metrics.event('words', { user: { id: 'guest' }, value: 1 })
        expect((await engine.verify()).drift).toEqual([])
      }
      const lines: string[] = []
      for await (const line of engine.tenants.export('')) lines.push(line)
      const copy = await open(richer)
      await copy.import(lines)
      expect((await copy.verify()).drift).toEqual([])
      expect(await copy.users.get('guest')).toEqual(await engine.users.get('guest'))
    })
  }
})
