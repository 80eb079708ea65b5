import type { AwardedValues, AwardPlace, LoggedValue, ReadAwardedOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { type Statement, statement } from './statement.ts'
import type { AwardsTable, LogTable, UserColumns } from './tables.ts'
import { toDay } from './text.ts'
import type { SqlTraits } from './traits.ts'
import { toUserColumns } from './user-rows.ts'

export type AwardRow = Omit<AwardsTable, keyof UserColumns>

type Newest = UserColumns & { readonly limit: number }

export interface AwardQueries {
  /** Newest first, as the next one. */
  readonly ofSystem: Statement<Newest & Pick<AwardsTable, 'system'>, AwardRow>
  readonly ofUser: Statement<Newest, AwardRow>
  /** What the awards of a system after the given place gave, in order. */
  readonly readAwarded: Statement<AwardsRead, AwardedRow>
}

/** Which awards are asked for: so many of a system after a place. */
export type AwardsRead = UserColumns & AwardPlace & { readonly system: string; readonly limit: number }

export type AwardedRow = AwardPlace & Pick<AwardsTable, 'awarded'> & Pick<LogTable, 'local_date'>

const COLUMNS = ['award_id', 'system', 'trigger_id', 'entry_id', 'at', 'seq', 'ordinal', 'awarded', 'total'] as const

export function awardQueries(traits: SqlTraits): AwardQueries {
  const { kysely } = traits
  const newest = kysely
    .selectFrom('awards')
    .select(COLUMNS)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .orderBy('ordinal', 'desc')
  return {
    readAwarded: readAwarded(traits),
    ofSystem: statement(traits, (bind) =>
      newest
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('system', '=', bind('system'))
        .limit(bind('limit')),
    ),
    ofUser: statement(traits, (bind) =>
      newest.where('tenant_id', '=', bind('tenant_id')).where('user_id', '=', bind('user_id')).limit(bind('limit')),
    ),
  }
}

function readAwarded(traits: SqlTraits): AwardQueries['readAwarded'] {
  return statement<AwardsRead, AwardedRow>(traits, (bind) =>
    traits.kysely
      .selectFrom('awards')
      .innerJoin('log', (join) =>
        join
          .onRef('log.tenant_id', '=', 'awards.tenant_id')
          .onRef('log.user_id', '=', 'awards.user_id')
          .onRef('log.at', '=', 'awards.at')
          .onRef('log.seq', '=', 'awards.seq'),
      )
      .select(['awards.at', 'awards.seq', 'awards.ordinal', 'awards.awarded', 'log.local_date'])
      .where('awards.tenant_id', '=', bind('tenant_id'))
      .where('awards.user_id', '=', bind('user_id'))
      .where('awards.system', '=', bind('system'))
      .where((eb) =>
        eb(
          eb.refTuple('awards.at', 'awards.seq', 'awards.ordinal'),
          '>',
          eb.tuple(bind('at'), bind('seq'), bind('ordinal')),
        ),
      )
      .orderBy('awards.at')
      .orderBy('awards.seq')
      .orderBy('awards.ordinal')
      .limit(bind('limit')),
  )
}

const CHUNK = 1_000
const FIRST_AWARD: AwardPlace = { at: Number.MIN_SAFE_INTEGER, seq: 0, ordinal: 0 }

export function toAwardsRead(
  key: UserKey,
  system: string,
  { after = FIRST_AWARD, limit = CHUNK }: ReadAwardedOptions = {},
): AwardsRead {
  const { at, seq, ordinal } = after
  return { ...toUserColumns(key), system, at, seq, ordinal, limit }
}

export function toAwardedValues(rows: readonly AwardedRow[]): AwardedValues {
  const values = rows.map(({ local_date, awarded }): LoggedValue => ({ date: toDay(local_date), value: awarded }))
  const last = rows.at(-1)
  return { values, last: last === undefined ? null : { at: last.at, seq: last.seq, ordinal: last.ordinal } }
}
