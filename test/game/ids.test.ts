import { describe, expect, test, vi } from 'vitest'
import {
  achievementId,
  attributeId,
  awardId,
  completionId,
  derivedId,
  importedEventId,
  leaderboardId,
  levelId,
  metricId,
  namespaceOf,
  pointsSystemId,
  triggerId,
  uuidv5,
  uuidv7,
} from '../../src/game/ids.ts'
import type { StoredTrigger } from '../../src/game/stored-definition.ts'

const DNS = namespaceOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8')

const common = {
  points: 10,
  status: 'active',
  userAttributes: {},
  blockIfOutOfPoints: false,
  created: '1970-01-01T00:00:00.000Z',
  updated: '1970-01-01T00:00:00.000Z',
} as const

const metricTrigger: StoredTrigger = {
  ...common,
  type: 'metric',
  metric: 'words-written',
  threshold: 100,
  eventAttributes: {},
}

describe('uuidv5', () => {
  test('gives the example of RFC 9562, appendix A.4', () => {
    expect(uuidv5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
  })

  test('gives what Python gives', () => {
    expect(uuidv5(DNS, 'python.org')).toBe('886313e1-3b8a-5372-9b90-0c9aee199e5d')
    // uuid.uuid5(uuid.NAMESPACE_DNS, '🏆 é')
    expect(uuidv5(DNS, '🏆 é')).toBe('fbcd574c-7257-50ae-a225-e7c7bbce4b9d')
  })
})

describe('ids of what is configured never change', () => {
  test('of a metric, an achievement, a points system, a level and a leaderboard', () => {
    expect(metricId('words-written')).toBe('ce836a49-1f7a-5434-aec8-0d238551e545')
    expect(achievementId('novelist')).toBe('8c42429e-cd6c-519c-8588-953f4c5a9c1b')
    expect(pointsSystemId('xp')).toBe('441255f3-d3ba-59d9-a80b-62602ccf1a28')
    expect(levelId('xp', 'bronze')).toBe('98b21341-858b-5654-88a8-3cbf1577c845')
    expect(leaderboardId('weekly')).toBe('24f869a4-88a6-5da3-a22e-f0b51754b106')
  })

  test('of an attribute of users, and of one of events', () => {
    expect(attributeId('user', 'plan')).toBe('c7767d58-ba1f-5e17-a34a-129c5be05d03')
    expect(attributeId('event', 'plan')).toBe('bb0994d1-0c71-565b-b80a-84e15519ea8c')
  })

  test('of every type of trigger', () => {
    expect(triggerId('xp', metricTrigger, 0)).toBe('82f8c3cf-af05-50a2-99b0-e017f6e6df99')
    expect(triggerId('xp', { ...common, type: 'achievement', achievement: 'novelist' }, 0)).toBe(
      '54cd3161-f8ef-562b-b390-78fa0d349e9e',
    )
    expect(triggerId('xp', { ...common, type: 'streak', length: 7 }, 0)).toBe('9f8e59d5-39c9-5bd7-8ad9-a501f9340afc')
    expect(triggerId('xp', { ...common, type: 'streak', length: 7, streak: 'gym' }, 0)).toBe(
      '1590fee7-6a84-5d41-b601-3b7700ca7862',
    )
    expect(triggerId('xp', { ...common, type: 'user_creation' }, 0)).toBe('4c4eb467-dac0-5930-84da-96b04e4bfa9f')
    const time = { ...common, type: 'time' } as const
    expect(triggerId('xp', { ...time, every: { hours: 6 } }, 0)).toBe('b14f0517-ae3e-51ad-90c4-bb763baea693')
    expect(triggerId('xp', { ...time, every: { days: 6 } }, 0)).toBe('160ceff9-233c-55b1-b099-0c55434c1c35')
    expect(triggerId('xp', { ...metricTrigger, key: 'words' }, 0)).toBe('f98202d0-a8d3-5891-87e8-5565319d58bd')
  })

  test('and the same key of another kind has another id', () => {
    expect(new Set([metricId('a'), achievementId('a'), pointsSystemId('a'), leaderboardId('a')]).size).toBe(4)
  })
})

describe('ids of what follows from the log never change', () => {
  test('of a completion, an award and an imported event', () => {
    expect(completionId('', '18', 'novelist')).toBe('19acfa74-fd0e-5a86-96c7-4e16238d2429')
    expect(awardId('0192f0a0-0000-7000-8000-000000000000', 'xp', '0a2e4c6e-0000-5000-8000-000000000000')).toBe(
      'a569aa43-dede-53f5-9e49-67bcd6a6106f',
    )
    expect(importedEventId('acme', '18', 'words-written', 'chapter-1')).toBe('9644ac31-0a0a-530e-99aa-84dab841e57b')
  })

  test('parts are not joined ambiguously', () => {
    expect(derivedId('completion', 'a', 'bc')).not.toBe(derivedId('completion', 'ab', 'c'))
    expect(derivedId('completion', 'a","b')).not.toBe(derivedId('completion', 'a', 'b'))
    expect(levelId('a', 'b')).not.toBe(levelId('b', 'a'))
  })
})

describe("a trigger's id", () => {
  const id = triggerId('xp', metricTrigger, 0)

  test('stays when points, status, blocking or dates are tuned', () => {
    expect(triggerId('xp', { ...metricTrigger, points: 25 }, 0)).toBe(id)
    expect(triggerId('xp', { ...metricTrigger, status: 'inactive' }, 0)).toBe(id)
    expect(triggerId('xp', { ...metricTrigger, blockIfOutOfPoints: true }, 0)).toBe(id)
    expect(triggerId('xp', { ...metricTrigger, created: '2026-01-01T00:00:00.000Z' }, 0)).toBe(id)
    expect(triggerId('xp', { ...metricTrigger, updated: '2026-01-01T00:00:00.000Z' }, 0)).toBe(id)
  })

  test('changes with what it looks at, its system and its ordinal', () => {
    const others = [
      triggerId('xp', { ...metricTrigger, metric: 'words' }, 0),
      triggerId('xp', { ...metricTrigger, threshold: 200 }, 0),
      triggerId('xp', { ...metricTrigger, eventAttributes: { source: 'web' } }, 0),
      triggerId('xp', { ...metricTrigger, userAttributes: { source: 'web' } }, 0),
      triggerId('gold', metricTrigger, 0),
      triggerId('xp', metricTrigger, 1),
      triggerId('xp', { ...metricTrigger, key: 'k' }, 0),
    ]
    expect(new Set([id, ...others]).size).toBe(8)
  })

  test('does not depend on the order of its filters', () => {
    const one = triggerId('xp', { ...metricTrigger, eventAttributes: { a: '1', b: '2' } }, 0)
    const other = triggerId('xp', { ...metricTrigger, eventAttributes: { b: '2', a: '1' } }, 0)
    expect([one, other]).toEqual(['a96039c6-d777-55e0-94bd-c7447f989597', 'a96039c6-d777-55e0-94bd-c7447f989597'])
  })

  test('with a key depends on nothing but the key and the system', () => {
    const keyed = triggerId('xp', { ...metricTrigger, key: 'words' }, 0)
    expect(triggerId('xp', { ...common, key: 'words', type: 'streak', length: 3 }, 4)).toBe(keyed)
    expect(triggerId('gold', { ...metricTrigger, key: 'words' }, 0)).not.toBe(keyed)
  })
})

describe('uuidv7', () => {
  test('holds the time, the version and the variant, counts up and never goes back', async () => {
    // The last time and the counter belong to the module, which other tests have used.
    vi.resetModules()
    const { uuidv7 } = await import('../../src/game/ids.ts')
    const ones = (count: number): string => 'f'.repeat(count)
    const zeros = (count: number): string => '0'.repeat(count)
    // The instant of RFC 9562, appendix A.6: 2022-02-22T19:22:22.000Z.
    expect(uuidv7(1_645_557_742_000, ones)).toBe('017f22e2-79b0-77ff-bfff-ffffffffffff')
    expect(uuidv7(1_645_557_742_000, zeros)).toBe('017f22e2-79b0-7800-8000-000000000000')
    expect(uuidv7(1_645_557_742_000, ones)).toBe('017f22e2-79b0-7801-bfff-ffffffffffff')
    expect(uuidv7(1_645_557_741_000, zeros)).toBe('017f22e2-79b0-7802-8000-000000000000')
    expect(uuidv7(1_645_557_742_001, zeros)).toBe('017f22e2-79b1-7000-8000-000000000000')
  })

  test('borrows from the time when a millisecond has no more numbers', () => {
    const ids = Array.from({ length: 10_000 }, () => uuidv7(1_700_000_000_000))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(10_000)
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    )
  })
})
