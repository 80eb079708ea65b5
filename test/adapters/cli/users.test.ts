import { createGamification, defineGame } from 'laurels'
import { sqlite } from 'laurels/sqlite'
import { describe, expect, test } from 'vitest'
import { type Called, type CallOptions, laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const game = {
  metrics: { words: { name: 'Words' } },
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: { xp: { name: 'XP', triggers: [] } },
} as const
let databases = 0

/** A database in which Ann has written 10 words and Bob 20, at noon on 10 March 2026. */
async function open(
  multiTenant = false,
): Promise<{ call(...args: readonly string[]): Promise<Called> } & { db: string }> {
  databases += 1
  const db = file(`users/${databases}/app.db`)
  await laurels(['migrate', '--db', db])
  const now = '2026-03-10T12:00:00.000Z'
  const gamification = createGamification({
    game: defineGame({ ...game, multiTenant }),
    storage: sqlite(db),
    clock: () => new Date(now),
  })
  await gamification.migrate()
  const api = multiTenant ? gamification.tenant('acme') : gamification
  await api.metrics.event('words', { user: { id: 'ann', name: 'Ann' }, value: 10 })
  await api.metrics.event('words', { user: { id: 'bob' }, value: 20 })
  await gamification.close()
  return { db, call: (...args) => laurels([...args, '--db', db], { now }) }
}

test.each([
  ['export', []],
  ['users', ['export', 'odd']],
  ['tenants', ['export', 'acme']],
])('what %s %j prints cannot steer a terminal, and says the same', async (command, rest) => {
  const { db, call } = await open(command === 'tenants')
  const gamification = createGamification({
    game: defineGame({ ...game, multiTenant: command === 'tenants' }),
    storage: sqlite(db),
  })
  const name = 'a\u009b2Jb\u202ec\u2028d'
  const api = command === 'tenants' ? gamification.tenant('acme') : gamification
  await api.users.create({ id: 'odd', name })
  await gamification.close()
  const { out } = await call(command, ...rest)
  expect(out).not.toMatch(/[\u007f-\u009f\u202e\u2028]/)
  const lines = out.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ entry: expect.objectContaining({ profile: expect.objectContaining({ name }) }) }),
  )
})

