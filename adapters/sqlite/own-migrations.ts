import { type Compilable, sql } from 'kysely'
import { KIND_IS_SOUND, KINDS_MIGRATION } from '../sql/api-key-kinds.ts'
import type { Migration } from '../sql/migrations.ts'

/** What SQLite does otherwise: a table that is there already can be given no check, so it is made again. */
export const sqliteMigrations: readonly Migration[] = [
  {
    name: KINDS_MIGRATION,
    build: ({ kysely }) => apiKeyKinds.map((text): Compilable => ({ compile: () => sql.raw(text).compile(kysely) })),
  },
]

const COLUMNS = 'id, prefix, hash, tenant_id, user_id, kind, status, created_at, last_used_at'

// By its own name from the start: views of the host's that read the table stay as they are. Released: not to be changed.
const apiKeyKinds: readonly string[] = [
  'create table laurels_api_keys_kept as select * from laurels_api_keys',
  'drop table laurels_api_keys',
  `create table laurels_api_keys (
    id text not null primary key,
    prefix text not null unique,
    hash text not null,
    tenant_id text,
    user_id text,
    kind text not null,
    status text not null,
    created_at integer not null,
    last_used_at integer,
    constraint laurels_api_keys_kind check (${KIND_IS_SOUND})
  ) strict, without rowid`,
  `insert into laurels_api_keys (${COLUMNS}) select ${COLUMNS} from laurels_api_keys_kept where ${KIND_IS_SOUND}`,
  'drop table laurels_api_keys_kept',
  `create index laurels_admin_keys on laurels_api_keys (created_at, id) where kind = 'admin'`,
]
