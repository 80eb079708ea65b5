import { describe, expect, test } from 'vitest'
import { judgeStatus, pauseAfter, readRetryAfter } from '../../../src/messages/webhooks/deliver.ts'

const SECOND = 1_000
const HOUR = 3_600_000

describe('the pause after a try that failed', () => {
  test.each([
    [1, 5 * SECOND],
    [2, 300 * SECOND],
    [3, 1_800 * SECOND],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])('number %i is %i ms, or up to a tenth longer', (attempts, pause) => {
    expect(pauseAfter(attempts, null, 0)).toBe(pause)
    expect(pauseAfter(attempts, null, 0.5)).toBe(pause * 1.05)
    expect(pauseAfter(attempts, null, 1)).toBe(Math.round(pause * 1.1))
  })

  test('is none after the tenth', () => {
    expect(pauseAfter(10, null, 0)).toBe(null)
    expect(pauseAfter(10, 60 * SECOND, 0)).toBe(null)
  })

  test('is longer where the receiver asks for it, never shorter, and never longer than a day', () => {
    expect(pauseAfter(1, 120 * SECOND, 0)).toBe(120 * SECOND)
    expect(pauseAfter(2, 120 * SECOND, 0)).toBe(300 * SECOND)
    expect(pauseAfter(1, 365 * 24 * HOUR, 0)).toBe(24 * HOUR)
    expect(pauseAfter(1, Number.POSITIVE_INFINITY, 0)).toBe(24 * HOUR)
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')

  test.each([
    ['120', 120 * SECOND],
    [' 0 ', 0],
    ['999999999', 999_999_999 * SECOND],
    ['Tue, 10 Mar 2026 12:00:30 GMT', 30 * SECOND],
    ['Tue, 10 Mar 2026 11:00:00 GMT', 0],
  ])('%j says when', (header, pause) => {
    expect(readRetryAfter(header, now)).toBe(pause)
  })

  test.each([undefined, '', '-5', '1.5', '1e9', '9999999999', 'soon', '2026-03-10T12:00:30Z', 'Tue, 99 Foo 2026 GMT'])(
    '%j says nothing',
    (header) => {
      expect(readRetryAfter(header, now)).toBe(null)
    },
  )
})

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [199, 'failed'],
  [300, 'failed'],
  [301, 'failed'],
  [308, 'failed'],
  [400, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [429, 'failed'],
  [500, 'failed'],
  [null, 'failed'],
] as const)('The status %s means: %s', (status, judged) => {
  expect(judgeStatus(status)).toBe(judged)
})
