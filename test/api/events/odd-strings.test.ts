// @heavy: It takes more than three seconds.
// Strings that break programs (decisions, section 2): the same on every storage.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../../src/game/define-game.ts'
import { loadUserKeys } from '../../../src/sql/user-lists.ts'
import { times, useEngines, useFiles } from '../../support/places.ts'

const make = useFiles()
const start = useEngines('2026-03-10T12:00:00.000Z')

const NAMES_OF_OBJECTS = ['__proto__', 'constructor', 'prototype']

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
  '\u00a0',
  'null',
  '0',
  '1',
  '1.0',
  '9007199254740993',
  '😀',
  '👩‍👩‍👧‍👦',
  '\u{10ffff}',
  '\uffff',
  'ß',
  'İ',
  '\u202eann',
  "'; drop table laurels_users; --",
  '"',
  '\\',
  '%',
  '["","ann"]',
  'a/b',
  '\u0001',
]

const plain = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
})

describe('In a file of SQLite', () => {
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
      const listed = await loadUserKeys(storage)
      expect(new Set(listed.map(({ user }) => user))).toEqual(new Set(ORDINARY))
      expect(listed).toHaveLength(ORDINARY.length)
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
