import { expect } from 'vitest'
import type { Storage } from '../../src/storage/storage.ts'
import { readFold } from './fold.ts'

/** Folds every user's log from empty and expects exactly what the tables hold; returns how many users there are. */
export async function checkFold(storage: Storage): Promise<number> {
  const { users, stored, expected } = await readFold(storage)
  expect(stored).toEqual(expected)
  return users
}
