import { GamificationError } from '../../src/errors.ts'
import type { EntryKind } from '../../src/rules/entry.ts'

// How the tables `log` and `awards` store ids and kinds. The views `view_log` and `view_awards` show both as text.

/** The numbers of the kinds of entries. What is stored has them, so none changes; a new kind takes the next one. */
export const KIND_NUMBERS: { readonly [Kind in EntryKind]: number } = {
  userUpserted: 0,
  eventRecorded: 1,
  achievementClaimed: 2,
  preferencesChanged: 3,
  completionKept: 4,
  freezesGranted: 5,
  pauseCreated: 6,
  pauseDeleted: 7,
  streakRestored: 8,
  eventVoided: 9,
  eventApproved: 10,
  granted: 11,
  userMerged: 12,
  userSuspended: 13,
  userRestored: 14,
  boostGiven: 15,
  boostChanged: 16,
  boostDeleted: 17,
}

const KINDS: ReadonlyMap<number, EntryKind> = new Map(
  (Object.keys(KIND_NUMBERS) as EntryKind[]).map((kind) => [KIND_NUMBERS[kind], kind]),
)

/** Throws `storage_unusable` for a number of no kind. */
export function toKind(number: number): EntryKind {
  const kind = KINDS.get(number)
  if (kind !== undefined) return kind
  throw new GamificationError('storage_unusable', `The storage has ${number} where a kind of entry belongs.`)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Stands before an id that is no UUID, which so has more than sixteen bytes, even where it is empty. */
const NO_UUID = '0'.repeat(34)

/** An id as hexadecimal digits: the sixteen bytes of a UUID, and of any other id seventeen zero bytes and its UTF-8. */
export function toIdHex(id: string): string {
  return UUID.test(id) ? id.replaceAll('-', '') : `${NO_UUID}${Buffer.from(id).toString('hex')}`
}

/** The id that `toIdHex` has made digits of; they may be capital letters. */
export function fromIdHex(hex: string): string {
  if (hex.length > 32) return Buffer.from(hex.slice(NO_UUID.length), 'hex').toString()
  const digits = hex.toLowerCase()
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
}

/** The given columns of a row, which are ids, as `toIdHex` makes them. */
export function idsToHex(row: object, columns: readonly string[]): { readonly [column: string]: string } {
  const digits: { [column: string]: string } = {}
  for (const column of columns) digits[column] = toIdHex(String(Reflect.get(row, column)))
  return digits
}
