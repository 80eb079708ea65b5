import type { Day, Instant } from '../rules/calendar.ts'
import type { Entry, EventRecorded } from '../rules/entry.ts'
import { CHUNK, type Page } from '../storage/reads.ts'
import type { UserKey } from '../storage/rows.ts'
import { type Part, part, type Reader, type Statement } from '../storage/statements.ts'
import { type Eventually, mapAnswer } from '../storage/steps.ts'
import type { EventLookup, Lookup, Storage, ValueLookup } from '../storage/storage.ts'
import { assign, OF_USER, type SqlTraits, same, statement } from './database.ts'
import { COUNTED_VALUE, type EntryRow, fromEntryRow, fromIdHex, KIND_NUMBERS, toIdHex } from './entry-rows.ts'
import { toMap } from './stored-text.ts'
import { COLUMNS, type LogTable, type UserColumns } from './tables.ts'

/** The value of an event (`COUNTED_VALUE`) or award, with the place of the event, or of the entry that the award followed from. */
export interface DatedValue extends EntryCursor {
  /** The local date of the event, or of the entry. */
  readonly date: Day
  readonly value: number
}

export interface LoggedValue extends DatedValue, TenantCursor {
  /** The key of the metric, or of the points system. */
  readonly key: string
}

export interface LoggedEvents {
  readonly events: readonly LoggedEvent[]
  /** The last line that was read, or `null` if there are no more lines. */
  readonly last: EntryCursor | null
}

export interface LoggedEvent extends Pick<LoggedValue, 'date' | 'value'> {
  readonly metric: string
  readonly attributes: ReadonlyMap<string, string>
}

/** The place of an event. */
export interface WrittenEvent extends TenantCursor {
  readonly id: string
}

/** The place of a line in its user's log. */
export type EntryCursor = Pick<Entry, 'at' | 'seq'>

export interface LoggedValues<Place> {
  readonly values: readonly LoggedValue[]
  /** The last line or award that was read, or `null` if there are no more. */
  readonly last: Place | null
}

/** A page of values of one user, up to an instant, included. */
export interface UserValuesOptions<Place> extends Page<Place> {
  readonly until?: Instant
}

export interface ReadLogOptions extends Page<EntryCursor> {
  /** Reads the log backwards. */
  readonly newestFirst?: boolean
}

export interface FoundEntry extends TenantCursor {
  readonly id: string
  readonly date: Day
  /** `null` if the entry is no event. */
  readonly metric: string | null
}

/** The place of a line in a tenant. */
export interface TenantCursor extends EntryCursor {
  readonly user: string
}

export interface HeldLinesOptions extends Page<TenantCursor> {
  readonly user?: string
}

export interface HeldLine {
  readonly user: string
  readonly event: Entry & EventRecorded
}

const LINE_TEXTS: readonly ('profile' | 'data')[] = ['profile', 'data']

const REDATED = ['epoch', 'zone', 'local_date', 'local_time', 'metric', 'idempotency_key', 'new_value', 'data'] as const
type Redated = (typeof REDATED)[number] | 'voided_by'

const BYTES = ['entry_id', 'voided_by']
const NEXT = 'and (at, seq) > (:at, :seq) order by at, seq limit :limit'
const EVENT = `kind = ${KIND_NUMBERS.eventRecorded}`

type LinesRead = UserKey & EntryCursor & { readonly limit: number }
type Found = Pick<LogTable, 'entry_id'>

const LOG_COLUMNS = Object.keys(COLUMNS.log)

export const APPEND_LINE: Statement<LogTable, unknown> = statement(({ toBytes }) => {
  const values = LOG_COLUMNS.map((name) => (BYTES.includes(name) ? toBytes(`:${name}`) : `:${name}`))
  return `insert into laurels.log (${LOG_COLUMNS.join(', ')}) values (${values.join(', ')})`
})

/** Replaces a line's dating, void, new value and idempotency key; changes no row if there is no line at this place. */
export const REDATE_LINE: Statement<Pick<LogTable, keyof UserColumns | 'at' | 'seq' | Redated>, unknown> = statement(
  ({ toBytes }) => `update laurels.log set ${assign(REDATED)}, voided_by = ${toBytes(':voided_by')}
    where ${same(['tenant_id', 'user_id', 'at', 'seq'])}`,
)

const findText = ({ ofIndexedUser, toHex }: SqlTraits, index = ''): string => `select ${toHex('entry_id')} as entry_id
  from laurels.log${index} where ${ofIndexedUser} and metric = :metric`

export const FIND_BY_KEY: Statement<UserKey & EventLookup, Found> = statement(
  (traits) => `${findText(traits)} and idempotency_key = :idempotencyKey`,
)

// SQLite would read the whole log of the user without the name of the index. The second condition is the index's own.
export const FIND_BY_VALUE: Statement<UserKey & ValueLookup, Found> = statement(
  (traits) => `${findText(traits, traits.byIndex('laurels_log_by_value'))}
    and new_value = :newValue and new_value > '' limit 1`,
)

