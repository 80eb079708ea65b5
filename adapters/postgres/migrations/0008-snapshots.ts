import type { Migration } from '../../sql/traits.ts'
import { REMOVE_USER_V4 } from './0008-snapshots/remove-user-v4.ts'
import { SAVE_V8 } from './0008-snapshots/save-v8.ts'
import { SAVE_V9 } from './0008-snapshots/save-v9.ts'

/** Released: not to be changed. */
export const snapshots: Migration = {
  name: '0008-snapshots',
  texts: [
    `create table "laurels".snapshots (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  lines bigint not null,
  at bigint not null,
  seq bigint not null,
  since bigint not null,
  state text not null,
  constraint laurels_snapshots_key primary key (tenant_id, user_id, lines)
)`,
    SAVE_V8,
    SAVE_V9,
    REMOVE_USER_V4,
  ],
}
