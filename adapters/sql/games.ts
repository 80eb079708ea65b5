import { GamificationError } from '../../src/errors.ts'
import type { Storage, StoredGame } from '../../src/storage/storage.ts'
import { compiler, type SqlDatabase, type SqlTraits, type Statement } from './database.ts'
import type { GamesTable } from './tables.ts'

type None = Readonly<Record<string, never>>

const COLUMNS = ['epoch', 'fingerprint', 'definition', 'policy', 'created_at'] as const

export interface GameQueries {
  readonly all: Statement<None, GamesTable>
  /** `epoch` is null without any game. */
  readonly newest: Statement<None, { readonly epoch: number | null }>
  /** Inserts nothing, and returns no row, unless the epoch is the next one. */
  readonly insert: Statement<GamesTable, Pick<GamesTable, 'epoch'>>
}

export function gameQueries(traits: SqlTraits): GameQueries {
  const sql = compiler(traits)
  const epoch = 'cast(:epoch as bigint)'
  return {
    all: sql(() => traits.kysely.selectFrom('games').select(COLUMNS).orderBy('epoch')),
    newest: sql(() => traits.kysely.selectFrom('games').select(({ fn }) => fn.max('epoch').as('epoch'))),
    insert: sql(`insert into laurels.games (${COLUMNS.join(', ')})
      select ${epoch}, :fingerprint, :definition, :policy, cast(:created_at as bigint)
        where ${epoch} = coalesce((select max(epoch) from laurels.games), 0) + 1
        on conflict do nothing returning epoch`),
  }
}

export function toGames(rows: readonly GamesTable[]): readonly StoredGame[] {
  return rows.map(({ created_at, ...game }) => ({ ...game, createdAt: created_at }))
}

export function sqlGames(queries: GameQueries, { all, change }: SqlDatabase): Pick<Storage, 'games' | 'addGame'> {
  return {
    games: async () => toGames(await all(queries.all, {})),
    addGame: async ({ createdAt, ...columns }) => {
      const added = await change(queries.insert, { ...columns, created_at: createdAt })
      if (added.length > 0) return true
      const [newest] = await all(queries.newest, {})
      const epoch = newest?.epoch ?? 0
      if (columns.epoch <= epoch + 1) return false
      throw new GamificationError('internal', `Epoch ${columns.epoch} does not follow epoch ${epoch}.`)
    },
  }
}
