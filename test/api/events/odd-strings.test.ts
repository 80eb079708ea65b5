// Strings that break programs (decisions, section 2): the same on every storage.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../../src/game/define-game.ts'
import { times, useEngines, usePlaces } from '../../support/places.ts'

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

const plain = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
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
