// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, onEachStorage, untyped } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' } },
  eventAttributes: ['source'],
  userAttributes: ['plan'],
  achievements: {
    one: { name: 'One', trigger: 'metric', metric: 'words', value: 1 },
    welcome: { name: 'Welcome', trigger: 'api' },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 5 }] } },
}

onEachStorage('section 2: user ids', (open) => {
  test.each([
    ['of 1 character', 'a'],
    ['of 255 characters', 'x'.repeat(255)],
    ['of three dots', '...'],
    ['that is __proto__', '__proto__'],
    ['of another script', 'Ωμέγα 🦉'],
  ])('%s is kept as sent', async (_, id) => {
    const engine = await open(game)
    expect((await engine.users.create({ id })).id).toBe(id)
    expect((await engine.metrics.event('words', { user: { id }, value: 3 })).total).toBe(3)
    expect((await engine.users.get(id)).id).toBe(id)
    expect((await engine.users.singleMetric(id, 'words')).current).toBe(3)
  })

  test.each([
    ['of no character', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['that is one dot', '.'],
    ['that is two dots', '..'],
    ['with U+0000', 'ann\u0000'],
    ['with half a surrogate pair', 'ann\ud83e'],
  ])('%s is refused everywhere', async (_, id) => {
    const engine = await open(game)
    expect(await codeOf(engine.users.create({ id }))).toBe('invalid_request')
    expect(await codeOf(engine.users.identify(id, {}))).toBe('invalid_request')
    expect(await codeOf(engine.users.update(id, {}))).toBe('invalid_request')
    expect(await codeOf(engine.users.get(id))).toBe('invalid_request')
    expect(await codeOf(engine.metrics.event('words', { user: { id }, value: 1 }))).toBe('invalid_request')
    expect(await codeOf(engine.achievements.complete('welcome', { user: { id } }))).toBe('invalid_request')
  })

  test('are neither trimmed, folded nor normalised', async () => {
    const engine = await open(game)
    const ids = ['ann', ' ann ', 'Ann', 'ANN', 'jos\u00e9', 'jose\u0301']
    for (const [index, id] of ids.entries()) await engine.metrics.event('words', { user: { id }, value: index + 1 })
    const totals = await Promise.all(ids.map(async (id) => (await engine.users.singleMetric(id, 'words')).current))
    expect(totals).toEqual([1, 2, 3, 4, 5, 6])
  })
})

onEachStorage('section 2: attributes', (open) => {
  test('a value of a user attribute has at most 1,024 characters', async () => {
    const engine = await open(game)
    const longest = 'x'.repeat(1024)
    expect((await engine.users.create({ id: 'ann', attributes: { plan: longest } })).attributes).toEqual({
      plan: longest,
    })
    const tooLong = { plan: 'x'.repeat(1025) }
    expect(await codeOf(engine.users.create({ id: 'bob', attributes: tooLong }))).toBe('invalid_request')
    expect(await codeOf(engine.users.update('ann', { attributes: tooLong }))).toBe('invalid_request')
    expect(await codeOf(engine.users.get('bob'))).toBe('unknown_user')
  })

  test('a value of an event attribute has at most 1,024 characters', async () => {
    const engine = await open(game)
    expect((await add(engine, 'words', 1, { attributes: { source: 'x'.repeat(1024) } })).total).toBe(1)
    expect(await codeOf(add(engine, 'words', 1, { attributes: { source: 'x'.repeat(1025) } }))).toBe('invalid_request')
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(1)
  })

  test('a value with U+0000 or half a surrogate pair is refused', async () => {
    const engine = await open(game)
    expect(await codeOf(engine.users.create({ id: 'ann', attributes: { plan: 'a\u0000' } }))).toBe('invalid_request')
    expect(await codeOf(engine.users.create({ id: 'ann', attributes: { plan: '\udc00' } }))).toBe('invalid_request')
    expect(await codeOf(engine.users.create({ id: 'ann', name: 'a\u0000' }))).toBe('invalid_request')
    expect(await codeOf(engine.users.create({ id: 'ann', email: '\ud800' }))).toBe('invalid_request')
    expect(await codeOf(add(engine, 'words', 1, { attributes: { source: '\u0000' } }))).toBe('invalid_request')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('__proto__, constructor and toString are ordinary names', async () => {
    const engine = await open({
      metrics: { ['__proto__']: { name: 'Proto' }, constructor: { name: 'Constructor' } },
      userAttributes: ['__proto__', 'constructor', 'toString'],
      eventAttributes: ['__proto__', 'constructor', 'toString'],
      achievements: {
        ['__proto__']: {
          name: 'Proto',
          trigger: 'metric',
          metric: '__proto__',
          value: 2,
          eventAttributes: { ['__proto__']: 'x' },
        },
      },
      points: {
        ['__proto__']: { name: 'P', triggers: [{ type: 'metric', metric: '__proto__', threshold: 1, points: 1 }] },
      },
    })
    const user = await engine.users.create({ id: 'ann', attributes: JSON.parse('{"__proto__":"a","toString":"b"}') })
    expect(JSON.stringify(user.attributes)).toBe('{"__proto__":"a","toString":"b"}')

    const first = await add(engine, '__proto__', 5)
    expect(first.total).toBe(5)
    expect(first.achievements).toEqual([])
    expect(Object.keys(first.points)).toEqual(['__proto__'])
    const second = await add(engine, '__proto__', 2, { attributes: JSON.parse('{"__proto__":"x"}') })
    expect(second.achievements).toMatchObject([{ key: '__proto__', eventAttribute: { key: '__proto__', value: 'x' } }])
    expect((await add(engine, 'constructor', 4)).total).toBe(4)
    expect((await engine.users.points('ann', '__proto__')).total).toBe(7)
  })

  test('__proto__, constructor and toString are unknown where the game does not name them', async () => {
    const engine = await open(game)
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const attributes = JSON.parse(`{"${name}":"x"}`)
      expect(await codeOf(engine.users.create({ id: 'ann', attributes }))).toBe('unknown_attribute')
      expect(await codeOf(add(engine, 'words', 1, { attributes }))).toBe('unknown_attribute')
      expect(await codeOf(add(engine, name, 1))).toBe('unknown_metric')
      expect(await codeOf(engine.achievements.complete(name, { user: { id: 'ann' } }))).toBe('unknown_achievement')
    }
    await engine.users.create({ id: 'ann' })
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(await codeOf(engine.users.singleMetric('ann', name))).toBe('unknown_metric')
      expect(await codeOf(engine.users.points('ann', name))).toBe('unknown_points_system')
    }
  })
})

onEachStorage('section 2: the value of an event', (open) => {
  test.each([
    [1e15, 1e15],
    [-0, 0],
    [1e-7, 1e-7],
  ])('%d is accepted', async (value, total) => {
    const engine = await open(game)
    expect((await add(engine, 'words', value)).total).toBe(total)
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(total)
  })

  test.each([
    ['1000000000000001', 1_000_000_000_000_001],
    ['-1000000000000001', -1_000_000_000_000_001],
  ])('%s is out of range and nothing is written', async (_, value) => {
    const engine = await open(game)
    expect(await codeOf(add(engine, 'words', value))).toBe('value_out_of_range')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test.each([
    ['NaN', Number.NaN],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['"5"', '5'],
    ['null', null],
    ['true', true],
    ['a big integer', 5n],
    ['missing', undefined],
  ])('%s is no number of JSON: refused, and nothing is written', async (_, value) => {
    const engine = await open(game)
    expect(await codeOf(add(engine, 'words', untyped(value)))).toBe('invalid_request')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test('5 and -5 total 0, not -0, and so do 0 and -0', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    expect((await add(engine, 'words', -5)).total).toBe(0)
    expect((await add(engine, 'words', -0)).total).toBe(0)
    const summary = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-10' } as const
    await engine.metrics.event('words', { user: { id: 'bob' }, value: -0 })
    expect(await engine.users.metricEventSummary('bob', 'words', summary)).toEqual([
      { date: '2026-03-09', total: 0, change: 0 },
      { date: '2026-03-10', total: 0, change: 0 },
    ])
  })
})

onEachStorage('section 2: totals', (open) => {
  test('above 1e15 in magnitude are out of range, and nothing is written', async () => {
    const engine = await open(game)
    await add(engine, 'pages', 1e15)
    const user = { id: 'ann', name: 'Ann' }
    expect(await codeOf(add(engine, 'pages', 10, { user, idempotencyKey: 'k' }))).toBe('total_out_of_range')
    expect(await codeOf(add(engine, 'pages', 1e15))).toBe('total_out_of_range')
    expect((await engine.users.singleMetric('ann', 'pages')).current).toBe(1e15)
    expect((await engine.users.get('ann')).name).toBe(null)
    expect(await add(engine, 'pages', -10, { idempotencyKey: 'k' })).toMatchObject({
      total: 999_999_999_999_990,
      idempotentReplayed: false,
    })

    await engine.metrics.event('pages', { user: { id: 'bob' }, value: -1e15 })
    expect(await codeOf(engine.metrics.event('pages', { user: { id: 'bob' }, value: -10 }))).toBe('total_out_of_range')
  })

  test('are rounded to 15 significant digits after each addition', async () => {
    const engine = await open(game)
    await add(engine, 'pages', 123_456_789_012_345)
    expect((await add(engine, 'pages', 0.4)).total).toBe(123_456_789_012_345)
    expect((await add(engine, 'pages', 0.4)).total).toBe(123_456_789_012_345)
    expect((await add(engine, 'pages', 0.6)).total).toBe(123_456_789_012_346)

    const value = 0.1
    await engine.metrics.event('pages', { user: { id: 'bob' }, value })
    expect((await engine.metrics.event('pages', { user: { id: 'bob' }, value: 0.2 })).total).toBe(0.3)
    expect((await engine.metrics.event('pages', { user: { id: 'bob' }, value: -0.3 })).total).toBe(0)
  })
})

onEachStorage('section 4: idempotency keys', (open) => {
  test.each(['k', 'k'.repeat(255), '!"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~'])('may be %s', async (idempotencyKey) => {
    const engine = await open(game)
    await add(engine, 'words', 1, { idempotencyKey })
    expect(await add(engine, 'words', 1, { idempotencyKey })).toMatchObject({
      idempotencyKey,
      idempotentReplayed: true,
    })
  })

  test.each([
    ['256 characters', 'k'.repeat(256)],
    ['a line break at the end', 'a\n'],
    ['DEL', 'a\u007f'],
    ['a letter outside ASCII', 'clé'],
  ])('with %s are refused, and nothing is written', async (_, idempotencyKey) => {
    const engine = await open(game)
    expect(await codeOf(add(engine, 'words', 1, { idempotencyKey }))).toBe('invalid_idempotency_key')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })
})

onEachStorage('section 6: occurredAt', (open) => {
  test.each([
    ['the first instant of 1970', '1970-01-01T00:00:00.000Z'],
    ['now', '2026-03-10T12:00:00.000Z'],
    ['five minutes after the clock', '2026-03-10T12:05:00.000Z'],
  ])('at %s is accepted', async (_, instant) => {
    const engine = await open(game)
    expect((await add(engine, 'words', 2, { occurredAt: new Date(instant) })).total).toBe(2)
  })

  test.each([
    ['the last instant before 1970', '1969-12-31T23:59:59.999Z'],
    ['five minutes and a millisecond after the clock', '2026-03-10T12:05:00.001Z'],
    ['ten years after the clock', '2036-03-10T12:00:00.000Z'],
  ])('at %s is refused, and nothing is written', async (_, instant) => {
    const engine = await open(game)
    expect(await codeOf(add(engine, 'words', 2, { occurredAt: new Date(instant) }))).toBe('occurred_at_out_of_range')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })

  test.each([
    ['an invalid date', new Date('tomorrow')],
    ['a string', '2026-03-10T12:00:00.000Z'],
    ['a number', 0],
  ])('that is %s is refused', async (_, occurredAt) => {
    const engine = await open(game)
    expect(await codeOf(add(engine, 'words', 2, untyped({ occurredAt })))).toBe('invalid_request')
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
  })
})
