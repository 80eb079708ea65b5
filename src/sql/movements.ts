import { toDateText } from '../rules/calendar.ts'
import type { Lot } from '../rules/wallet.ts'
import type { Movement, UserKey } from '../storage/rows.ts'
import type { Reader, Statement } from '../storage/statements.ts'
import { type Eventually, mapAnswer } from '../storage/steps.ts'
import { OF_USER, statement } from './database.ts'
import type { EntryCursor } from './log.ts'
import { toDay } from './stored-text.ts'
import type { MovementsTable, UserColumns } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

export type MovementRow = Omit<MovementsTable, keyof UserColumns>

/** The place of a movement in the order of a user's movements in one system. */
export interface MovementCursor extends EntryCursor {
  readonly ordinal: number
}

const COLUMNS =
  'system, at, seq, ordinal, kind, points, amount, balance, entry_id, spend_id, hold_id, lots, reference, until'

/** The movements of a user, the newest first. */
export const MOVEMENTS: Statement<UserKey & { readonly limit: number }, MovementRow> = statement(
  `select ${COLUMNS} from laurels.movements where ${OF_USER} order by at desc, seq desc, ordinal desc limit :limit`,
)

type StatementPage = UserKey & MovementCursor & { readonly system: string; readonly limit: number }

/** The movements of a user in one system before a place, the newest first. */
export const MOVEMENTS_BEFORE: Statement<StatementPage, MovementRow> = statement(
  `select ${COLUMNS} from laurels.movements where ${OF_USER} and system = :system
    and (at, seq, ordinal) < (:at, :seq, :ordinal) order by at desc, seq desc, ordinal desc limit :limit`,
)

/** The movements of spends and holds in their order. `spends`: a JSON list of ids. */
export const OF_SPENDS: Statement<UserKey & { readonly spends: string }, MovementRow> = statement(
  ({ jsonList }) => `select ${COLUMNS} from laurels.movements
    where ${OF_USER} and spend_id in ${jsonList(':spends')} order by at, seq, ordinal`,
)

export function toMovementColumns(key: UserKey, movement: Movement): MovementsTable {
  const { system, at, seq, ordinal, kind, points, amount, balance, entryId, spend, hold, lots, reference, until } =
    movement
  return {
    ...toUserColumns(key),
    ...{ system, at, seq, ordinal, kind, points, amount, balance, entry_id: entryId, spend_id: spend, hold_id: hold },
    lots: lots.length === 0 ? null : toLotsJson(lots),
    ...{ reference, until },
  }
}

export function fromMovementRow(row: MovementRow): Movement {
  const { system, at, seq, ordinal, kind, points, amount, balance, reference, until } = row
  return {
    ...{ system, at, seq, ordinal, kind, points, amount, balance, entryId: row.entry_id },
    ...{ spend: row.spend_id, hold: row.hold_id },
    lots: row.lots === null ? [] : fromLotsJson(row.lots),
    ...{ reference, until },
  }
}

interface LotJson {
  readonly amount: number
  /** `YYYY-MM-DD`; absent if the points do not expire. */
  readonly expires?: string
}

function toLotsJson(lots: readonly Lot[]): string {
  const json = lots.map(({ expires, amount }): LotJson => {
    return expires === null ? { amount } : { amount, expires: toDateText(expires) }
  })
  return JSON.stringify(json)
}

function fromLotsJson(text: string): readonly Lot[] {
  const json = JSON.parse(text) as readonly LotJson[]
  return json.map(({ amount, expires }) => ({ expires: expires === undefined ? null : toDay(expires), amount }))
}

/** The movements of a spend or a hold, in their order. */
export function loadMovementsOf(
  { all }: Pick<Reader, 'all'>,
  { tenant, user }: UserKey,
  spend: string,
): Eventually<readonly Movement[]> {
  const found = all(OF_SPENDS, { tenant, user, spends: JSON.stringify([spend]) })
  return mapAnswer(found, (rows) => rows.map(fromMovementRow))
}
