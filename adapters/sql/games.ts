import { sql } from 'kysely'
import { GamificationError } from '../../src/errors.ts'
import type { StoredGame } from '../../src/storage/storage.ts'
import {
  columnList,
  rawStatement,
  type SqlDatabase,
  type SqlTraits,
  type Statement,
  statement,
  tableOf,
} from './database.ts'
import type { DocumentsTable, GamesTable } from './tables.ts'

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

export type DocumentRow = DocumentsTable & { readonly text: string }

/** The row of a removed document keeps its version, without a text, so that no version comes twice. */
export interface DocumentQueries {
  readonly ofKind: Statement<Pick<DocumentsTable, 'kind'>, DocumentRow>
  readonly one: Statement<Pick<DocumentsTable, 'kind' | 'name'>, DocumentRow>
  /** These three answer a row where they have written. */
  readonly create: Statement<Pick<DocumentRow, 'kind' | 'name' | 'text'>, unknown>
  readonly replace: Statement<DocumentRow, unknown>
  readonly remove: Statement<Omit<DocumentsTable, 'text'>, unknown>
}

export function documentQueries(traits: SqlTraits): DocumentQueries {
  const documents = tableOf('documents')
  const columns = sql`kind, name, text, version`
  return {
    ofKind: rawStatement(
      traits,
      (bind) =>
        sql`select ${columns} from ${documents} where kind = ${bind('kind')} and text is not null order by name`,
    ),
    one: rawStatement(
      traits,
      (bind) => sql`select ${columns} from ${documents}
        where kind = ${bind('kind')} and name = ${bind('name')} and text is not null`,
    ),
    create: rawStatement(
      traits,
      (bind) => sql`insert into ${documents} as d (kind, name, text, version)
        values (${bind('kind')}, ${bind('name')}, ${bind('text')}, 1)
        on conflict (kind, name) do update set text = excluded.text, version = d.version + 1 where d.text is null
        returning version`,
    ),
    replace: rawStatement(
      traits,
      (bind) => sql`update ${documents} set text = ${bind('text')}, version = version + 1
        where kind = ${bind('kind')} and name = ${bind('name')} and version = ${bind('version')} and text is not null
        returning version`,
    ),
    remove: rawStatement(
      traits,
      (bind) => sql`update ${documents} set text = null
        where kind = ${bind('kind')} and name = ${bind('name')} and version = ${bind('version')} and text is not null
        returning version`,
    ),
  }
}