/** Finds the entry that a lookup names. */
export function findPart(key: UserKey, lookup: Lookup): NonNullable<Part<Found>> {
  return 'newValue' in lookup ? part(FIND_BY_VALUE, { ...key, ...lookup }) : part(FIND_BY_KEY, { ...key, ...lookup })
}

const READ_LINES_FROM: Statement<LinesRead, EntryRow> = statement(
  (traits) => `select ${entryColumns(traits)} from laurels.log where ${OF_USER} ${NEXT}`,
)

const READ_NEWEST = statement<LinesRead, EntryRow>(
  (traits) => `select ${entryColumns(traits)} from laurels.log where ${OF_USER}
    and (at, seq) < (:at, :seq) order by at desc, seq desc limit :limit`,
)

function entryColumns({ toHex }: SqlTraits): string {
  const columns = LOG_COLUMNS.filter((name) => !['tenant_id', 'user_id'].includes(name))
  return columns.map((name) => (BYTES.includes(name) ? `${toHex(name)} as ${name}` : name)).join(', ')
}

const FIRST_LINE = { at: Number.MIN_SAFE_INTEGER, seq: 0 }
const LAST_LINE = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER }

function toLinesRead(
  { tenant, user }: UserKey,
  { after, newestFirst = false, limit = CHUNK }: ReadLogOptions = {},
): LinesRead {
  const { at, seq } = after ?? (newestFirst ? LAST_LINE : FIRST_LINE)
  return { tenant, user, at, seq, limit }
}

type TenantPage = LinesRead
type HeldRow = EntryRow & Pick<TenantCursor, 'user'>

/** `date` is null if there is no such entry, and `metric` is null if it is no event. */
type FoundRow = Found & {
  readonly [Name in keyof Omit<FoundEntry, 'id' | 'date'>]: FoundEntry[Name]
} & { readonly date: FoundEntry['date'] | null }

/** `key` is null if the line is no event of the metric, or is void. */
type ValueRow = Omit<LoggedValue, 'key' | 'value'> & { readonly [Name in 'key' | 'value']: LoggedValue[Name] | null }

/** `metric` and `data` are null except in rows of events that count. */
type LoggedRow = Pick<LogTable, 'at' | 'seq' | 'metric' | 'value' | 'local_date' | 'data'>

const IS_COUNTED = `${EVENT} and voided_by is null`

/**
 * A column of the events that are not voided. For other lines it is null, because SQLite would read the whole profile
 * to reach it.
 */
const ofCounted = (column: string): string => `case when ${IS_COUNTED} then ${column} end`

// Without the name of the index SQLite reads the whole log by its primary key, which has the same columns.
const held = (isAfter: string): Statement<TenantPage, HeldRow> =>
  statement(
    (traits) => `select user_id as "user", ${entryColumns(traits)}
      from laurels.log${traits.byIndex('laurels_log_held')}
      where tenant_id = :tenant and voided_by = entry_id and ${isAfter} order by user_id, at, seq limit :limit`,
  )
const HELD = held('(user_id, at, seq) > (:user, :at, :seq)')
const HELD_OF_USER = held('user_id = :user and (at, seq) > (:at, :seq)')

// With `tenant_id = …` SQLite would read all lines of the tenant, because the primary key has this order.
const WRITTEN_BY = statement<TenantPage & { readonly by_key: string }, TenantCursor & Found>(
  ({ toHex }) => `select user_id as "user", at, seq, ${toHex('entry_id')} as entry_id from laurels.log
    where by_key = :by_key and (tenant_id, user_id, at, seq) > (:tenant, :user, :at, :seq)
      and tenant_id <= :tenant and ${EVENT} and (voided_by is null or voided_by = entry_id)
    order by tenant_id, user_id, at, seq limit :limit`,
)

const EVENTS = statement<LinesRead, LoggedRow>(
  `select at, seq, local_date, ${COUNTED_VALUE} as value, ${ofCounted('metric')} as metric, ${ofCounted('data')} as data
    from laurels.log where ${OF_USER} ${NEXT}`,
)

const EVENT_VALUES = statement<TenantPage, ValueRow>(
  `select user_id as "user", at, seq, local_date as date, ${COUNTED_VALUE} as value, ${ofCounted('metric')} as key
    from laurels.log
    where tenant_id = :tenant and (user_id, at, seq) > (:user, :at, :seq) order by user_id, at, seq limit :limit`,
)

const VALUES_OF_METRIC = statement<LinesRead & { readonly metric: string; readonly until: Instant }, DatedValue>(
  `select at, seq, local_date as date, ${COUNTED_VALUE} as value from laurels.log
    where ${OF_USER} and at <= :until and ${IS_COUNTED} and metric = :metric ${NEXT}`,
)

// Subqueries look up each line: for a join SQLite would read all lines of the tenant.
const ENTRIES = statement<{ readonly tenant: string; readonly ids: string }, FoundRow>(({ toBytes, jsonList }) => {
  const found = `from laurels.log where tenant_id = :tenant and entry_id = ${toBytes('ids.value')}`
  return `select ids.value as entry_id, (select local_date ${found}) as date, (select user_id ${found}) as "user",
      (select at ${found}) as at, (select seq ${found}) as seq, (select metric ${found} and ${EVENT}) as metric
    from ${jsonList(':ids')} ids`
})

