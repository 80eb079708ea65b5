import type { Instant } from './calendar.ts'

export interface Position {
  readonly value: number
  readonly reachedAt: Instant
  readonly user: string
}

/** Below 0 when `left` ranks before `right`: higher values first, then who reached them first, then by code points. */
export function comparePositions(left: Position, right: Position): number {
  return right.value - left.value || left.reachedAt - right.reachedAt || compareCodePoints(left.user, right.user)
}

/** The position before all others with its value: as many entries as have better values come before it. */
export function firstWith<Of extends { readonly value: number }>(entry: Of): Of & { readonly reachedAt: Instant } {
  return { ...entry, reachedAt: Number.MIN_SAFE_INTEGER }
}

export const LAST_POSITION: Omit<Position, 'user'> = { value: -1e308, reachedAt: Number.MAX_SAFE_INTEGER }

/** The order of UTF-8 bytes. `<` compares UTF-16 units, and would put emoji before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index)
    const b = right.charCodeAt(index)
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1
  }
  return left.length - right.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
