import type { Counters, StoredGame } from '../../src/storage.ts'
import { type Statement, statement } from './statement.ts'
import type { CountersTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

type None = Readonly<Record<string, never>>

/** What was found where a database is to be. */
export interface Findings {
  /** Whether there is anything; where there is not, it can be made. */
  readonly exists: boolean
  /** Names of the migrations, in order. */
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** null where no migration has been applied. */
  readonly contents: Contents | null
}

/** Counts are over all tenants. */
export interface Contents {
  readonly games: readonly StoredGame[]
  readonly users: number
  readonly logEntries: number
  readonly counters: Counters
}

/** What is in the tables, over all tenants. These read whole tables: for people, not for calls. */
export interface InspectionQueries {
  readonly users: Statement<None, { readonly count: number }>
  readonly logEntries: Statement<None, { readonly count: number }>
  readonly counters: Statement<None, Omit<CountersTable, 'tenant_id'>>
}

export function inspectionQueries(traits: SqlTraits): InspectionQueries {
  const { kysely } = traits
  return {
    users: statement(traits, () => kysely.selectFrom('users').select((eb) => eb.fn.countAll<number>().as('count'))),
    logEntries: statement(traits, () => kysely.selectFrom('log').select((eb) => eb.fn.countAll<number>().as('count'))),
    counters: statement(traits, () =>
      kysely
        .selectFrom('counters')
        .select((eb) => ['kind', 'key', eb.fn.sum<number>('count').as('count')])
        .groupBy(['kind', 'key'])
        .orderBy('kind')
        .orderBy('key'),
    ),
  }
}
