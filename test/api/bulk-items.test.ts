// How failures of a list's items are answered.

import { expect, test } from 'vitest'
import { toIssues } from '../../src/api/bulk-items.ts'
import { type ErrorCode, GamificationError } from '../../src/errors.ts'

const failed = (code: ErrorCode): PromiseRejectedResult => ({
  status: 'rejected',
  reason: new GamificationError(code, `It is ${code}.`),
})
const done = { status: 'fulfilled', value: 1 } as const
const userOf = (index: number): string => `user-${index}`

test('a damaged user rejects a list of which nothing was carried out', () => {
  expect(() => toIssues([failed('unknown_user'), failed('user_damaged')], userOf)).toThrow('It is user_damaged.')
})

test('a damaged user is an issue if another item was carried out', () => {
  expect(toIssues([done, failed('user_damaged')], userOf)).toMatchObject([
    { userId: 'user-1', index: 1, level: 'error' },
  ])
})