describe('laurels users', () => {
  test('list prints a table, and says where to go on', async () => {
    const { call } = await open()
    expect((await call('users', 'list')).out).toBe(
      'id   name  created\nann  Ann   2026-03-10T12:00:00.000Z\nbob        2026-03-10T12:00:00.000Z\n',
    )
    expect((await call('users', 'list', '--limit', '1')).out).toContain('more: --after "ann"\n')
    expect((await call('users', 'list', '--search', 'zzz')).out).toBe('no users here\n')
    expect(JSON.parse((await call('users', 'list', '--search', 'BO', '--json')).out)).toMatchObject({
      users: [{ id: 'bob' }],
      after: null,
    })
  })

  test('export prints lines of JSON', async () => {
    const { call } = await open()
    const kinds = (text: string): readonly string[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).laurels)
    expect(kinds((await call('users', 'export', 'ann')).out)).toEqual(['user', 'game', 'entry', 'end'])
    expect(kinds((await call('export')).out)).toEqual([
      'export',
      'game',
      'user',
      'entry',
      'end',
      'user',
      'entry',
      'end',
      'end',
    ])
  })

  test('delete wants to be sure: --yes, or the id typed at a terminal', async () => {
    const { call, db } = await open()
    const typed = (...answers: NonNullable<CallOptions['answers']>): Promise<Called> =>
      laurels(['users', 'delete', 'ann', '--db', db], { answers })
    expect(await call('users', 'delete', 'ann')).toMatchObject({
      code: 2,
      err: 'laurels: this deletes the user ann for good: say --yes\nSee laurels users --help\n',
    })
    expect((await typed('yes')).err).toContain('that was not the id: nothing was changed')
    expect((await typed('ann')).out).toBe('deleted ann\n')
    expect(await call('users', 'delete', 'ann', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Unknown user "ann"`),
    })
    const { out } = await call('users', 'delete', 'bob', '--yes', '--keep', 'anonymous')
    expect(out).toMatch(/^deleted bob; what was done stays under [0-9a-f-]{36}\n$/)
  })

  test.each([[['delete', 'ann']], [['merge', 'ann', '--into', 'bob']]])(
    '%j names a missing --tenant before it asks',
    async (args) => {
      const { db } = await open(true)
      expect(await laurels(['users', ...args, '--db', db], { answers: ['ann'] })).toMatchObject({
        code: 2,
        err: 'laurels: the game has tenants: say which one with --tenant\nSee laurels users --help\n',
      })
    },
  )

  test.each([
    [['adjust', 'ann', '--reason', 'x'], '--points is missing: say which'],
    [['adjust', 'ann', '--points', 'xp', '--reason', 'x'], "--points must be as xp=50 or xp=-50, not 'xp'"],
    [['adjust', 'ann', '--points', 'xp=5'], '--reason is missing: say why'],
    [['grant', 'ann', '--reason', 'x'], '--achievement is missing: say which'],
    [['grant', 'ann', '--achievement', 'tour'], '--reason is missing: say why'],
    [['revoke', 'ann', '--achievement', 'tour', '--reason', ''], '--reason is missing: say why'],
    [['merge', 'ann', '--yes'], '--into is missing: name the user to merge into'],
  ])('%j names the option before it looks for a database', async (args, message) => {
    expect(await laurels(['users', ...args, '--db', file('none/app.db')])).toMatchObject({
      code: 2,
      err: `laurels: ${message}\nSee laurels users --help\n`,
    })
  })

  test('events of an unknown user say where the ids are', async () => {
    const { call } = await open()
    const { code, err } = await call('users', 'events', '99')
    expect([code, err]).toEqual([2, 'laurels: Unknown user "99": laurels users list has the ids.\n'])
  })

  test('merge ends the keys of the old id, or keeps them', async () => {
    const { call, db } = await open()
    const gamification = createGamification({ game: defineGame(game), storage: sqlite(db) })
    const { create, list } = gamification.admin.applicationApiKeys
    for (const id of ['guest', 'visitor']) await gamification.users.create({ id })
    await create([{ userId: 'guest' }, { userId: 'visitor' }])
    await call('users', 'merge', 'guest', '--into', 'ann', '--yes')
    await call('users', 'merge', 'visitor', '--into', 'ann', '--yes', '--keep-keys')
    expect((await list()).map(({ userId }) => userId)).toEqual(['visitor'])
    await gamification.close()
  })

  test('adjust, grant and revoke say what the user has then, and the log keeps the reason', async () => {
    const { call } = await open()
    const because = ['--reason', 'Lost words']
    const adjust = ['users', 'adjust', 'ann', '--points']
    expect((await call(...adjust, 'xp=50', '--key', 'k', ...because)).out).toBe('ann has 50 of xp (+50)\n')
    expect((await call(...adjust, 'xp=50', '--key', 'k', ...because)).out).toBe('ann has 50 of xp (+0)\n')
    expect((await call(...adjust, 'xp=-80', ...because)).out).toBe('ann has 0 of xp (-50)\n')
    const tour = ['ann', '--achievement', 'tour', ...because]
    expect((await call('users', 'grant', ...tour)).out).toBe('ann has tour\n')
    expect((await call('users', 'revoke', ...tour)).out).toBe('ann no longer has tour\n')
    expect((await call('users', 'revoke', ...tour)).err).toContain('The user does not have the achievement "tour"')
    expect((await call('users', 'events', 'ann')).out).toMatch(/ pointsAdjusted +xp -80 /)
    expect(JSON.parse((await call('users', 'events', 'ann', '--json')).out)[0]).toMatchObject({
      kind: 'achievementRevoked',
      reason: 'Lost words',
    })
  })

  test.each([
    [['users'], 'say what to do: list, events, export, delete, suspend, restore, adjust, grant, revoke'],
    [['users', 'adjust', 'ann', '--points', 'xp'], "--points must be as xp=50 or xp=-50, not 'xp'"],
    [['users', 'adjust', 'ann', '--points', 'xp=5'], '--reason is missing: say why'],
    [['users', 'revoke', 'ann', '--reason', 'x'], '--achievement is missing: say which'],
    [['users', 'delte'], "unknown command 'delte'; did you mean 'delete'?"],
    [['users', 'delete'], '<id> is missing: laurels users delete <id>'],
    [['users', 'list', 'ann'], "there is an argument too many: 'ann'"],
    [['users', 'list', '--limit', '1000'], 'Invalid request: limit: must be at most 100'],
    [['users', 'delete', 'ann', '--yes', '--keep', 'some'], "unknown value of --keep 'some'"],
    [['users', 'list', '--tenant', 'acme'], 'the game has no tenants'],
    [['tenants', 'export'], '<id> is missing: laurels tenants export <id>'],
  ])('%j says what is wrong', async (args, message) => {
    const { call } = await open()
    const { code, err } = await call(...args)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('laurels tenants', () => {
  test('list, export and delete', async () => {
    const { call } = await open(true)
    expect((await call('tenants', 'list')).out).toBe('id    users\nacme      2\n')
    expect((await call('tenants', 'export', 'acme')).out.split('\n')).toHaveLength(10)
    expect((await call('tenants', 'delete', 'acme')).err).toContain('this deletes the tenant acme for good: say --yes')
    expect((await call('tenants', 'delete', 'acme', '--yes')).out).toBe('deleted acme: 2 users\n')
    expect((await call('tenants', 'list')).out).toBe('no tenants here\n')
    expect((await call('users', 'list', '--tenant', 'acme')).out).toBe('no users here\n')
  })
})
