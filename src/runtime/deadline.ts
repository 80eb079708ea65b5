import { GamificationError } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'

export const NEVER: number = Number.POSITIVE_INFINITY

export function deadlineFrom({ deadlineMs }: Pick<Storage, 'deadlineMs'>, arrivedAt: number): number {
  return arrivedAt + deadlineMs
}

export function waitedTooLong(): GamificationError {
  const message = 'The call waited behind others until its deadline, and was not begun. Nothing was saved; try again.'
  return new GamificationError('unavailable', message)
}
