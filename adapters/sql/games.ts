import { sql } from 'kysely'
import { GamificationError } from '../../src/errors.ts'
import type { StoredGame } from '../../src/storage.ts'
import type { SqlDatabase } from './database.ts'
import { columnList, rawStatement, tableOf } from './row-queries.ts'
import { type Statement, statement } from './statement.ts'
import type { GamesTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

type None = Readonly<Record<string, never>>

export interface GameQueries {
  readonly all: Statement<None, GamesTable>
  /** `epoch` is null without any game. */
  readonly newest: Statement<None, { readonly epoch: number | null }>
  /** Inserts nothing, and returns no row, unless the epoch is the next one. */
  readonly insert: Statement<GamesTable, Pick<GamesTable, 'epoch'>>
}

const COLUMNS = ['epoch', 'fingerprint', 'definition', 'policy', 'created_at'] as const

export function gameQueries(traits: SqlTraits): GameQueries {
  const { kysely } = traits
  return {
    all: statement(traits, () => kysely.selectFrom('games').select(COLUMNS).orderBy('epoch')),
    newest: statement(traits, () => kysely.selectFrom('games').select((eb) => eb.fn.max('epoch').as('epoch'))),
    insert: rawStatement(traits, (bind) => {
      const games = tableOf('games')
      const epoch = sql`cast(${bind('epoch')} as bigint)`
      const values = sql`${epoch}, ${bind('fingerprint')}, ${bind('definition')}, ${bind('policy')}`
      return sql`insert into ${games} (${columnList(COLUMNS)})
        select ${values}, cast(${bind('created_at')} as bigint)
          where ${epoch} = coalesce((select max(epoch) from ${games}), 0) + 1
          on conflict do nothing returning epoch`
    }),
  }
}

export function toGames(rows: readonly GamesTable[]): readonly StoredGame[] {
  return rows.map(({ created_at, ...game }) => ({ ...game, createdAt: created_at }))
}

export async function addGame(queries: GameQueries, { all, change }: SqlDatabase, game: StoredGame): Promise<boolean> {
  const { createdAt, ...columns } = game
  const added = await change(queries.insert, { ...columns, created_at: createdAt })
  if (added.length > 0) return true
  const [newest] = await all(queries.newest, {})
  const epoch = newest?.epoch ?? 0
  if (game.epoch <= epoch + 1) return false
  throw new GamificationError('internal', `Epoch ${game.epoch} does not follow epoch ${epoch}.`)
}
