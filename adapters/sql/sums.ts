import { type RawBuilder, sql } from 'kysely'
import type { AwardSums, AwardSumsOptions, DateRange, EventSums, EventSumsOptions, Sums } from '../../src/storage.ts'
import { dateOfAward } from './awards.ts'
import { ofCounted } from './log.ts'
import { type Bind, type Statement, statement } from './statement.ts'
import type { SqlTraits } from './traits.ts'

/** Queries that count and sum up this many ranges of dates. */
export interface SumQueries {
  ofEvents(ranges: number): Statement<EventSumsRead, EventSumRow>
  ofAwards(ranges: number): Statement<AwardSumsRead, AwardSumRow>
}

/** The first and the last date of each range. */
type RangesRead = { readonly [date in `from_${number}` | `to_${number}`]: number }

export type EventSumsRead = RangesRead &
  Required<EventSumsOptions>['after'] & { readonly tenant_id: string; readonly limit: number }

export type AwardSumsRead = RangesRead &
  Required<AwardSumsOptions>['after'] & { readonly tenant_id: string; readonly limit: number }

/** The columns that count and sum up each range. */
type RangesSummed = { readonly [column in `count_${number}` | `sum_${number}`]: number }

/**
 * The sums of one user and metric. `last_at` and `last_seq` are those of the last line of a full page, in the row of
 * that line's metric; in all other rows they are null.
 */
export type EventSumRow = RangesSummed & {
  readonly user_id: string
  /** null: the line is no event, or is void. */
  readonly metric: string | null
  readonly last_at: number | null
  readonly last_seq: number | null
}

export type AwardSumRow = RangesSummed & {
  readonly user_id: string
  readonly system: string
  readonly last_at: number | null
  readonly last_seq: number | null
  readonly last_ordinal: number | null
}

export function sumQueries(traits: SqlTraits): SumQueries {
  return {
    ofEvents: onceEach((ranges) => statement(traits, (bind) => eventSums(traits, bind, ranges))),
    ofAwards: onceEach((ranges) => statement(traits, (bind) => awardSums(traits, bind, ranges))),
  }
}

/** A query that is made when it is first asked for. */
function onceEach<T>(make: (ranges: number) => T): (ranges: number) => T {
  const made = new Map<number, T>()
  return (ranges) => {
    const known = made.get(ranges) ?? make(ranges)
    made.set(ranges, known)
    return known
  }
}

function eventSums({ kysely }: SqlTraits, bind: Bind<EventSumsRead>, ranges: number) {
  const lines = kysely
    .selectFrom('log')
    .select(['user_id', 'at', 'seq', 'local_date', 'value'])
    .select(ofCounted('metric'))
    .where('tenant_id', '=', bind('tenant_id'))
    .where((eb) => eb(eb.refTuple('user_id', 'at', 'seq'), '>', eb.tuple(bind('user'), bind('at'), bind('seq'))))
    .orderBy('user_id')
    .orderBy('at')
    .orderBy('seq')
    .limit(bind('limit'))
  const numbered = kysely
    .selectFrom(lines.as('line'))
    .selectAll('line')
    .select(sql<number>`row_number() over (order by user_id, at, seq)`.as('number'))
  return kysely
    .selectFrom(numbered.as('numbered'))
    .select(['user_id', 'metric', lastOf(bind('limit'), 'at'), lastOf(bind('limit'), 'seq')])
    .select(columnsOf(bind, ranges, sql.ref('value')))
    .groupBy(['user_id', 'metric'])
    .orderBy('user_id')
    .$castTo<EventSumRow>()
}

