// Strings that break programs (decisions, section 2): the same on every storage.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../../src/game/define-game.ts'
import { codesOf, times, useEngines, usePlaces } from '../../support/places.ts'

const places = usePlaces()
const start = useEngines('2026-03-10T12:00:00.000Z')

const NAMES_OF_OBJECTS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
]

const NFC = 'caf\u00e9'
const NFD = 'cafe\u0301'

/** No two of them are the same string, though some look like it. */
const ORDINARY = [
  ...NAMES_OF_OBJECTS,
  NFC,
  NFD,
  'Ann',
  'ann',
  'ann ',
  ' ann',
  'ann\t',
  'ann\n',
  ' ',
  '\u00a0',
  '\u200b',
  '\ufeff',
  'null',
  'undefined',
  'true',
  'NaN',
  '0',
  '-0',
  '00',
  '1',
  '1.0',
  '1e0',
  '0x1',
  '9007199254740993',
  '9007199254740992',
  '😀',
  '👩‍👩‍👧‍👦',
  '\u{1f1eb}\u{1f1f7}',
  '\u{10ffff}',
  '\uffff',
  '\ue000',
  'ß',
  'SS',
  'İ',
  'i̇',
  '\u00c5',
  '\u212b',
  'مرحبا',
  '\u202eann',
  "'; drop table laurels_users; --",
  '"',
  '\\',
  '\\u0000',
  '%',
  '_',
  '*',
  '?',
  '$1',
  ':user',
  '@user',
  '[]',
  '{}',
  '["","ann"]',
  'a/b',
  '../a',
  '...',
  '\u0001',
  '\u007f',
  '\u0085',
  '\u2028',
]

const LONE = ['\ud800', '\udfff', 'a\udc00b', '\udc00\ud800', '😀\ud83d']
const NULLS = ['\0', 'a\0', '\0a', 'a\0b']

const LONG: readonly (readonly [what: string, unit: string])[] = [
  ['letters', 'x'],
  ['two-byte letters', 'é'],
  ['emoji', '😀'],
]

const plain = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
})

describe('The list of ordinary strings', () => {
  test('has no string twice', () => {
    expect(new Set(ORDINARY).size).toBe(ORDINARY.length)
  })
})

