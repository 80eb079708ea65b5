import type { Migration } from '../sql/traits.ts'
import { tables } from './migrations/0001-tables.ts'
import { views } from './migrations/0002-views.ts'
import { streakRankings } from './migrations/0003-streak-rankings.ts'
import { users } from './migrations/0004-users.ts'
import { mechanics } from './migrations/0005-mechanics.ts'
import { messages } from './migrations/0006-messages.ts'
import { overview } from './migrations/0007-overview.ts'
import { snapshots } from './migrations/0008-snapshots.ts'
import { rankSets } from './migrations/0009-rank-sets.ts'
import { lockedGroups } from './migrations/0010-locked-groups.ts'
import { typedRows } from './migrations/0011-typed-rows.ts'
import { packedRows } from './migrations/0012-packed-rows.ts'

/** Safe to run again. */
export const POSTGRES_MIGRATIONS_TABLE =
  'create table if not exists "laurels".migrations (name text collate "C" not null primary key)'

/** In order, as texts for `inSchema`. A change is a new migration at the end. */
export const POSTGRES_MIGRATIONS: readonly Migration[] = [
  tables,
  views,
  streakRankings,
  users,
  mechanics,
  messages,
  overview,
  snapshots,
  rankSets,
  lockedGroups,
  typedRows,
  packedRows,
]
