import type { UserKey } from '../../src/storage/rows.ts'
import {
  CHUNK,
  type EntryCursor,
  type LoggedEvent,
  type LoggedEvents,
  type LoggedValue,
  type ReadLogOptions,
  type Storage,
} from '../../src/storage/storage.ts'
import { assign, compiler, OF_USER, type SqlDatabase, type SqlTraits, type Statement, same } from './database.ts'
import { type EntryRow, fromEntryRow, fromIdHex, KIND_NUMBERS, toIdHex } from './entry-rows.ts'
import { toMap } from './stored-text.ts'
import { COLUMNS, type LogTable, type UserColumns } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

export const LINE_TEXTS: readonly ('profile' | 'data')[] = ['profile', 'data']

const REDATED = ['epoch', 'zone', 'local_date', 'local_time', 'metric', 'idempotency_key', 'new_value', 'data'] as const
type Redated = (typeof REDATED)[number] | 'voided_by'

const BYTES = ['entry_id', 'voided_by']
const EVENT = `kind = ${KIND_NUMBERS.eventRecorded}`

type LinesRead = UserColumns & EntryCursor & { readonly limit: number }

export interface LogQueries {
  readonly append: Statement<LogTable, unknown>
  /** Replaces a line's dating, void, new value and idempotency key; changes no row if there is no line at this place. */
  readonly redate: Statement<Pick<LogTable, keyof UserColumns | 'at' | 'seq' | Redated>, unknown>
  readonly findByKey: Statement<
    UserColumns & { readonly metric: string; readonly idempotency_key: string },
    Pick<LogTable, 'entry_id'>
  >
  readonly findByValue: Statement<
    UserColumns & { readonly metric: string; readonly new_value: string },
    Pick<LogTable, 'entry_id'>
  >
  readonly read: Statement<LinesRead, EntryRow>
  readonly readNewest: Statement<LinesRead, EntryRow>
}

/** The statements about the log that commits and transactions run. */
export function logQueries(traits: SqlTraits): LogQueries {
  const sql = compiler(traits)
  const names = Object.keys(COLUMNS.log)
  const values = names.map((name) => (BYTES.includes(name) ? traits.toBytes(`:${name}`) : `:${name}`))
  const lines = `select ${entryColumns(traits)} from laurels.log where ${OF_USER}`
  const find = (index: string): string => `select ${traits.toHex('entry_id')} as entry_id from laurels.log${index}
    where ${traits.keyColumn('tenant_id')} = :tenant_id and ${traits.keyColumn('user_id')} = :user_id
      and metric = :metric`
  return {
    append: sql(`insert into laurels.log (${names.join(', ')}) values (${values.join(', ')})`),
    redate: sql(
      `update laurels.log set ${assign(REDATED)}, voided_by = ${traits.toBytes(':voided_by')}
        where ${same(['tenant_id', 'user_id', 'at', 'seq'])}`,
    ),
    findByKey: sql(`${find('')} and idempotency_key = :idempotency_key`),
    // SQLite would read the whole log of the user without the name of the index. The second condition is the index's own.
    findByValue: sql(
      `${find(traits.byIndex('laurels_log_by_value'))} and new_value = :new_value and new_value > '' limit 1`,
    ),
    read: sql(`${lines} and (at, seq) > (:at, :seq) order by at, seq limit :limit`),
    readNewest: sql(`${lines} and (at, seq) < (:at, :seq) order by at desc, seq desc limit :limit`),
  }
}

function entryColumns({ toHex }: SqlTraits): string {
  const columns = Object.keys(COLUMNS.log).filter((name) => !['tenant_id', 'user_id'].includes(name))
  return columns.map((name) => (BYTES.includes(name) ? `${toHex(name)} as ${name}` : name)).join(', ')
}

const FIRST_LINE = { at: Number.MIN_SAFE_INTEGER, seq: 0 }
const LAST_LINE = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER }

export function toLinesRead(
  key: UserKey,
  { after, newestFirst = false, limit = CHUNK }: ReadLogOptions = {},
): LinesRead {
  const { at, seq } = after ?? (newestFirst ? LAST_LINE : FIRST_LINE)
  return { ...toUserColumns(key), at, seq, limit }
}

interface TenantPage extends EntryCursor {
  readonly tenant_id: string
  readonly user_id: string
  readonly limit: number
}

type HeldRow = EntryRow & Pick<LogTable, 'user_id'>
type WrittenRow = Pick<LogTable, 'user_id' | 'at' | 'seq' | 'entry_id'>

/** `local_date` null: there is no such entry. `metric` null: it is no event. */
type FoundRow = { readonly [Column in 'local_date' | 'user_id' | 'at' | 'seq' | 'metric']: LogTable[Column] | null } & {
  readonly entry_id: string
}

/** `metric` null: the line is no event of the metric, or is void. */
type ValueRow = Pick<LogTable, 'user_id' | 'at' | 'seq' | 'metric' | 'value' | 'local_date'>

/** `metric` and `data` are null except in rows of events that count. */
type LoggedRow = Pick<LogTable, 'at' | 'seq' | 'metric' | 'value' | 'local_date' | 'data'>

/**
 * A column of the events that are not voided, else null: for other lines SQLite would read the whole profile to reach
 * it.
 */
const ofCounted = (column: string, condition = ''): string =>
  `case when ${EVENT} and voided_by is null${condition} then ${column} end as ${column}`

/** As `addedBy`. */
const VALUE = `case when new_value is null then value when new_value = '' then 0 else 1 end as value`

