// The messages about a wrong call, in-process: the first mistakes, and the number of the others.

import { expect, test } from 'vitest'
import type { GameDefinition, GamificationError } from '../../../src/index.ts'
import { onEachStorage, untyped } from '../../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true },
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
}

async function refusalOf(call: Promise<unknown>): Promise<GamificationError> {
  return call.then(
    () => expect.unreachable('It was not refused'),
    (error) => error,
  )
}

onEachStorage('A refusal', (open) => {
  test('of a list that is too long is one mistake, whatever is in it', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    const wrong = untyped<never[]>(Array(131_000).fill(1))
    const refused = await Promise.all([
      refusalOf(engine.users.updatePreferences('ann', { notifications: { recap: wrong } })),
      refusalOf(engine.users.updatePreferences('ann', { streak: { metrics: wrong } })),
      refusalOf(engine.users.update('ann', { deviceTokens: wrong })),
      refusalOf(engine.leaderboards.get('top', { among: wrong })),
      refusalOf(engine.streaks.list(wrong)),
      refusalOf(engine.admin.applicationApiKeys.create(wrong)),
      refusalOf(engine.admin.streaks.restore({ users: wrong })),
      refusalOf(engine.verify({ users: wrong })),
    ])
    expect(refused.map(({ message }) => message)).toEqual([
      'Invalid preferences: notifications.recap: must have at most 10 items',
      'Invalid preferences: streak.metrics: must have at most 1000 items',
      'Invalid user: deviceTokens: must have at most 20 items',
      'Invalid request: among: must have at most 1000 items',
      'Invalid request: userIds: must have at most 100 items',
      'Invalid application keys: must have at most 100 items',
      'Invalid users: users: must have at most 100 items',
      'Invalid options: users: must have at most 10000 items',
    ])
    expect(refused.map(({ issues }) => issues.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  test('has the first 20 mistakes, and says how many more there are', async () => {
    const engine = await open(game)
    const { message, issues } = await refusalOf(engine.leaderboards.get('top', { among: untyped(Array(900).fill(1)) }))
    expect(message).toBe(
      'Invalid request: among[0]: must be a string, not a number; among[1]: must be a string, not a number; among[2]: must be a string, not a number; and 897 more',
    )
    expect(issues).toHaveLength(20)
    expect(issues.at(-1)).toEqual({ path: 'among[19]', message: 'must be a string, not a number' })
  })

  test('says what it was given in place of a number', async () => {
    const engine = await open(game)
    const record = (value: unknown) =>
      refusalOf(engine.metrics.event('words', { user: { id: 'ann' }, value: untyped(value) }))
    expect((await record('5')).message).toBe('Invalid metric event: value: must be a finite number, not a string')
    expect((await record(Number.NaN)).message).toBe('Invalid metric event: value: must be a finite number')
    expect((await record(undefined)).message).toBe(
      'Invalid metric event: value: must be a finite number; it is missing',
    )
  })

  test('finds the time zone of a city', async () => {
    const engine = await open(game)
    const refused = async (tz: string) => (await refusalOf(engine.users.create({ id: 'ann', tz }))).message
    expect(await refused('Berlin')).toBe('Unknown time zone "Berlin": did you mean "Europe/Berlin"?')
    expect(await refused('new york')).toBe('Unknown time zone "new york": did you mean "America/New_York"?')
    expect(await refused('Mars')).toBe(
      'Unknown time zone "Mars": send an IANA name such as "Europe/London", or leave tz out.',
    )
  })

  test('quotes no more of a name than can be read', async () => {
    const engine = await open(game)
    const long = `${'x'.repeat(59)}yz${'z'.repeat(190)}`
    const attributes = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`${index}`, 'x']))
    expect((await refusalOf(engine.metrics.event(long, { user: { id: 'ann' }, value: 1 }))).message).toBe(
      `Unknown metric "${'x'.repeat(59)}y…": the game has "words".`,
    )
    expect((await refusalOf(engine.users.create({ id: 'ann', attributes }))).message).toBe(
      'Unknown user attribute "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" and 5 more: the game has "plan". Add it to userAttributes of the game, or leave it out.',
    )
    const name = 'é'.repeat(256)
    expect((await refusalOf(engine.users.create({ id: 'ann', attributes: { [name]: 'x' } }))).issues).toEqual([
      { path: `attributes["${'é'.repeat(60)}…"]`, message: 'must have a name of at most 255 characters' },
    ])
  })

  test('comes of the 21st token of a device, and of one with over 1,024 characters', async () => {
    const engine = await open(game)
    const tokens = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(1_024, 'x'))
    expect((await engine.users.create({ id: 'ann', deviceTokens: tokens })).deviceTokens).toEqual(tokens)
    expect((await refusalOf(engine.users.update('ann', { deviceTokens: [...tokens, 'x'] }))).message).toBe(
      'Invalid user: deviceTokens: must have at most 20 items',
    )
    expect((await refusalOf(engine.users.update('ann', { deviceTokens: ['x'.repeat(1_025)] }))).message).toBe(
      'Invalid user: deviceTokens[0]: must have at most 1024 characters',
    )
  })

  test('comes of an admin key whose id cannot be one, on every storage alike', async () => {
    const engine = await open(game)
    for (const call of [engine.adminKeys.rotate, engine.adminKeys.revoke, engine.adminKeys.delete]) {
      expect((await refusalOf(call('a\0'))).message).toBe(
        'Invalid admin key id: must be well-formed Unicode without U+0000',
      )
      expect((await refusalOf(call('a'))).code).toBe('unknown_admin_key')
    }
  })
})
