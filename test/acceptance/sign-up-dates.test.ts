import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { codeOf, onEachStorage, untyped } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  achievements: {
    first: { name: 'One year', trigger: 'anniversary', years: 1 },
    fifth: { name: 'Five years', trigger: 'anniversary', years: 5 },
    tour: { name: 'Tour', trigger: 'api' },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'first', points: 100 }] } },
}

// The clock of the tests is at 2026-03-10T12:00:00.000Z.
onEachStorage('signUpDate', (open) => {
  test('is null until it is set, and the date that create, identify and update set', async () => {
    const { users } = await open(game)
    expect(await users.create({ id: 'ann' })).toMatchObject({ signUpDate: null })
    expect(await users.create({ id: 'bob', signUpDate: '2020-08-20' })).toMatchObject({ signUpDate: '2020-08-20' })
    expect(await users.identify('ann', { signUpDate: '2021-01-01' })).toMatchObject({ signUpDate: '2021-01-01' })
    expect(await users.identify('ann', {})).toMatchObject({ signUpDate: '2021-01-01' })
    expect(await users.update('ann', { signUpDate: '2022-02-02' })).toMatchObject({ signUpDate: '2022-02-02' })
    expect(await users.get('ann')).toMatchObject({ signUpDate: '2022-02-02' })
    expect(await users.update('ann', { signUpDate: null })).toMatchObject({ signUpDate: null })
  })

  test('comes with an event, a completion, a batch and an import', async () => {
    const engine = await open(game)
    const user = (id: string) => ({ id, signUpDate: '2020-08-20' })
    await engine.metrics.event('words', { user: user('event'), value: 1 })
    await engine.achievements.complete('tour', { user: user('completion') })
    await engine.admin.metrics.events([{ key: 'words', user: user('batch'), value: 1 }])
    const item = { metric: 'words', user: user('import'), value: 1, occurredAt: new Date('2019-05-05T05:00:00.000Z') }
    await engine.import([item])
    for (const id of ['event', 'completion', 'batch', 'import']) {
      expect([id, (await engine.users.get(id)).signUpDate]).toEqual([id, '2020-08-20'])
    }
    expect((await engine.verify()).drift).toEqual([])
  })

  test.each([
    ['2020-08-20T23:59:59Z', '2020-08-20'],
    ['2020-08-20T23:30:00.000-02:00', '2020-08-21'],
    ['2026-03-10', '2026-03-10'],
    ['1900-01-01', '1900-01-01'],
  ])('of %s is stored as %s', async (given, stored) => {
    const { users } = await open(game)
    expect(await users.create({ id: 'ann', signUpDate: given })).toMatchObject({ signUpDate: stored })
  })

  test.each([
    ['2026-03-11', 'sign_up_date_out_of_range'],
    ['1899-12-31', 'sign_up_date_out_of_range'],
    ['2026-02-30', 'invalid_request'],
    ['20.08.2020', 'invalid_request'],
    ['', 'invalid_request'],
    [20_200_820, 'invalid_request'],
  ])('of %j is refused with %s, and nothing is stored', async (signUpDate, code) => {
    const { users } = await open(game)
    expect(await codeOf(users.create(untyped({ id: 'ann', signUpDate })))).toBe(code)
    expect(await codeOf(users.get('ann'))).toBe('unknown_user')
  })

  test('may be today in the zone of the user, which the same call may set', async () => {
    const { users } = await open(game)
    await users.create({ id: 'ann' })
    expect(await codeOf(users.update('ann', { signUpDate: '2026-03-11' }))).toBe('sign_up_date_out_of_range')
    const zone = 'Pacific/Kiritimati'
    expect(await users.update('ann', { signUpDate: '2026-03-11', tz: zone })).toMatchObject({
      signUpDate: '2026-03-11',
    })
  })

  test('completes the anniversaries of the past at once, with their points, and without a message', async () => {
    const engine = await open(game)
    const received: unknown[] = []
    await engine.subscribe('all', { types: ['achievement.completed', 'points.changed'] }, (messages) => {
      for (const { type } of messages) received.push(type)
    })
    await engine.users.create({ id: 'ann' })
    const { achievements, points } = await engine.metrics.event('words', {
      user: { id: 'ann', signUpDate: '2020-08-20' },
      value: 1,
    })
    expect(achievements).toMatchObject([
      { key: 'first', trigger: 'anniversary', anniversaryYears: 1, achievedAt: '2026-03-10T12:00:00.000Z' },
      { key: 'fifth', anniversaryYears: 5 },
    ])
    expect(points).toMatchObject({ xp: { added: 100 } })
    engine.at('2026-03-10T13:00:00.000Z')
    await engine.workOnce()
    expect(received).toEqual(['points.changed'])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('completes an anniversary at the local midnight of its date, with one message', async () => {
    const engine = await open(game)
    const received: unknown[] = []
    await engine.subscribe('badges', { types: ['achievement.completed'] }, (messages) => {
      for (const { at, data } of messages) received.push([at, Reflect.get(Reflect.get(data, 'achievement'), 'key')])
    })
    await engine.users.create({ id: 'ann', tz: 'Europe/Berlin', signUpDate: '2025-03-15' })
    engine.at('2026-03-14T22:59:00.000Z')
    await engine.workOnce()
    expect(await engine.users.achievements('ann')).toEqual([])
    engine.at('2026-03-14T23:00:00.000Z')
    await engine.workOnce()
    await engine.workOnce()
    expect(received).toEqual([['2026-03-14T23:00:00.000Z', 'first']])
  })

  test('set after an event that arrives late completes the same anniversaries', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann', signUpDate: '2025-03-11' })
    engine.at('2026-03-12T12:00:00.000Z')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    const occurredAt = new Date('2026-03-11T08:00:00.000Z')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1, occurredAt })
    expect(await engine.users.achievements('ann')).toMatchObject([
      { key: 'first', achievedAt: occurredAt.toISOString() },
    ])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is in the log, in an export, and in what an import makes of it', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann', signUpDate: '2020-08-20' })
    await engine.users.update('ann', { signUpDate: null })
    await engine.users.update('ann', { signUpDate: '2020-08-21' })
    const { entries } = await engine.users.events('ann')
    expect(entries.map(({ profile }) => profile?.signUpDate)).toEqual(['2020-08-21', null, '2020-08-20'])
    const lines: string[] = []
    for await (const line of engine.export()) lines.push(line)
    const other = await open(game)
    await other.import(lines)
    expect(await other.users.get('ann')).toMatchObject({ signUpDate: '2020-08-21' })
    expect((await other.verify()).drift).toEqual([])
  })
})
