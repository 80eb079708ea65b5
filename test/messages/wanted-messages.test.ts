import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { wantedMessagesOf, withMessages, withoutMessages } from '../../src/game/wanted-messages.ts'
import type { GameDefinition } from '../../src/index.ts'
import { add, NOON, openOn } from '../support/engine.ts'

const GAME: GameDefinition = { metrics: { words: { name: 'Words' }, messages: { name: 'Messages' } } }
const none = (): void => undefined

describe('The types of messages that are wanted', () => {
  test('stand beside the definition, and leave it as it is', () => {
    const text = '{"metrics":{"messages":{"name":"Messages"}}}'
    const stored = withMessages(text, { types: ['streak.lost'], since: 5 })
    expect(stored).toBe('{"metrics":{"messages":{"name":"Messages"}},"messages":{"types":["streak.lost"],"since":5}}')
    expect(wantedMessagesOf(stored)).toEqual({ types: ['streak.lost'], since: 5 })
    expect(withoutMessages(stored)).toBe(text)
    expect(wantedMessagesOf(text)).toBeNull()
  })

  test('are an epoch, go on with a deploy, and are stored once', async () => {
    const storage = memory()
    const engine = await openOn(storage, { now: NOON }, GAME)
    await engine.subscribe('one', { types: ['user.created'] }, none)
    await engine.subscribe('one', { types: ['user.created'] }, none)
    await engine.subscribe('two', { types: ['user.created'] }, none)
    expect((await storage.games()).map(({ epoch }) => epoch)).toEqual([1, 2])
    const next = await engine.redefine({ metrics: { ...GAME.metrics, pages: { name: 'Pages' } } })
    const wanted = (await storage.games()).map(({ definition }) => wantedMessagesOf(definition)?.types ?? null)
    expect(wanted).toEqual([null, ['user.created'], ['user.created']])
    await next.subscriptions.delete('one')
    await next.subscriptions.delete('two')
    expect(wantedMessagesOf((await storage.games()).at(-1)?.definition ?? '')).toBeNull()
    expect(await next.health()).toMatchObject({ status: 'ok', isNewestGame: true })
  })

  test('are those that are written: what another type needs is not', async () => {
    const storage = memory()
    const engine = await openOn(
      storage,
      { now: NOON },
      { ...GAME, streak: { frequency: 'daily', metrics: { words: {} } } },
    )
    await engine.subscribe('one', { types: ['streak.started.revoked', 'user.created'] }, none)
    await add(engine, 'words', 1)
    await storage.placeMessages(100)
    expect((await storage.readMessages({ after: 0, limit: 10 })).map(({ type }) => type)).toEqual(['user.created'])
  })
})
