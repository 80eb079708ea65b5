import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { readStoredGame, storedGameText, wantTypes, withoutMessages } from '../../src/game/stored-game.ts'
import type { GameDefinition } from '../../src/index.ts'
import { loadGames } from '../../src/sql/games.ts'
import { assignPositions, loadMessages } from '../../src/sql/messages.ts'
import { add, NOON, openOn } from '../support/engine.ts'

const GAME: GameDefinition = { metrics: { words: { name: 'Words' }, messages: { name: 'Messages' } } }
const none = (): void => undefined
const wantedMessagesOf = (text: string) => readStoredGame(JSON.parse(text)).messages

describe('The types of messages that are wanted', () => {
  test('stand beside the definition, and leave it as it is', () => {
    const text = '{"metrics":{"messages":{"name":"Messages"}}}'
    const messages = { types: ['streak.lost'], since: 5 }
    const stored = storedGameText({ ...readStoredGame(JSON.parse(text)), messages })
    expect(stored).toBe('{"metrics":{"messages":{"name":"Messages"}},"messages":{"types":["streak.lost"],"since":5}}')
    expect(wantedMessagesOf(stored)).toEqual({ types: ['streak.lost'], since: 5 })
    expect(withoutMessages(stored)).toBe(text)
    expect(wantedMessagesOf(text)).toBeNull()
  })

  test('are sorted, and since the first of time', () => {
    const first = wantTypes(null, ['user.created'], 1)
    expect(first).toEqual({ types: ['user.created'], since: 1 })
    const second = wantTypes(first, ['user.created', 'streak.lost', 'streak.lost'], 2)
    expect(second).toEqual({ types: ['streak.lost', 'user.created'], since: 2 })
    expect(wantTypes(second, ['streak.freeze_earned.revoked'], 3)).toEqual({
      types: ['streak.freeze_earned.revoked'],
      since: 2,
    })
    expect(wantTypes(second, [], 4)).toBeNull()
  })

  test('are an epoch, go on with a deploy, and are stored once', async () => {
    const storage = memory()
    const engine = await openOn(storage, { now: NOON }, GAME)
    await engine.subscribe('one', { types: ['user.created'] }, none)
    await engine.subscribe('one', { types: ['user.created'] }, none)
    await engine.subscribe('two', { types: ['user.created'] }, none)
    expect((await loadGames(storage)).map(({ epoch }) => epoch)).toEqual([1, 2])
    const next = await engine.redefine({ metrics: { ...GAME.metrics, pages: { name: 'Pages' } } })
    const wanted = (await loadGames(storage)).map(({ definition }) => wantedMessagesOf(definition)?.types ?? null)
    expect(wanted).toEqual([null, ['user.created'], ['user.created']])
    await next.subscriptions.delete('one')
    await next.subscriptions.delete('two')
    expect(wantedMessagesOf((await loadGames(storage)).at(-1)?.definition ?? 'null')).toBeNull()
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
    await assignPositions(storage, 100)
    expect((await loadMessages(storage, { after: 0, limit: 10 })).map(({ type }) => type)).toEqual(['user.created'])
  })

  test('are in no export, and an import leaves those that are there', async () => {
    const source = await openOn(memory(), { now: NOON }, GAME)
    await source.subscribe('one', { types: ['user.created'] }, none)
    await add(source, 'words', 1)
    const lines: string[] = []
    for await (const line of source.export()) lines.push(line)
    expect(lines.some((line) => line.includes('"types"'))).toBe(false)
    const withThem = lines.map((line) => {
      const parsed = JSON.parse(line)
      if (parsed.laurels !== 'game') return line
      return JSON.stringify({
        ...parsed,
        definition: { ...parsed.definition, messages: { types: ['streak.lost'], since: 1 } },
      })
    })
    const storage = memory()
    const target = await openOn(storage, { now: NOON }, GAME)
    expect(await target.import(withThem)).toMatchObject({ recorded: 1 })
    expect((await loadGames(storage)).map(({ definition }) => wantedMessagesOf(definition))).toEqual([null, null])
    expect(await target.users.get('ann')).toMatchObject({ id: 'ann' })
  })
})
