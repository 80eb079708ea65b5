import type { Migration } from '../../sql/traits.ts'
import { PLACE_MESSAGES_V1 } from './0006-messages/place-messages-v1.ts'
import { REMOVE_USER_V3 } from './0006-messages/remove-user-v3.ts'
import { REPLACE_MESSAGES_V1 } from './0006-messages/replace-messages-v1.ts'
import { SAVE_V7 } from './0006-messages/save-v7.ts'
import { TIDY_BLOCKS_V2 } from './0006-messages/tidy-blocks-v2.ts'

/** Released: not to be changed. */
export const messages: Migration = {
  name: '0006-messages',
  texts: [
    `alter table "laurels".users
  add column told_until bigint,
  add column due_at bigint`,
    'create index laurels_users_due on "laurels".users (due_at, tenant_id, user_id) where due_at is not null',
    `create table "laurels".messages (
  number bigint generated always as identity,
  message_id text collate "C" not null,
  type text collate "C" not null,
  at bigint not null,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  data text not null,
  due bigint,
  position bigint,
  constraint laurels_messages_key primary key (number)
)`,
    'create unique index laurels_messages_placed on "laurels".messages (position) where position is not null',
    'create index laurels_messages_next on "laurels".messages (number) where position is null and due is null',
    `create index laurels_messages_due on "laurels".messages (due, message_id, number)
  where position is null and due is not null`,
    'create index laurels_messages_old on "laurels".messages (at) where position is not null',
    'create index laurels_messages_of_user on "laurels".messages (tenant_id, user_id)',
    `create table "laurels".outbox_head (
  id bigint not null,
  position bigint not null,
  constraint laurels_outbox_head_key primary key (id)
)`,
    `create table "laurels".documents (
  kind text collate "C" not null,
  name text collate "C" not null,
  text text,
  version bigint not null,
  constraint laurels_documents_key primary key (kind, name)
)`,
    `create table "laurels".deliveries (
  receiver text collate "C" not null,
  position bigint not null,
  message_id text collate "C" not null,
  type text collate "C" not null,
  at bigint not null,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  data text not null,
  state text collate "C" not null,
  tries bigint not null,
  next_at bigint,
  log text not null,
  constraint laurels_deliveries_key primary key (receiver, position)
)`,
    'create index laurels_deliveries_of_state on "laurels".deliveries (receiver, state, position)',
    `create index laurels_deliveries_due on "laurels".deliveries (next_at, position, receiver) where state = 'waiting'`,
    `create index laurels_deliveries_in_order on "laurels".deliveries (receiver, tenant_id, user_id, position)
  where state = 'waiting'`,
    `create index laurels_deliveries_old on "laurels".deliveries (at) where state <> 'waiting'`,
    'create index laurels_deliveries_of_user on "laurels".deliveries (tenant_id, user_id)',
    SAVE_V7,
    PLACE_MESSAGES_V1,
    REPLACE_MESSAGES_V1,
    REMOVE_USER_V3,
    TIDY_BLOCKS_V2,
  ],
}
