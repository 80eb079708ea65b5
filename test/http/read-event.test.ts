import { describe, expect, test } from 'vitest'
import { asRead, type ReadEventCall, readEventCall } from '../../src/api/events/read-event.ts'

const call: ReadEventCall = {
  metric: 'words',
  event: { user: { id: '18' }, value: 120, idempotencyKey: 'chapter-7' },
  includePrivate: false,
}
const sent = { user: { id: '18' }, value: 120, idempotencyKey: 'chapter-7', includePrivate: false }

describe('A request that HTTP has read', () => {
  test('is answered as it was read', () => {
    expect(readEventCall('words', asRead({ ...sent }, call))).toBe(call)
  })

  test('is read again for another metric', () => {
    const request = asRead({ ...sent }, call)
    expect(readEventCall('pages', request)).toEqual({ ...call, metric: 'pages' })
    expect(() => readEventCall('', request)).toThrow('Invalid metric key: must not be empty')
  })

  test('is not what a copy of it is taken for', () => {
    const copy = { ...asRead({ ...sent }, call), value: '120' }
    expect(() => readEventCall('words', copy)).toThrow('Invalid metric event: value: must be a finite number')
    expect(() => readEventCall('words', { ...copy, value: 1, idempotencyKey: 'chapter 7' })).toThrow(
      'The idempotency key must have 1 to 255 visible ASCII characters (no spaces).',
    )
  })
})
