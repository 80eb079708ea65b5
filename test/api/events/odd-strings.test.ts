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
  })

  describe('attribute values', () => {
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

  describe('idempotency keys', () => {
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
