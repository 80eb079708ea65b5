import { GamificationError } from '../errors.ts'
import { toDateText } from '../rules/calendar.ts'
import type { UserState } from '../rules/state.ts'
import type { DriftRow } from '../storage/audit.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import type { Decide, Difference, LoadedUser, UserSave } from '../storage/storage.ts'
import { toAwardColumns } from './awards.ts'
import { toWindowColumns } from './challenges.ts'
import { OF_USER, same, statement } from './database.ts'
import { type DerivedTable, ROW_TABLES, type RowTable } from './derived-tables.ts'
import { withIdsAsHex } from './entry-rows.ts'
import { toLeaderboardEntriesRow } from './leaderboards.ts'
import { toMovementColumns } from './movements.ts'
import { toRedemptionColumns } from './redemptions.ts'
import { COLUMNS, type Tables } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

export type RowChanges = { readonly [Name in RowTable]: Difference<Tables[Name]> }

/** A state and its derived rows: of a save, or, for a comparison, of a whole log. */
export type RowSource = Pick<
  UserSave,
  'after' | 'awards' | 'movements' | 'periods' | 'challenges' | 'redemptions' | 'leaderboards' | 'snapshots'
>

const NOTHING: Difference<never> = { remove: [], put: [] }

/**
 * Turns two states and the derived rows into the rows that differ, in every table but `users`. Saves and audits share
 * this function, so they agree on every row.
 */
export function toRowChanges(key: UserKey, before: UserState | null, source: RowSource): RowChanges {
  const { after, awards, movements, periods, challenges, redemptions = NOTHING, leaderboards, snapshots } = source
  const owner = toUserColumns(key)
  return {
    totals: changesOfMap(before?.totals, after.totals, (metric, { total, highest }) => {
      return { ...owner, metric, total, highest }
    }),
    tallies: changesOfMap(before?.tallies, after.tallies, (rule_id, { total, highest }) => {
      return { ...owner, rule_id, total, highest }
    }),
    completions: changesOfMap(before?.completions, after.completions, (achievement, { at, entryId, count }) => {
      return { ...owner, achievement, at, entry_id: entryId, count }
    }),
    points: changesOfMap(before?.points, after.points, (system, { total, level }) => {
      return { ...owner, system, total, level }
    }),
    awards: changesOfList(awards, (award) => toAwardColumns(key, award)),
    movements: changesOfList(movements, (movement) => toMovementColumns(key, movement)),
    streak_periods: changesOfList(periods, ({ start, length, kind, streak = '' }) => {
      return { ...owner, streak, start_date: toDateText(start), length, kind }
    }),
    challenge_windows: changesOfList(challenges, (mark) => toWindowColumns(key, mark)),
    redemptions: changesOfList(redemptions, (redemption) => toRedemptionColumns(key, redemption)),
    streak_pauses: changesOfIds(before?.pauses ?? [], after.pauses, ({ id }) => ({ ...owner, pause_id: id })),
    given_boosts: changesOfIds(before?.boosts ?? [], after.boosts, ({ id, system }) => {
      return { ...owner, boost_id: id, system }
    }),
    snapshots: changesOfList({ remove: [], put: snapshots?.put ?? [] }, (snapshot) => ({ ...owner, ...snapshot })),
    leaderboard_entries: changesOfList(leaderboards, (row) => toLeaderboardEntriesRow(key, row)),
  }
}

/** Compares references first, because most values of a state are the same objects as in the previous state. */
function changesOfMap<Value extends object, Row>(
  before: ReadonlyMap<string, Value> | undefined,
  after: ReadonlyMap<string, Value>,
  toRow: (name: string, value: Value) => Row,
): Difference<Row> {
  if (before === after) return NOTHING
  const [remove, put]: [Row[], Row[]] = [[], []]
  let known = 0
  for (const [name, value] of after) {
    const earlier = before?.get(name)
    if (earlier !== undefined) known += 1
    if (earlier === undefined || !isSame(earlier, value)) put.push(toRow(name, value))
  }
  if (before !== undefined && before.size > known) {
    for (const [name, value] of before) if (!after.has(name)) remove.push(toRow(name, value))
  }
  return { remove, put }
}

function isSame<Value extends object>(a: Value, b: Value): boolean {
  if (a === b) return true
  for (const name in b) if (a[name] !== b[name]) return false
  return true
}

function changesOfList<Item, Row>({ remove, put }: Difference<Item>, toRow: (item: Item) => Row): Difference<Row> {
  if (remove.length === 0 && put.length === 0) return NOTHING
  return { remove: remove.map(toRow), put: put.map(toRow) }
}