// No user has an empty id, so this place comes before all lines.
const FIRST_OF_ALL: TenantCursor = { user: '', ...FIRST_LINE }

/**
 * A chunk of the user's log in its order (at, seq), or against it. It ends early if profiles and attributes reach about
 * `CHUNK_BYTES`, so long lines do not make large chunks. An empty chunk is the end of the log.
 */
export function loadLog(
  storage: Pick<Storage, 'chunk'>,
  key: UserKey,
  options?: ReadLogOptions,
): Promise<readonly Entry[]>
export function loadLog(
  reader: Pick<Reader, 'chunk'>,
  key: UserKey,
  options?: ReadLogOptions,
): Eventually<readonly Entry[]>
export function loadLog(
  { chunk }: Pick<Reader, 'chunk'>,
  key: UserKey,
  options: ReadLogOptions = {},
): Eventually<readonly Entry[]> {
  const asked = toLinesRead(key, options)
  const rows = options.newestFirst
    ? chunk(READ_NEWEST, asked, LINE_TEXTS, 'desc')
    : chunk(READ_LINES_FROM, asked, LINE_TEXTS)
  return mapAnswer(rows, (lines) => lines.map(fromEntryRow))
}

/** Events among the next lines, without voided events. A chunk ends as in `loadLog`. Reads no profiles. */
export async function loadEvents(storage: Storage, key: UserKey, options?: ReadLogOptions): Promise<LoggedEvents> {
  return toLoggedEvents(await storage.chunk(EVENTS, toLinesRead(key, options), ['data']))
}

/** The next events of a metric in a user's log, in its order. Omits voided events. Reads no long texts. */
export function loadMetricValues(
  storage: Storage,
  key: UserKey,
  metric: string,
  { until = Number.MAX_SAFE_INTEGER, ...page }: UserValuesOptions<EntryCursor> = {},
): Promise<readonly DatedValue[]> {
  return storage.all(VALUES_OF_METRIC, { ...toLinesRead(key, page), metric, until })
}

/**
 * Events among the next `limit` lines of all logs of a tenant, in order of user, then log. Omits voided events. Reads no
 * long texts.
 */
export async function loadEventValues(
  storage: Storage,
  tenant: string,
  { after = FIRST_OF_ALL, limit = CHUNK }: Page<TenantCursor> = {},
): Promise<LoggedValues<TenantCursor>> {
  const rows = await storage.page(EVENT_VALUES, { ...after, tenant, limit })
  const values: LoggedValue[] = []
  for (const { user, at, seq, date, key, value } of rows) {
    if (key !== null) values.push({ user, at, seq, key, date, value: value ?? 0 })
  }
  const last = rows.at(-1)
  return { values, last: last === undefined ? null : { user: last.user, at: last.at, seq: last.seq } }
}

/** The entries with these ids, in no order. Omits unknown ids. */
export function findEntries(
  storage: Pick<Storage, 'all'>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly FoundEntry[]>
export function findEntries(
  reader: Pick<Reader, 'all'>,
  tenant: string,
  ids: readonly string[],
): Eventually<readonly FoundEntry[]>
export function findEntries(
  { all }: Pick<Reader, 'all'>,
  tenant: string,
  ids: readonly string[],
): Eventually<readonly FoundEntry[]> {
  const found = all(ENTRIES, { tenant, ids: JSON.stringify([...new Set(ids.map(toIdHex))]) })
  return mapAnswer(found, (rows) =>
    rows.flatMap(({ entry_id, date, ...row }) => (date === null ? [] : [{ ...row, id: fromIdHex(entry_id), date }])),
  )
}

/** Held events (`isHeld`) of a tenant, or of one user, in order of user, then log. */
export async function loadHeldEvents(
  storage: Storage,
  tenant: string,
  { user, after, limit = CHUNK }: HeldLinesOptions = {},
): Promise<readonly HeldLine[]> {
  const asked = { ...FIRST_OF_ALL, ...(user === undefined ? {} : { user }), ...after, tenant, limit }
  const rows = await storage.all(user === undefined ? HELD : HELD_OF_USER, asked)
  return rows.flatMap((row) => {
    const event = fromEntryRow(row)
    return event.kind === 'eventRecorded' ? [{ user: row.user, event }] : []
  })
}

/** Events that an API key wrote, in order of user, then log. Includes held events, and omits voided ones. */
export async function loadEventsBy(
  storage: Storage,
  tenant: string,
  by: string,
  { after = FIRST_OF_ALL, limit = CHUNK }: Page<TenantCursor> = {},
): Promise<readonly WrittenEvent[]> {
  const rows = await storage.page(WRITTEN_BY, { ...after, tenant, by_key: by, limit })
  return rows.map(({ entry_id, ...place }) => ({ ...place, id: fromIdHex(entry_id) }))
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/** Events with the same attributes share one map. */
function toLoggedEvents(rows: readonly LoggedRow[]): LoggedEvents {
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
