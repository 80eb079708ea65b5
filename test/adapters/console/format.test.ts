import { describe, expect, test } from 'vitest'
import {
  countOf,
  formatChange,
  formatDate,
  formatNumber,
  formatShort,
  toDate,
} from '../../../adapters/console/pages/parts/format.ts'

describe('The pages of the console write', () => {
  test('numbers whole, for they are compared', () => {
    expect([0, 12_345, 1_234_567.25, -3].map(formatNumber)).toEqual(['0', '12,345', '1,234,567.25', '-3'])
  })

  test('numbers short where there is little room', () => {
    expect([950, 9_999, 12_300, 4_500_000].map(formatShort)).toEqual(['950', '9,999', '12.3K', '4.5M'])
  })

  test('changes with their sign', () => {
    expect([120, 0, -3.5].map(formatChange)).toEqual(['+120', '+0', '−3.5'])
  })

  test('one of a thing as one', () => {
    expect([countOf(1, 'event'), countOf(2_000, 'event'), countOf(0, 'entry', 'entries')]).toEqual([
      '1 event',
      '2,000 events',
      '0 entries',
    ])
  })

  test('dates as they are, in whatever zone the browser is', () => {
    expect(formatDate('2026-03-01')).toBe('1 Mar 2026')
    expect(toDate(new Date('2026-03-01T23:30:00Z'))).toBe('2026-03-01')
    expect(toDate(new Date('2026-03-01T00:00:00Z'), -1)).toBe('2026-02-28')
  })
})