function readQueries(traits: SqlTraits) {
  const sql = compiler(traits)
  const { toBytes, toHex } = traits
  // Without the name of the index SQLite reads the whole log by its primary key, which has the same columns.
  const held = (isAfter: string): Statement<TenantPage, HeldRow> =>
    sql(`select user_id, ${entryColumns(traits)} from laurels.log${traits.byIndex('laurels_log_held')}
      where tenant_id = :tenant_id and voided_by = entry_id and ${isAfter} order by user_id, at, seq limit :limit`)
  const next = `and (at, seq) > (:at, :seq) order by at, seq limit :limit`
  const found = `from laurels.log where tenant_id = :tenant_id and entry_id = ${toBytes('ids.value')}`
  return {
    held: held('(user_id, at, seq) > (:user_id, :at, :seq)'),
    heldOfUser: held('user_id = :user_id and (at, seq) > (:at, :seq)'),
    // With `tenant_id = …` SQLite would read all lines of the tenant, because the primary key has this order.
    writtenBy: sql<TenantPage & { readonly by_key: string }, WrittenRow>(
      `select user_id, at, seq, ${toHex('entry_id')} as entry_id from laurels.log
        where by_key = :by_key and (tenant_id, user_id, at, seq) > (:tenant_id, :user_id, :at, :seq)
          and tenant_id <= :tenant_id and ${EVENT} and (voided_by is null or voided_by = entry_id)
        order by tenant_id, user_id, at, seq limit :limit`,
    ),
    events: sql<LinesRead, LoggedRow>(
      `select at, seq, local_date, ${VALUE}, ${ofCounted('metric')}, ${ofCounted('data')} from laurels.log
        where ${OF_USER} ${next}`,
    ),
    values: sql<TenantPage, ValueRow>(
      `select user_id, at, seq, local_date, ${VALUE}, ${ofCounted('metric')} from laurels.log
        where tenant_id = :tenant_id and (user_id, at, seq) > (:user_id, :at, :seq)
        order by user_id, at, seq limit :limit`,
    ),
    valuesOfUser: sql<LinesRead & { readonly metric: string }, ValueRow>(
      `select user_id, at, seq, local_date, ${VALUE}, ${ofCounted('metric', ' and metric = :metric')} from laurels.log
        where ${OF_USER} ${next}`,
    ),
    // Subqueries look up each line: for a join SQLite would read all lines of the tenant.
    entries: sql<{ readonly tenant_id: string; readonly ids: string }, FoundRow>(
      `select ids.value as entry_id, (select local_date ${found}) as local_date, (select user_id ${found}) as user_id,
          (select at ${found}) as at, (select seq ${found}) as seq, (select metric ${found} and ${EVENT}) as metric
        from ${traits.jsonList(':ids')} ids`,
    ),
  }
}

type LogReads = Pick<Storage, 'readLog' | 'readEvents' | 'eventValues' | 'findEntries' | 'heldEvents' | 'eventsBy'>

// No user has an empty id, so this place comes before all lines.
const FIRST_OF_ALL = { user: '', ...FIRST_LINE }

export function sqlLog(traits: SqlTraits): (log: LogQueries, database: SqlDatabase) => LogReads {
  const queries = readQueries(traits)
  return (log, { all, page, chunk }) => ({
    readLog: async (key, options = {}) => {
      const { newestFirst = false } = options
      const [read, order] = newestFirst ? ([log.readNewest, 'desc'] as const) : ([log.read, 'asc'] as const)
      return (await chunk(read, toLinesRead(key, options), LINE_TEXTS, order)).map(fromEntryRow)
    },
    readEvents: async (key, options) =>
      toLoggedEvents(await chunk(queries.events, toLinesRead(key, options), ['data'])),
    eventValues: async (tenant, { of, after, limit = CHUNK } = {}) => {
      const { user, at, seq } = after ?? { ...FIRST_OF_ALL, user: of?.user ?? '' }
      const asked = { tenant_id: tenant, user_id: user, at, seq, limit }
      const rows =
        of === undefined
          ? await page(queries.values, asked)
          : await all(queries.valuesOfUser, { ...asked, user_id: of.user, metric: of.metric })
      const last = rows.at(-1)
      return {
        values: rows.flatMap(toValue),
        last: last === undefined ? null : { user: last.user_id, at: last.at, seq: last.seq },
      }
    },
    findEntries: async (tenant, ids) => {
      const asked = JSON.stringify([...new Set(ids.map(toIdHex))])
      const rows = await all(queries.entries, { tenant_id: tenant, ids: asked })
      return rows.flatMap(({ entry_id, local_date: date, user_id: user, at, seq, metric }) =>
        date === null || user === null || at === null || seq === null
          ? []
          : [{ id: fromIdHex(entry_id), user, at, seq, date, metric }],
      )
    },
    heldEvents: async (tenant, { user = '', after, limit = CHUNK } = {}) => {
      const place = after ?? { user, ...FIRST_LINE }
      const asked = { tenant_id: tenant, user_id: place.user, at: place.at, seq: place.seq, limit }
      const rows = await all(user === '' ? queries.held : queries.heldOfUser, asked)
      return rows.flatMap((row) => {
        const event = fromEntryRow(row)
        return event.kind === 'eventRecorded' ? [{ user: row.user_id, event }] : []
      })
    },
    eventsBy: async (tenant, by, { after = FIRST_OF_ALL, limit = CHUNK } = {}) => {
      const asked = { tenant_id: tenant, by_key: by, user_id: after.user, at: after.at, seq: after.seq, limit }
      const rows = await all(queries.writtenBy, asked)
      return rows.map(({ user_id: user, at, seq, entry_id }) => ({ id: fromIdHex(entry_id), user, at, seq }))
    },
  })
}

function toValue({ user_id: user, metric: key, local_date: date, value, at, seq }: ValueRow): readonly LoggedValue[] {
  return key === null ? [] : [{ user, key, date, value: value ?? 0, at, seq }]
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
