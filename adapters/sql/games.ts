import { GamificationError } from '../../src/errors.ts'
import type { Storage, StoredGame } from '../../src/storage/storage.ts'
import type { MethodsOf } from './calls.ts'
import { type None, type SqlDatabase, type Statement, statement } from './database.ts'
import type { GamesTable } from './tables.ts'

export const ALL_GAMES: Statement<None, StoredGame> = statement(({ kysely }) =>
  kysely
    .selectFrom('games')
    .select(['epoch', 'fingerprint', 'definition', 'policy', 'created_at as createdAt'])
    .orderBy('epoch'),
)

/** `epoch` is null without any game. */
export const NEWEST_EPOCH: Statement<None, { readonly epoch: number | null }> = statement(({ kysely }) =>
  kysely.selectFrom('games').select(({ fn }) => fn.max('epoch').as('epoch')),
)

const EPOCH = 'cast(:epoch as bigint)'

/** Inserts nothing, and returns no row, unless the epoch is the next one. */
const INSERT = statement<GamesTable, Pick<GamesTable, 'epoch'>>(
  `insert into laurels.games (epoch, fingerprint, definition, policy, created_at)
    select ${EPOCH}, :fingerprint, :definition, :policy, cast(:created_at as bigint)
      where ${EPOCH} = coalesce((select max(epoch) from laurels.games), 0) + 1
      on conflict do nothing returning epoch`,
)

export const GAMES: MethodsOf<SqlDatabase, Pick<Storage, 'games' | 'addGame'>> = {
  games: ({ all }) => all(ALL_GAMES, {}),
  addGame: async ({ all, change }, { createdAt, ...columns }) => {
    const added = await change(INSERT, { ...columns, created_at: createdAt })
    if (added.length > 0) return true
    const [newest] = await all(NEWEST_EPOCH, {})
    const epoch = newest?.epoch ?? 0
    if (columns.epoch <= epoch + 1) return false
    throw new GamificationError('internal', `Epoch ${columns.epoch} does not follow epoch ${epoch}.`)
  },
}
