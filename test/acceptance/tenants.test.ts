import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
}
const ann = { user: { id: 'ann' } }

onEachStorage('section 4: the shared tenant parameter', (open) => {
  test('is required where the game has multiTenant', async () => {
    const engine = await open({ ...game, multiTenant: true })
    expect(await codeOf(add(engine, 'words', 1))).toBe('tenant_required')
    expect(await codeOf(engine.users.get('ann'))).toBe('tenant_required')
    expect(await codeOf(engine.achievements.all())).toBe('tenant_required')
  })

  test('keeps users, events, idempotency keys and rarity apart', async () => {
    const engine = await open({ ...game, multiTenant: true })
    const [acme, umbrella] = [engine.tenant('acme'), engine.tenant('umbrella')]
    const first = await acme.metrics.event('words', { ...ann, value: 5, idempotencyKey: 'k' })
    expect(await codeOf(umbrella.users.get('ann'))).toBe('unknown_user')
    const other = await umbrella.metrics.event('words', { ...ann, value: 7, idempotencyKey: 'k' })
    expect(other).toMatchObject({ total: 7, idempotentReplayed: false })
    expect(other.eventId).not.toBe(first.eventId)
    expect((await acme.users.singleMetric('ann', 'words')).current).toBe(5)

    const completed = await acme.achievements.complete('tour', ann)
    expect(await acme.achievements.all()).toMatchObject([{ key: 'tour', completions: 1, rarity: 100 }])
    expect(await umbrella.achievements.all()).toMatchObject([{ key: 'tour', completions: 0, rarity: 0 }])
    const elsewhere = await umbrella.achievements.complete('tour', ann)
    expect(elsewhere.completionId).not.toBe(completed.completionId)
    expect(elsewhere.achievement.id).toBe(completed.achievement.id)
  })

  test.each([
    ['no character', ''],
    ['U+0000', 'acme\u0000'],
    ['half a surrogate pair', 'acme\ud800'],
  ])('422: a tenant with %s is refused, as every string from outside', async (_, tenant) => {
    const engine = await open({ ...game, multiTenant: true })
    expect(await codeOf(engine.tenant(tenant).users.create({ id: 'ann' }))).toBe('invalid_request')
    expect(await codeOf(engine.tenant(tenant).achievements.all())).toBe('invalid_request')
  })

  test('two tenants never share a user, however they are spelled', async () => {
    const engine = await open({ ...game, multiTenant: true })
    const tenants = ['a', 'A', ' a', 'a/b', 'a:b', '__proto__', 'jos\u00e9', 'jose\u0301', '\ufffd', '\ud800', '\ud801']
    for (const tenant of tenants) {
      const call = engine.tenant(tenant).metrics.event('words', { ...ann, value: 1 })
      expect([1, 'invalid_request']).toContain(await call.then(({ total }) => total).catch(({ code }) => code))
    }
  })

  test('and user are not mixed up where they meet', async () => {
    const engine = await open({ ...game, multiTenant: true })
    const pairs = [
      ['a', 'b/c'],
      ['a/b', 'c'],
      ['a', 'b:c'],
      ['a:b', 'c'],
      ['a', 'b","c'],
      ['a","b', 'c'],
    ] as const
    for (const [tenant, id] of pairs) {
      expect((await engine.tenant(tenant).metrics.event('words', { user: { id }, value: 1 })).total).toBe(1)
    }
  })

  test('is refused in a game without tenants, which would mix them', async () => {
    const engine = await open(game)
    const sentence =
      'The game does not keep tenants apart: add multiTenant: true to the game, or call the methods without a tenant.'
    expect(() => engine.tenant('acme')).toThrow(sentence)
    expect(() => engine.forRequest(performance.now()).tenant('acme')).toThrow(sentence)
  })
})
