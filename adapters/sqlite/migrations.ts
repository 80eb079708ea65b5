import type { Migration } from '../sql/traits.ts'
import { tables } from './migrations/0001-tables.ts'
import { views } from './migrations/0002-views.ts'
import { streakRankings } from './migrations/0003-streak-rankings.ts'
import { limits } from './migrations/0004-limits.ts'

/** Safe to run again. */
export const SQLITE_MIGRATIONS_TABLE =
  'create table if not exists "laurels_migrations" ("name" text not null primary key) strict, without rowid'

/** In order. A change is a new migration at the end. */
export const SQLITE_MIGRATIONS: readonly Migration[] = [tables, views, streakRankings, limits]
