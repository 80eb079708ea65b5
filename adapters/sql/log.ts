import type { EntryRow } from './entry-rows.ts'
import { bindAll, type Statement, statement } from './statement.ts'
import type { LogTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export interface LogQueries {
  readonly append: Statement<LogTable, unknown>
  /** Dates a line anew; changes no row when there is none at this place. */
  readonly redate: Statement<Pick<LogTable, keyof UserColumns | 'at' | 'seq' | Dating>, unknown>
  readonly findByKey: Statement<
    UserColumns & { readonly metric: string; readonly idempotency_key: string },
    Pick<LogTable, 'entry_id'>
  >
  /** The lines after the given place, in order. */
  readonly read: Statement<
    UserColumns & { readonly at: number; readonly seq: number; readonly limit: number },
    EntryRow
  >
}

const DATING = ['epoch', 'zone', 'local_date', 'local_time'] as const
type Dating = (typeof DATING)[number]

const COLUMNS = [
  'at',
  'seq',
  'entry_id',
  'kind',
  'recorded_at',
  'profile',
  'metric',
  'value',
  'idempotency_key',
  'data',
  ...DATING,
] as const

export function logQueries(traits: SqlTraits): LogQueries {
  const { kysely } = traits
  return {
    append: statement(traits, (bind) =>
      kysely.insertInto('log').values(bindAll(bind, ['tenant_id', 'user_id', ...COLUMNS])),
    ),
    redate: statement(traits, (bind) =>
      kysely
        .updateTable('log')
        .set(bindAll(bind, DATING))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('at', '=', bind('at'))
        .where('seq', '=', bind('seq')),
    ),
    ...logReads(traits),
  }
}

function logReads(traits: SqlTraits): Pick<LogQueries, 'findByKey' | 'read'> {
  const { kysely } = traits
  return {
    findByKey: statement(traits, (bind) =>
      kysely
        .selectFrom('log')
        .select('entry_id')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('metric', '=', bind('metric'))
        .where('idempotency_key', '=', bind('idempotency_key')),
    ),
    read: statement(traits, (bind) =>
      kysely
        .selectFrom('log')
        .select(COLUMNS)
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where((eb) => eb(eb.refTuple('at', 'seq'), '>', eb.tuple(bind('at'), bind('seq'))))
        .orderBy('at')
        .orderBy('seq')
        .limit(bind('limit')),
    ),
  }
}