function awardSums({ kysely }: SqlTraits, bind: Bind<AwardSumsRead>, ranges: number) {
  const place = ['awards.user_id', 'awards.system', 'awards.at', 'awards.seq', 'awards.ordinal'] as const
  const awards = kysely
    .selectFrom('awards')
    .select([...place, 'awards.awarded', dateOfAward])
    .where('awards.tenant_id', '=', bind('tenant_id'))
    .where((eb) =>
      eb(eb.refTuple(...place), '>', eb.tuple(bind('user'), bind('system'), bind('at'), bind('seq'), bind('ordinal'))),
    )
    .orderBy('awards.user_id')
    .orderBy('awards.system')
    .orderBy('awards.at')
    .orderBy('awards.seq')
    .orderBy('awards.ordinal')
    .limit(bind('limit'))
  const numbered = kysely
    .selectFrom(awards.as('award'))
    .selectAll('award')
    .select(sql<number>`row_number() over (order by user_id, system, at, seq, ordinal)`.as('number'))
  return kysely
    .selectFrom(numbered.as('numbered'))
    .select(['user_id', 'system'])
    .select([lastOf(bind('limit'), 'at'), lastOf(bind('limit'), 'seq'), lastOf(bind('limit'), 'ordinal')])
    .select(columnsOf(bind, ranges, sql.ref('awarded')))
    .groupBy(['user_id', 'system'])
    .orderBy('user_id')
    .$castTo<AwardSumRow>()
}

/** A column of the last row of a full page. */
function lastOf<Column extends 'at' | 'seq' | 'ordinal'>(limit: RawBuilder<number>, column: Column) {
  return sql<number | null>`max(case when number = ${limit} then ${sql.ref(column)} end)`.as(`last_${column}` as const)
}

function columnsOf(bind: Bind<RangesRead>, ranges: number, value: RawBuilder<unknown>) {
  return Array.from({ length: ranges }, (_, range) => {
    const isWithin = sql`local_date between ${bind(`from_${range}`)} and ${bind(`to_${range}`)}`
    return [
      sql<number>`count(case when ${isWithin} then 1 end)`.as(`count_${range}`),
      sql<number>`sum(case when ${isWithin} then ${value} else 0 end)`.as(`sum_${range}`),
    ]
  }).flat()
}

const CHUNK = 1_000
const FIRST = { user: '', at: Number.MIN_SAFE_INTEGER, seq: 0 }

export function toEventSumsRead(
  tenant: string,
  ranges: readonly DateRange[],
  { after = FIRST, limit = CHUNK }: EventSumsOptions = {},
): EventSumsRead {
  return { ...toRangesRead(ranges), ...after, tenant_id: tenant, limit }
}

export function toAwardSumsRead(
  tenant: string,
  ranges: readonly DateRange[],
  { after = { ...FIRST, system: '', ordinal: 0 }, limit = CHUNK }: AwardSumsOptions = {},
): AwardSumsRead {
  return { ...toRangesRead(ranges), ...after, tenant_id: tenant, limit }
}

function toRangesRead(ranges: readonly DateRange[]): RangesRead {
  return Object.fromEntries(
    ranges.flatMap(({ from, to }, range) => [
      [`from_${range}`, from],
      [`to_${range}`, to],
    ]),
  )
}

export function toEventSums(rows: readonly EventSumRow[], ranges: number): EventSums {
  const sums = rows.flatMap((row) => (row.metric === null ? [] : toSums(row, row.metric, ranges)))
  for (const { user_id, last_at: at, last_seq: seq } of rows) {
    if (at !== null && seq !== null) return { sums, last: { user: user_id, at, seq } }
  }
  return { sums, last: null }
}

export function toAwardSums(rows: readonly AwardSumRow[], ranges: number): AwardSums {
  const sums = rows.flatMap((row) => toSums(row, row.system, ranges))
  for (const { user_id, system, last_at: at, last_seq: seq, last_ordinal: ordinal } of rows) {
    if (at !== null && seq !== null && ordinal !== null)
      return { sums, last: { user: user_id, system, at, seq, ordinal } }
  }
  return { sums, last: null }
}

function toSums(row: RangesSummed & { readonly user_id: string }, key: string, ranges: number): readonly Sums[] {
  const counted = Array.from({ length: ranges }, (_, range) => ({
    count: row[`count_${range}`] ?? 0,
    sum: row[`sum_${range}`] ?? 0,
  }))
  return counted.some(({ count }) => count > 0) ? [{ user: row.user_id, key, ranges: counted }] : []
}
