import { type RawBuilder, sql } from 'kysely'
import type { Day } from '../../src/rules/calendar.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type {
  EventsByOptions,
  FoundEvent,
  HeldLine,
  HeldLinesOptions,
  LoggedEvent,
  LoggedEvents,
  LoggedValue,
  LoggedValues,
  ReadLogOptions,
  ReadNewestOptions,
  WrittenEvent,
} from '../../src/storage/storage.ts'
import {
  type Bind,
  bindAll,
  columnList,
  rawStatement,
  type SqlTraits,
  type Statement,
  same,
  statement,
  tableOf,
} from './database.ts'
import { type EntryRow, fromEntryRow, fromIdHex, KIND_NUMBERS, toIdHex } from './entry-rows.ts'
import { toMap } from './stored-text.ts'
import type { LogTable, UserColumns } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

export interface LogQueries {
  readonly append: Statement<LogTable, unknown>
  /** Replaces a line's dating, void and idempotency key; changes no row when there is no line at this place. */
  readonly redate: Statement<Pick<LogTable, keyof UserColumns | 'at' | 'seq' | Redated>, unknown>
  readonly findByKey: Statement<
    UserColumns & { readonly metric: string; readonly idempotency_key: string },
    Pick<LogTable, 'entry_id'>
  >
  /** The user, the metric and the place of an event. */
  readonly findEvent: Statement<EventRead, FoundEvent>
  /** The lines before the given place, the newest first. */
  readonly readNewest: Statement<LinesRead, EntryRow>
  /** Events of a tenant that one key wrote and that are not voided, after the given place. */
  readonly writtenBy: Statement<WrittenRead, WrittenRow>
  /** Held events after the given place: of all users, in order of user, or of one user. */
  readonly held: Statement<HeldRead, HeldRow>
  readonly heldOfUser: Statement<HeldRead, HeldRow>
  /** The lines after the given place, in order. */
  readonly read: Statement<LinesRead, EntryRow>
  /** What events of one metric among the same lines added. */
  readonly readValues: Statement<ValuesRead, ValueRow>
  /** The events among the same lines, with their attributes. */
  readonly readEvents: Statement<LinesRead, LoggedRow>
  /** The local dates of the entries in a JSON list of ids, each as `toIdHex` makes it. */
  readonly dates: Statement<DatesRead, DatedRow>
}

/** `local_date` null: there is no such entry. */
export interface DatedRow {
  readonly entry_id: string
  readonly local_date: number | null
}

/** The columns of a line that may be long. */
export const LINE_TEXTS: readonly ('profile' | 'data')[] = ['profile', 'data']

/** Asks for at most `limit` events that a key wrote, after a place. */
export type WrittenRead = LinesRead & { readonly by_key: string }

export type WrittenRow = Pick<LogTable, 'user_id' | 'at' | 'seq' | 'entry_id'>

/** Asks for at most `limit` lines after a place, or before it. */
export type LinesRead = UserColumns & { readonly at: number; readonly seq: number; readonly limit: number }

export type HeldRead = LinesRead
export type HeldRow = EntryRow & Pick<LogTable, 'user_id'>

export type ValuesRead = LinesRead & { readonly metric: string }

/** `value` null: the line is no event of the metric, or is void. */
export type ValueRow = Pick<LogTable, 'at' | 'seq' | 'value' | 'local_date'>

/** `metric` and `data` are there only in rows of events that count. */
export type LoggedRow = Pick<LogTable, 'at' | 'seq' | 'metric' | 'value' | 'local_date' | 'data'>

const DATING = ['epoch', 'zone', 'local_date', 'local_time'] as const
const REDATED = ['epoch', 'zone', 'local_date', 'local_time', 'idempotency_key'] as const
type Redated = (typeof REDATED)[number] | 'voided_by'

/** All but the ids, which are bytes. */
const COLUMNS = [
  'at',
  'seq',
  'kind',
  'recorded_at',
  'profile',
  'metric',
  'value',
  'idempotency_key',
  'data',
  'by_key',
  ...DATING,
] as const

const EVENT = sql.lit(KIND_NUMBERS.eventRecorded)

export function logQueries(traits: SqlTraits): LogQueries {
  const { kysely, toBytes } = traits
  return {
    append: statement(traits, (bind) =>
      kysely.insertInto('log').values({
        ...bindAll(bind, ['tenant_id', 'user_id', ...COLUMNS]),
        entry_id: toBytes(bind('entry_id')),
        voided_by: toBytes(bind('voided_by')),
      }),
    ),
    redate: statement(traits, (bind) =>
      kysely
        .updateTable('log')
        .set({ ...bindAll(bind, REDATED), voided_by: toBytes(bind('voided_by')) })
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('at', '=', bind('at'))
        .where('seq', '=', bind('seq')),
    ),
    ...logReads(traits),
  }
}

