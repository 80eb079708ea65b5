import { GamificationError, isGamificationError } from '../errors.ts'

const MESSAGES = {
  internal: 'A fault of laurels, or of the storage it was given. Please report it, with its cause.',
  outcome_unknown:
    'A fault of laurels, or of the storage it was given: it is not known whether anything was stored. Please report it, with its cause.',
}

/**
 * Does what a method asks for. An error that nobody foresaw becomes one with `code`: `outcome_unknown` where the method
 * writes.
 */
export async function foreseen<T>(code: 'internal' | 'outcome_unknown', work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (isGamificationError(cause)) throw cause
    throw new GamificationError(code, MESSAGES[code], { cause })
  }
}
