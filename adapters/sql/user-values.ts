import type {
  AwardValues,
  AwardValuesOptions,
  EventValues,
  EventValuesOptions,
  UserValue,
} from '../../src/storage/storage.ts'
import { type AwardedRow, dateOfAward } from './awards.ts'
import { type SqlTraits, type Statement, statement } from './database.ts'
import { ofCounted } from './log.ts'
import type { LogTable } from './tables.ts'

export interface UserValueQueries {
  readonly ofEvents: Statement<EventValuesRead, EventValueRow>
  readonly ofAwards: Statement<AwardValuesRead, AwardValueRow>
}

type Read<Place> = Place & { readonly tenant_id: string; readonly limit: number }
export type EventValuesRead = Read<Required<EventValuesOptions>['after']>
export type AwardValuesRead = Read<Required<AwardValuesOptions>['after']>

/** `metric` null: the line is no event, or is void. */
export type EventValueRow = Pick<LogTable, 'user_id' | 'at' | 'seq' | 'local_date' | 'metric' | 'value'>
export type AwardValueRow = AwardedRow & { readonly user_id: string; readonly system: string }

export function userValueQueries(traits: SqlTraits): UserValueQueries {
  const { kysely } = traits
  const place = ['awards.user_id', 'awards.system', 'awards.at', 'awards.seq', 'awards.ordinal'] as const
  return {
    ofEvents: statement(traits, (bind) =>
      kysely
        .selectFrom('log')
        .select(['user_id', 'at', 'seq', 'local_date', 'value'])
        .select(ofCounted('metric'))
        .where('tenant_id', '=', bind('tenant_id'))
        .where((eb) => eb(eb.refTuple('user_id', 'at', 'seq'), '>', eb.tuple(bind('user'), bind('at'), bind('seq'))))
        .orderBy('user_id')
        .orderBy('at')
        .orderBy('seq')
        .limit(bind('limit')),
    ),
    ofAwards: statement(traits, (bind) =>
      kysely
        .selectFrom('awards')
        .select([...place, 'awards.awarded', dateOfAward])
        .where('awards.tenant_id', '=', bind('tenant_id'))
        .where((eb) =>
          eb(
            eb.refTuple(...place),
            '>',
            eb.tuple(bind('user'), bind('system'), bind('at'), bind('seq'), bind('ordinal')),
          ),
        )
        .orderBy('awards.user_id')
        .orderBy('awards.system')
        .orderBy('awards.at')
        .orderBy('awards.seq')
        .orderBy('awards.ordinal')
        .limit(bind('limit')),
    ),
  }
}

const CHUNK = 1_000
const FIRST = { user: '', at: Number.MIN_SAFE_INTEGER, seq: 0 }

export function toEventValuesRead(
  tenant: string,
  { after = FIRST, limit = CHUNK }: EventValuesOptions = {},
): EventValuesRead {
  return { ...after, tenant_id: tenant, limit }
}

export function toAwardValuesRead(
  tenant: string,
  { after = { ...FIRST, system: '', ordinal: 0 }, limit = CHUNK }: AwardValuesOptions = {},
): AwardValuesRead {
  return { ...after, tenant_id: tenant, limit }
}

export function toEventValues(rows: readonly EventValueRow[]): EventValues {
  const values: UserValue[] = []
  for (const { user_id: user, metric: key, local_date: date, value } of rows)
    if (key !== null) values.push({ user, key, date, value: value ?? 0 })
  const last = rows.at(-1)
  return { values, last: last === undefined ? null : { user: last.user_id, at: last.at, seq: last.seq } }
}

export function toAwardValues(rows: readonly AwardValueRow[]): AwardValues {
  const values: UserValue[] = []
  for (const { user_id: user, system: key, local_date: date, awarded: value } of rows)
    if (date !== null) values.push({ user, key, date, value })
  const last = rows.at(-1)
  if (last === undefined) return { values, last: null }
  const { user_id: user, system, at, seq, ordinal } = last
  return { values, last: { user, system, at, seq, ordinal } }
}