function logReads(traits: SqlTraits): Omit<LogQueries, 'append' | 'redate'> {
  const { toBytes, toHex } = traits
  const log = tableOf('log')
  const all = entryColumns(traits)
  return {
    findByKey: rawStatement(
      traits,
      (bind) => sql`select ${toHex('entry_id')} as entry_id from ${log}
        where ${same(bind, ['tenant_id', 'user_id', 'metric', 'idempotency_key'])}`,
    ),
    findEvent: rawStatement(
      traits,
      (bind) => sql`select user_id as "user", metric, at, seq from ${log}
        where tenant_id = ${bind('tenant_id')} and entry_id = ${toBytes(bind('entry_id'))} and kind = ${EVENT}`,
    ),
    readNewest: rawStatement(
      traits,
      (bind: Bind<LinesRead>) => sql`select ${all} from ${log} where ${same(bind, ['tenant_id', 'user_id'])}
        and (at, seq) < (${bind('at')}, ${bind('seq')}) order by at desc, seq desc limit ${bind('limit')}`,
    ),
    // With `tenant_id = …` SQLite would go through all of the tenant's lines, because the primary key has this order.
    writtenBy: rawStatement(
      traits,
      (bind) => sql`select user_id, at, seq, ${toHex('entry_id')} as entry_id from ${log}
        where by_key = ${bind('by_key')} and (tenant_id, user_id, at, seq)
            > (${bind('tenant_id')}, ${bind('user_id')}, ${bind('at')}, ${bind('seq')})
          and tenant_id <= ${bind('tenant_id')} and kind = ${EVENT} and (voided_by is null or voided_by = entry_id)
        order by tenant_id, user_id, at, seq limit ${bind('limit')}`,
    ),
    read: rawStatement(traits, (bind) => sql`select ${all} ${lines(bind)}`),
    held: heldEvents(traits, (bind) => sql`(user_id, at, seq) > (${bind('user_id')}, ${bind('at')}, ${bind('seq')})`),
    heldOfUser: heldEvents(
      traits,
      (bind) => sql`user_id = ${bind('user_id')} and (at, seq) > (${bind('at')}, ${bind('seq')})`,
    ),
    readValues: rawStatement(
      traits,
      (bind: Bind<ValuesRead>) => sql`select at, seq, local_date,
        case when kind = ${EVENT} and voided_by is null and metric = ${bind('metric')} then value end as value ${lines(bind)}`,
    ),
    readEvents: rawStatement(
      traits,
      (bind) => sql`select at, seq, local_date, value, ${ofCounted('metric')}, ${ofCounted('data')} ${lines(bind)}`,
    ),
    // A subquery looks up each line: for a join SQLite would go through all the tenant's lines.
    dates: rawStatement(
      traits,
      (bind) => sql`select ids.value as entry_id, (
          select local_date from ${log} where tenant_id = ${bind('tenant_id')}
            and entry_id = ${toBytes(sql<string>`ids.value`)}
        ) as local_date from ${traits.jsonList(bind('ids'))} ids`,
    ),
  }
}

function entryColumns({ toHex }: SqlTraits): RawBuilder<unknown> {
  return sql`${columnList(COLUMNS)}, ${toHex('entry_id')} as entry_id, ${toHex('voided_by')} as voided_by`
}

function heldEvents(
  traits: SqlTraits,
  isAfter: (bind: Bind<HeldRead>) => RawBuilder<unknown>,
): Statement<HeldRead, HeldRow> {
  // Unless the index is named, SQLite goes through the whole log by its primary key, which has the same columns.
  const from = sql`${tableOf('log')}${traits.byIndex('laurels_log_held')}`
  return rawStatement(
    traits,
    (bind: Bind<HeldRead>) => sql<HeldRow>`select user_id, ${entryColumns(traits)} from ${from}
      where tenant_id = ${bind('tenant_id')} and voided_by = entry_id and ${isAfter(bind)}
      order by user_id, at, seq limit ${bind('limit')}`,
  )
}

export function heldBy({ user }: HeldLinesOptions, { held, heldOfUser }: LogQueries): Statement<HeldRead, HeldRow> {
  return user === undefined ? held : heldOfUser
}