/** A row says only who owns a pause or a boost, so an id that is in both lists changes no row. */
function changesOfIds<Item extends { readonly id: string }, Row>(
  before: readonly Item[],
  after: readonly Item[],
  toRow: (item: Item) => Row,
): Difference<Row> {
  if (before === after) return NOTHING
  const without = (items: readonly Item[], others: readonly Item[]): readonly Item[] =>
    items.filter(({ id }) => !others.some((other) => other.id === id))
  return changesOfList({ remove: without(before, after), put: without(after, before) }, toRow)
}

/** How a save writes a row; a row to be removed is found by its key. */
export interface RowStatements<Name extends RowTable> {
  readonly put: Statement<Tables[Name], unknown>
  readonly remove: Statement<Tables[Name], unknown>
}

export type RowQueries = { readonly [Name in RowTable]: RowStatements<Name> }

// Interfaces have no index signature, though all their columns are values of a row.
export const ROW_STATEMENTS: RowQueries = Object.fromEntries<object>(
  ROW_TABLES.map((table) => {
    // A save must fail if it puts an award that exists.
    const put = insertStatement(table, table.name === 'awards' ? '' : onConflict(table))
    return [table.name, { put, remove: statement(`delete from laurels.${table.name} where ${same(table.key)}`) }]
  }),
) as RowQueries

export function insertStatement({ name, bytes, columns }: DerivedTable, conflict = ''): Statement<DriftRow, unknown> {
  return statement(
    ({ toBytes }) => {
      const values = columns.map((column) => (bytes.includes(column) ? toBytes(`:${column}`) : `:${column}`))
      return `insert into laurels.${name} (${columns.join(', ')}) values (${values.join(', ')}) ${conflict}`
    },
    (row) => (bytes.length === 0 ? row : withIdsAsHex(row, bytes)),
  )
}

export function insertAllStatement(table: DerivedTable): Statement<{ readonly rows: readonly DriftRow[] }, unknown> {
  const { name, bytes, columns } = table
  const kinds: { readonly [column: string]: string } = COLUMNS[name]
  // Ids arrive as text.
  const read = columns.map((column) => [column, bytes.includes(column) ? 'text' : (kinds[column] ?? '')])
  return statement(
    ({ toBytes, jsonRows }) => {
      const values = columns.map((column) => (bytes.includes(column) ? toBytes(`r.${column}`) : `r.${column}`))
      return `insert into laurels.${name} (${columns.join(', ')}) select ${values.join(', ')}
        from ${jsonRows(':rows', Object.fromEntries(read))}`
    },
    ({ rows }) => ({ rows: JSON.stringify(rows.map((row) => withIdsAsHex(row, bytes))) }),
  )
}

function onConflict({ key, values }: DerivedTable): string {
  if (values.length === 0) return 'on conflict do nothing'
  const changes = values.map((column) => `${column} = excluded.${column}`)
  return `on conflict (${key.join(', ')}) do update set ${changes.join(', ')}`
}

export const REMOVE_SNAPSHOTS_AFTER: Statement<UserKey & { readonly lines: number }, unknown> = statement(
  `delete from laurels.snapshots where ${OF_USER} and lines > :lines`,
)

/** The users for whom `decide` returned a save. Throws `internal` if it did not answer each of them. */
export function savesOf<User>(
  users: readonly User[],
  answers: ReturnType<Decide>,
): readonly { readonly user: User; readonly save: UserSave }[] {
  if (answers.length !== users.length) {
    throw new GamificationError('internal', `decide answered ${answers.length} of ${users.length} users.`)
  }
  return users.flatMap((user, index) => {
    const save = answers[index]
    return save ? [{ user, save }] : []
  })
}

/** Throws `internal` if a save does not follow from the loaded state. */
export function checkSave(loaded: UserKey & Pick<LoadedUser, 'state'>, { before, after, appended }: UserSave): void {
  const seq = loaded.state?.seq ?? 0
  if ((before?.seq ?? 0) !== seq) fail(loaded, 'does not start from the stored state')
  if (after.seq !== seq + appended.length) fail(loaded, 'counts its entries wrongly')
  if (appended.some((entry, index) => entry.seq !== seq + index + 1)) fail(loaded, 'has a gap in its entries')
}

export function fail({ tenant, user }: UserKey, what: string): never {
  throw new GamificationError('internal', `The save of user ${JSON.stringify([tenant, user])} ${what}.`)
}