describe.each(places)('In $name', ({ make }) => {
  describe('user ids', () => {
    test('that are odd are kept byte for byte, and no two of them meet', async () => {
      const storage = make()()
      const engine = await start(plain, storage)
      const answers = await Promise.all(
        ORDINARY.map((id, index) =>
          engine.metrics.event('words', {
            user: { id, name: `number ${index}` },
            value: index,
            idempotencyKey: 'once',
          }),
        ),
      )
      expect(answers.map(({ total }) => total)).toEqual(times(ORDINARY.length, (index) => index))
      const users = await Promise.all(ORDINARY.map((id) => engine.users.get(id)))
      expect(users.map(({ id }) => id)).toEqual(ORDINARY)
      expect(users.map(({ name }) => name)).toEqual(times(ORDINARY.length, (index) => `number ${index}`))
      const listed = await storage.listUsers()
      expect(new Set(listed.map(({ user }) => user))).toEqual(new Set(ORDINARY))
      expect(listed).toHaveLength(ORDINARY.length)
    })

    test('are listed in the order of code points, whatever the storage', async () => {
      const storage = make()()
      const engine = await start(plain, storage)
      for (const id of ['\u{1f600}', '\ue000', 'ä', 'z', 'Z', 'a', '\uffff', 'a ', 'aa'])
        await engine.users.create({ id })
      expect((await storage.listUsers()).map(({ user }) => user)).toEqual([
        'Z',
        'a',
        'a ',
        'aa',
        'z',
        'ä',
        '\ue000',
        '\uffff',
        '\u{1f600}',
      ])
    })

    test.each([...LONE, ...NULLS, '', '.', '..'])(
      'as %j are refused everywhere, and nothing is written',
      async (id) => {
        const storage = make()()
        const engine = await start(plain, storage)
        const codes = await codesOf([
          engine.metrics.event('words', { user: { id }, value: 1 }),
          engine.users.create({ id }),
          engine.users.identify(id, { name: 'x' }),
          engine.users.update(id, { name: 'x' }),
          engine.users.get(id),
          engine.users.getPreferences(id),
          engine.users.updatePreferences(id, { notifications: { recap: [] } }),
          engine.users.allMetrics(id),
          engine.users.singleMetric(id, 'words'),
          engine.users.metricEventSummary(id, 'words', {
            aggregation: 'daily',
            startDate: '2026-03-01',
            endDate: '2026-03-10',
          }),
          engine.users.achievements(id),
          engine.users.streak(id),
        ])
        expect(codes).toEqual(times(12, () => 'invalid_request'))
        const report = await engine.import([{ metric: 'words', user: { id }, value: 1 }])
        expect(report).toMatchObject({ refused: 1, recorded: 0, refusals: [{ index: 0, code: 'invalid_request' }] })
        expect(await storage.listUsers()).toEqual([])
      },
    )

    test.each(LONG)('of 255 %s are taken, of 256 refused', async (_, unit) => {
      const engine = await start(plain, make()())
      expect(
        await codesOf([engine.users.create({ id: unit.repeat(255) }), engine.users.create({ id: unit.repeat(256) })]),
      ).toEqual(['ok', 'invalid_request'])
      expect((await engine.users.get(unit.repeat(255))).id).toBe(unit.repeat(255))
    })

    test('that are no strings are refused', async () => {
      const engine = await start(plain, make()())
      const ids: unknown[] = [undefined, null, 1, 1n, true, {}, [], ['ann'], { toString: () => 'ann' }, Symbol('ann')]
      const codes = await codesOf(ids.map((id) => engine.users.get(id as string)))
      expect(codes).toEqual(ids.map(() => 'invalid_request'))
    })
  })

  describe('names of objects', () => {
    const keyed = <T>(make: (key: string, index: number) => T): { [key: string]: T } =>
      Object.fromEntries(NAMES_OF_OBJECTS.map((key, index) => [key, make(key, index)]))

    const odd = defineGame({
      metrics: keyed((key) => ({ name: `Metric ${key}` })),
      userAttributes: NAMES_OF_OBJECTS,
      eventAttributes: NAMES_OF_OBJECTS,
      achievements: {
        ...keyed((key) => ({ name: key, trigger: 'metric' as const, metric: key, value: 10 })),
        claimed: { name: 'Claimed', trigger: 'api' as const, userAttributes: { constructor: 'yes' } },
        filtered: {
          name: 'Filtered',
          trigger: 'metric' as const,
          metric: 'toString',
          value: 5,
          eventAttributes: Object.fromEntries([['__proto__', 'x']]),
        },
      },
      points: keyed((key) => ({
        name: key,
        triggers: [{ type: 'metric' as const, metric: key, threshold: 10, points: 3 }],
        levels: keyed((level, index) => ({ name: level, points: index + 1 })),
      })),
      streak: { frequency: 'daily', metrics: keyed(() => ({})), customization: true },
    })

    test('are ordinary metrics, achievements, points systems and levels', async () => {
      const engine = await start(odd, make()())
      const answers = await Promise.all(
        NAMES_OF_OBJECTS.map((key) => engine.metrics.event(key, { user: { id: key }, value: 10 })),
      )
      answers.forEach((answer, index) => {
        const key = NAMES_OF_OBJECTS[index]!
        expect(answer.total).toBe(10)
        expect(answer.achievements.map((achievement) => achievement.key)).toEqual([key])
        expect(Object.entries(answer.points).map(([system, { total, level }]) => [system, total, level?.key])).toEqual([
          [key, 3, 'prototype'],
        ])
      })
      const metrics = await engine.users.allMetrics('__proto__')
      expect(metrics.map(({ key, current }) => [key, current])).toEqual([
        ['__proto__', 10],
        ['constructor', 0],
        ['prototype', 0],
        ['toString', 0],
        ['hasOwnProperty', 0],
        ['valueOf', 0],
        ['__defineGetter__', 0],
      ])
      for (const key of NAMES_OF_OBJECTS) {
        expect(await engine.users.singleMetric(key, key)).toMatchObject({ key, name: `Metric ${key}`, current: 10 })
        expect(await engine.users.points(key, key)).toMatchObject({ key, total: 3, awards: [{ awarded: 3, total: 3 }] })
        expect((await engine.users.achievements(key)).map((achievement) => achievement.key)).toEqual([key])
      }
      const all = await engine.achievements.all()
      expect(all.filter(({ completions }) => completions === 1).map(({ key }) => key)).toEqual(NAMES_OF_OBJECTS)
    })

    test('are ordinary attributes of users, and merge key by key', async () => {
      const engine = await start(odd, make()())
      for (const name of NAMES_OF_OBJECTS) {
        await engine.users.identify('ann', { attributes: Object.fromEntries([[name, `value of ${name}`]]) })
      }
      const { attributes } = await engine.users.get('ann')
      expect(Object.entries(attributes).sort()).toEqual(
        NAMES_OF_OBJECTS.map((name) => [name, `value of ${name}`]).sort(),
      )
      expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype)
      expect(Object.hasOwn(attributes, '__proto__')).toBe(true)
    })

    test('are filters that match only what was really sent', async () => {
      const engine = await start(odd, make()())
      const send = (attributes: { [name: string]: string }) =>
        engine.metrics.event('toString', { user: { id: 'ann' }, value: 5, attributes })
      expect((await send({ constructor: 'x' })).achievements).toEqual([])
      expect((await send(Object.fromEntries([['__proto__', 'x']]))).achievements.map(({ key }) => key)).toEqual([
        'toString',
        'filtered',
      ])
      expect(
        await codesOf([
          engine.achievements.complete('claimed', { user: { id: 'ann' } }),
          engine.achievements.complete('claimed', { user: { id: 'ann', attributes: { constructor: 'no' } } }),
          engine.achievements.complete('claimed', { user: { id: 'ann', attributes: { constructor: 'yes' } } }),
        ]),
      ).toEqual(['achievement_not_accessible', 'achievement_not_accessible', 'ok'])
      const listed = await engine.achievements.all({ userAttributes: '__proto__:x,constructor:yes' })
      expect(listed.map(({ key }) => key)).toContain('claimed')
    })

    test('are ordinary metrics of a personal streak', async () => {
      const engine = await start(odd, make()())
      await engine.users.create({ id: 'ann' })
      const streak = {
        evaluationMode: 'AND' as const,
        metrics: [{ key: '__proto__', threshold: 2 }, { key: 'valueOf' }],
      }
      const answered = {
        evaluationMode: 'AND',
        metrics: [
          { key: '__proto__', threshold: 2 },
          { key: 'valueOf', threshold: 0 },
        ],
      }
      expect((await engine.users.updatePreferences('ann', { streak })).streak).toEqual(answered)
      expect((await engine.users.getPreferences('ann')).streak).toEqual(answered)
      await engine.metrics.event('__proto__', { user: { id: 'ann' }, value: 2 })
      expect((await engine.metrics.event('valueOf', { user: { id: 'ann' }, value: 1 })).currentStreak.length).toBe(1)
    })

    test('are unknown where the game has no such thing', async () => {
      const engine = await start(plain, make()())
      await engine.users.create({ id: 'ann' })
      for (const name of NAMES_OF_OBJECTS) {
        const attributes = Object.fromEntries([[name, 'x']])
        const codes = await codesOf([
          engine.metrics.event(name as 'words', { user: { id: 'ann' }, value: 1 }),
          engine.users.singleMetric('ann', name as 'words'),
          engine.users.points('ann', name as never),
          engine.achievements.complete(name as never, { user: { id: 'ann' } }),
          engine.metrics.event('words', { user: { id: 'ann' }, value: 1, attributes }),
          engine.metrics.event('words', { user: { id: 'ann', attributes }, value: 1 }),
          engine.users.update('ann', { attributes }),
          engine.achievements.all({ userAttributes: `${name}:x` }),
        ])
        expect(codes).toEqual([
          'unknown_metric',
          'unknown_metric',
          'unknown_points_system',
          'unknown_achievement',
          'unknown_attribute',
          'unknown_attribute',
          'unknown_attribute',
          'unknown_attribute',
        ])
      }
      expect((await engine.users.singleMetric('ann', 'words')).current).toBe(0)
      expect((await engine.users.get('ann')).attributes).toEqual({})
    })

    test('are unknown notification types', async () => {
      const engine = await start(plain, make()())
      await engine.users.create({ id: 'ann' })
      const update = (name: string) =>
        engine.users.updatePreferences('ann', { notifications: Object.fromEntries([[name, ['email']]]) })
      expect(await codesOf(NAMES_OF_OBJECTS.map(update))).toEqual(NAMES_OF_OBJECTS.map(() => 'invalid_request'))
      expect(await engine.users.getPreferences('ann')).toEqual({ notifications: {} })
    })

    test('and other odd strings are ordinary tenants, kept apart', async () => {
      const engine = await start(defineGame({ metrics: { words: { name: 'Words' } }, multiTenant: true }), make()())
      await Promise.all(
        ORDINARY.map((tenant, index) =>
          engine.tenant(tenant).metrics.event('words', { user: { id: 'ann' }, value: index, idempotencyKey: 'once' }),
        ),
      )
      const metrics = await Promise.all(
        ORDINARY.map((tenant) => engine.tenant(tenant).users.singleMetric('ann', 'words')),
      )
      expect(metrics.map(({ current }) => current)).toEqual(times(ORDINARY.length, (index) => index))
    })
  })

  describe('tenants', () => {
    const tenants = defineGame({ metrics: { words: { name: 'Words' } }, multiTenant: true })

    test('are well-formed without U+0000, as every string from outside, else refused', async () => {
      const storage = make()()
      const engine = await start(tenants, storage)
      const send = async (tenant: string) =>
        engine.tenant(tenant).metrics.event('words', { user: { id: 'ann' }, value: 1 })
      const odd = [...LONE, ...NULLS]
      expect(await codesOf(odd.map(send))).toEqual(odd.map(() => 'invalid_request'))
      expect(await storage.listUsers()).toEqual([])
    })

    test('that are empty or missing are refused', async () => {
      const engine = await start(tenants, make()())
      const send = async (tenant: string) =>
        engine.tenant(tenant).metrics.event('words', { user: { id: 'ann' }, value: 1 })
      const codes = await codesOf([
        engine.metrics.event('words', { user: { id: 'ann' }, value: 1 }),
        engine.users.get('ann'),
        send(''),
      ])
      expect(codes.slice(0, 2)).toEqual(['tenant_required', 'tenant_required'])
      expect(codes[2]).not.toBe('ok')
    })
  })

  describe('attribute values', () => {
    test('that are odd are kept byte for byte, and change one by one', async () => {
      const engine = await start(plain, make()())
      for (const plan of ['', ...ORDINARY, '.', '..']) {
        await engine.users.identify('ann', { attributes: { plan } })
        expect((await engine.users.get('ann')).attributes).toEqual({ plan })
      }
    })

    test.each([...LONE, ...NULLS])('as %j are refused, of users and of events', async (odd) => {
      const engine = await start(plain, make()())
      await engine.users.create({ id: 'ann' })
      const codes = await codesOf([
        engine.users.update('ann', { attributes: { plan: odd } }),
        engine.metrics.event('words', { user: { id: 'ann', attributes: { plan: odd } }, value: 1 }),
        engine.metrics.event('words', { user: { id: 'ann' }, value: 1, attributes: { source: odd } }),
        engine.users.update('ann', { attributes: Object.fromEntries([[odd, 'x']]) }),
        engine.metrics.event('words', { user: { id: 'ann' }, value: 1, attributes: Object.fromEntries([[odd, 'x']]) }),
        engine.users.update('ann', { name: odd }),
        engine.users.update('ann', { email: odd }),
        engine.users.update('ann', { deviceTokens: ['fine', odd] }),
        engine.metrics.event(odd as 'words', { user: { id: 'ann' }, value: 1 }),
        engine.achievements.complete(odd as never, { user: { id: 'ann' } }),
        engine.users.points('ann', odd as never),
        engine.users.singleMetric('ann', odd as 'words'),
      ])
      expect(codes).toEqual(times(12, () => 'invalid_request'))
      expect((await codesOf([engine.users.update('ann', { tz: `Europe/${odd}` })]))[0]).toMatch(
        /^(invalid_request|unknown_time_zone)$/,
      )
      expect(await engine.users.get('ann')).toMatchObject({ name: null, email: null, attributes: {} })
    })

    test('in a list of user attributes are well-formed without U+0000, else refused', async () => {
      const engine = await start(plain, make()())
      const odd = [...LONE, ...NULLS]
      const codes = await codesOf(odd.map((value) => engine.achievements.all({ userAttributes: `plan:${value}` })))
      expect(codes).toEqual(odd.map(() => 'invalid_request'))
    })

    test.each(LONG)('of 1,024 %s are taken, of 1,025 refused', async (_, unit) => {
      const engine = await start(plain, make()())
      const long = unit.repeat(1024)
      const codes = await codesOf([
        engine.users.identify('ann', { attributes: { plan: long } }),
        engine.metrics.event('words', { user: { id: 'ann' }, value: 1, attributes: { source: long } }),
        engine.users.identify('ann', { attributes: { plan: `${long}${unit}` } }),
        engine.metrics.event('words', { user: { id: 'ann' }, value: 1, attributes: { source: `${long}${unit}` } }),
      ])
      expect(codes).toEqual(['ok', 'ok', 'invalid_request', 'invalid_request'])
      expect((await engine.users.get('ann')).attributes).toEqual({ plan: long })
    })

    test.each(LONG)('of 1,024 %s can be asked for by a filter', async (_, unit) => {
      const plan = unit.repeat(1024)
      const game = defineGame({
        metrics: {},
        userAttributes: ['plan'],
        achievements: { joined: { name: 'Joined', trigger: 'api', userAttributes: { plan } } },
      })
      const engine = await start(game, make()())
      const { achievement } = await engine.achievements.complete('joined', {
        user: { id: 'ann', attributes: { plan } },
      })
      expect(achievement.userAttributes).toEqual([{ key: 'plan', value: plan }])
    })

    test('are told apart by filters byte for byte', async () => {
      const game = defineGame({
        metrics: { words: { name: 'Words' } },
        eventAttributes: ['source'],
        achievements: {
          nfc: { name: 'NFC', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: NFC } },
          nfd: { name: 'NFD', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: NFD } },
          space: { name: 'Space', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: 'web ' } },
          upper: { name: 'Upper', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: 'WEB' } },
          empty: { name: 'Empty', trigger: 'metric', metric: 'words', value: 1, eventAttributes: { source: '' } },
        },
      })
      const engine = await start(game, make()())
      const send = async (source: string) => {
        const answer = await engine.metrics.event('words', { user: { id: 'ann' }, value: 1, attributes: { source } })
        return answer.achievements.map(({ key }) => key)
      }
      expect(await send('web')).toEqual([])
      expect(await send('WEB')).toEqual(['upper'])
      expect(await send('web ')).toEqual(['space'])
      expect(await send(NFD)).toEqual(['nfd'])
      expect(await send(NFC)).toEqual(['nfc'])
      expect(await send('')).toEqual(['empty'])
    })
  })

  describe('keys of a game', () => {
    const KEYS = ORDINARY

    test('that are odd are kept apart, as metrics, achievements, points systems, levels and attributes', async () => {
      const keyed = <T>(make: (key: string, index: number) => T): { [key: string]: T } =>
        Object.fromEntries(KEYS.map((key, index) => [key, make(key, index)]))
      const game = defineGame({
        metrics: keyed((_, index) => ({ name: `Metric ${index}` })),
        eventAttributes: KEYS,
        userAttributes: KEYS,
        achievements: keyed((key) => ({ name: 'A', trigger: 'metric' as const, metric: key, value: 1 })),
        points: keyed((key, index) => ({
          name: 'P',
          triggers: [{ type: 'metric' as const, metric: key, threshold: 1, points: index + 1 }],
          levels: Object.fromEntries([[key, { name: 'L', points: 1 }]]),
        })),
      })
      const open = make()
      await start(game, open())
      // The definition is read back from the storage by the second engine.
      const engine = await start(game, open())
      for (const [index, key] of KEYS.entries()) {
        const attributes = Object.fromEntries([[key, key]])
        const answer = await engine.metrics.event(key, { user: { id: 'ann', attributes }, value: 1, attributes })
        expect(answer.total).toBe(1)
        expect(answer.achievements.map((achievement) => achievement.key)).toEqual([key])
        expect(Object.keys(answer.points)).toEqual([key])
        expect(Object.values(answer.points)).toMatchObject([{ key, added: index + 1, level: { key } }])
      }
      expect(new Set((await engine.users.allMetrics('ann')).map(({ id }) => id)).size).toBe(KEYS.length)
      const { attributes } = await engine.users.get('ann')
      expect(new Map(Object.entries(attributes))).toEqual(new Map(KEYS.map((key) => [key, key])))
      const completed = (await engine.achievements.all()).filter(({ completions }) => completions === 1)
      expect(completed).toHaveLength(KEYS.length)
      expect((await open().games()).map(({ epoch }) => epoch)).toEqual([1])
    })
  })

  describe('a key of a game', () => {
    test.each(LONG)('of 255 %s is taken in every place, one of 256 refused', async (_, unit) => {
      const gameOf = (key: string) =>
        defineGame({
          metrics: { [key]: { name: 'M' } },
          userAttributes: [key],
          achievements: { [key]: { name: 'A', trigger: 'metric', metric: key, value: 1 } },
          points: {
            [key]: {
              name: 'P',
              triggers: [{ type: 'metric', metric: key, threshold: 1, points: 1 }],
              levels: { [key]: { name: 'L', points: 1 } },
            },
          },
        })
      expect(() => gameOf(unit.repeat(256))).toThrow('mistakes')
      const key = unit.repeat(255)
      const engine = await start(gameOf(key), make()())
      const answer = await engine.metrics.event(key, { user: { id: 'ann', attributes: { [key]: 'x' } }, value: 1 })
      expect(answer).toMatchObject({ achievements: [{ key }], points: { [key]: { total: 1, level: { key } } } })
      expect(await codesOf([engine.users.singleMetric('ann', key), engine.users.points('ann', key)])).toEqual([
        'ok',
        'ok',
      ])
    })
  })

  describe('idempotency keys', () => {
    const send = async (key: unknown) => {
      const engine = await start(plain, make()())
      return codesOf([engine.metrics.event('words', { user: { id: 'ann' }, value: 1, idempotencyKey: key as string })])
    }

    test.each([
      '',
      ' ',
      'a b',
      'a ',
      ' a',
      'a\t',
      'a\n',
      'é',
      '😀',
      '\ud800',
      '\0',
      'a\0',
      '\u007f',
      '\u0001',
      'x'.repeat(256),
    ])('as %j are refused', async (key) => {
      expect(await send(key)).toEqual(['invalid_idempotency_key'])
    })

    test.each([null, 1, true, {}, ['a'], new String('a')])('that are no strings, as %j, are refused', async (key) => {
      expect(await send(key)).toEqual(['invalid_idempotency_key'])
    })

    test('are compared byte by byte, and told back as they came', async () => {
      const engine = await start(plain, make()())
      const keys = [...NAMES_OF_OBJECTS, 'a', 'A', '1', '01', '1.0', '~', '!', '%', "'", '"', '\\', 'x'.repeat(255)]
      for (const round of [false, true]) {
        for (const idempotencyKey of keys) {
          const answer = await engine.metrics.event('words', { user: { id: 'ann' }, value: 1, idempotencyKey })
          expect([answer.idempotentReplayed, answer.idempotencyKey]).toEqual([round, idempotencyKey])
        }
      }
      expect((await engine.users.singleMetric('ann', 'words')).current).toBe(keys.length)
    })

    test('of different users and metrics do not meet, however the three are cut', async () => {
      const game = defineGame({ metrics: { a: { name: 'A' }, ab: { name: 'AB' }, '["a"': { name: 'Q' } } })
      const engine = await start(game, make()())
      const cuts = [
        ['a', 'a', 'bb'],
        ['a', 'ab', 'b'],
        ['aa', 'a', 'b'],
        ['["a"', 'a', 'b'],
        ['a', '["a"', 'b'],
      ] as const
      for (const [id, metric, idempotencyKey] of cuts) {
        const answer = await engine.metrics.event(metric, { user: { id }, value: 1, idempotencyKey })
        expect(answer.idempotentReplayed).toBe(false)
      }
    })
  })
})

describe('Both storages', () => {
  test('answer the same about the same odd history', async () => {
    const game = defineGame({
      metrics: { words: { name: 'Words' } },
      userAttributes: ['plan', '__proto__'],
      achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
      points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
      streak: { frequency: 'daily', metrics: { words: {} } },
    })
    const told: unknown[] = []
    for (const { make } of places) {
      let made = 0
      const ids = () => `00000000-0000-7000-8000-${String(++made).padStart(12, '0')}`
      const engine = await start(game, make()(), { ids })
      const answers: unknown[] = []
      for (const [index, id] of ORDINARY.entries()) {
        const attributes = Object.fromEntries([[index % 2 === 0 ? 'plan' : '__proto__', id]])
        answers.push(await engine.metrics.event('words', { user: { id, name: id, attributes }, value: 0.1 * index }))
        answers.push(await engine.users.get(id), await engine.users.points(id, 'xp'), await engine.users.streak(id))
      }
      told.push(answers)
    }
    expect(told[1]).toEqual(told[0])
  })
})
