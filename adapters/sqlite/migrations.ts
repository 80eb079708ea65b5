import type { Migration } from '../sql/traits.ts'
import { tables } from './migrations/0001-tables.ts'
import { views } from './migrations/0002-views.ts'
import { streakRankings } from './migrations/0003-streak-rankings.ts'
import { users } from './migrations/0004-users.ts'
import { mechanics } from './migrations/0005-mechanics.ts'
import { messages } from './migrations/0006-messages.ts'
import { overview } from './migrations/0007-overview.ts'
import { snapshots } from './migrations/0008-snapshots.ts'
import { packedRows } from './migrations/0009-packed-rows.ts'

/** Safe to run again. */
export const SQLITE_MIGRATIONS_TABLE =
  'create table if not exists "laurels_migrations" ("name" text not null primary key) strict, without rowid'

/** In order. A change is a new migration at the end. */
export const SQLITE_MIGRATIONS: readonly Migration[] = [
  tables,
  views,
  streakRankings,
  users,
  mechanics,
  messages,
  overview,
  snapshots,
  packedRows,
]
