import { expect, test } from 'vitest'
import { GamificationError, httpStatus } from '../../src/index.ts'

test.each([
  ['unknown_user', 404],
  ['invalid_idempotency_key', 400],
  ['streak_customization_disabled', 403],
  ['out_of_points', 422],
  ['unavailable', 503],
  ['user_damaged', 500],
  ['outcome_unknown', 500],
] as const)('an error with the code %s has the status %d', (code, status) => {
  expect(httpStatus(new GamificationError(code, 'What is wrong.'))).toBe(status)
})

test('any other error has the status 500', () => {
  expect(httpStatus(new Error('What is wrong.'))).toBe(500)
  expect(httpStatus('unknown_user')).toBe(500)
})
