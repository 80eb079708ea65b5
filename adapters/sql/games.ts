import { bindAll, type Statement, statement } from './statement.ts'
import type { GamesTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

type None = Readonly<Record<string, never>>

export interface GameQueries {
  readonly all: Statement<None, GamesTable>
  /** `epoch` is null without any game. */
  readonly newest: Statement<None, { readonly epoch: number | null }>
  readonly insert: Statement<GamesTable, unknown>
}

const COLUMNS = ['epoch', 'fingerprint', 'definition', 'policy', 'created_at'] as const

export function gameQueries(traits: SqlTraits): GameQueries {
  const { kysely } = traits
  return {
    all: statement(traits, () => kysely.selectFrom('games').select(COLUMNS).orderBy('epoch')),
    newest: statement(traits, () => kysely.selectFrom('games').select((eb) => eb.fn.max('epoch').as('epoch'))),
    insert: statement(traits, (bind) => kysely.insertInto('games').values(bindAll(bind, COLUMNS))),
  }
}