export function toHeldRead(tenant: string, { user = '', after, limit = CHUNK }: HeldLinesOptions = {}): HeldRead {
  const place = after ?? { user, ...FIRST_LINE }
  return { tenant_id: tenant, user_id: place.user, at: place.at, seq: place.seq, limit }
}

export function toHeldEvents(rows: readonly HeldRow[]): readonly HeldLine[] {
  return rows.flatMap((row): readonly HeldLine[] => {
    const event = fromEntryRow(row)
    return event.kind === 'eventRecorded' ? [{ user: row.user_id, event }] : []
  })
}

/**
 * A column of the events that are not voided, else null: of other lines SQLite would read the whole profile to come to
 * it.
 */
export function ofCounted(column: 'metric' | 'data'): RawBuilder<unknown> {
  return sql`case when kind = ${EVENT} and voided_by is null then ${sql.ref(column)} end as ${sql.id(column)}`
}

/** The lines after a place, in order. */
function lines(bind: Bind<LinesRead>): RawBuilder<unknown> {
  return sql`from ${tableOf('log')} where ${same(bind, ['tenant_id', 'user_id'])}
    and (at, seq) > (${bind('at')}, ${bind('seq')}) order by at, seq limit ${bind('limit')}`
}

/** The values of the events that count, and the place of the last line that was read. */
export function toLoggedValues(rows: readonly ValueRow[]): LoggedValues {
  const values: LoggedValue[] = []
  for (const { at, seq, local_date: date, value } of rows) if (value !== null) values.push({ at, seq, date, value })
  const last = rows.at(-1)
  return { values, last: last === undefined ? null : { at: last.at, seq: last.seq } }
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/** Events with the same attributes share one map. */
export function toLoggedEvents(rows: readonly LoggedRow[]): LoggedEvents {
  const known = new Map<string, ReadonlyMap<string, string>>()
  const toAttributes = (data: string): ReadonlyMap<string, string> => {
    const attributes = known.get(data) ?? toMap<string, string>(JSON.parse(data))
    known.set(data, attributes)
    return attributes
  }
  const events = rows.flatMap(({ metric, data, local_date, value }): readonly LoggedEvent[] => {
    if (metric === null) return []
    const attributes = data === null ? NO_ATTRIBUTES : toAttributes(data)
    return [{ metric, date: local_date, value: value ?? 0, attributes }]
  })
  const last = rows.at(-1)
  return { events, last: last === undefined ? null : { at: last.at, seq: last.seq } }
}

export type DatesRead = { readonly tenant_id: string; readonly ids: string }

export function toDatesRead(tenant: string, ids: readonly string[]): DatesRead {
  return { tenant_id: tenant, ids: JSON.stringify([...new Set(ids.map(toIdHex))]) }
}

export type EventRead = Pick<LogTable, 'tenant_id' | 'entry_id'>

export function toEventRead(tenant: string, entryId: string): EventRead {
  return { tenant_id: tenant, entry_id: toIdHex(entryId) }
}

export function toEntryDates(rows: readonly DatedRow[]): readonly { readonly id: string; readonly date: Day }[] {
  return rows.flatMap(({ entry_id, local_date }) =>
    local_date === null ? [] : [{ id: fromIdHex(entry_id), date: local_date }],
  )
}

const CHUNK = 1_000
const FIRST_LINE = { at: Number.MIN_SAFE_INTEGER, seq: 0 }

// After every line.
const LAST_LINE = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER }

export function toNewestRead(key: UserKey, { before = LAST_LINE, limit = CHUNK }: ReadNewestOptions = {}): LinesRead {
  return { ...toUserColumns(key), at: before.at, seq: before.seq, limit }
}

export function toLinesRead(key: UserKey, { after = FIRST_LINE, limit = CHUNK }: ReadLogOptions = {}): LinesRead {
  return { ...toUserColumns(key), at: after.at, seq: after.seq, limit }
}

// No user has an empty id, so this place comes before all lines.
const FIRST_OF_ALL = { user: '', ...FIRST_LINE }

export function toWrittenRead(
  tenant: string,
  by: string,
  { after = FIRST_OF_ALL, limit = CHUNK }: EventsByOptions = {},
): WrittenRead {
  return { tenant_id: tenant, by_key: by, user_id: after.user, at: after.at, seq: after.seq, limit }
}

export function toWrittenEvent({ user_id, at, seq, entry_id }: WrittenRow): WrittenEvent {
  return { id: fromIdHex(entry_id), user: user_id, at, seq }
}
