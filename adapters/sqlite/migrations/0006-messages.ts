import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const messages: Migration = {
  name: '0006-messages',
  texts: [
    'alter table laurels_users add column told_until integer',
    'alter table laurels_users add column due_at integer',
    `create index laurels_users_due on laurels_users (due_at, tenant_id, user_id) where due_at is not null`,
    // Numbers never come again: who was told of one may ask for it after it was removed.
    `create table laurels_messages (
  number integer not null primary key autoincrement,
  message_id text not null,
  type text not null,
  at integer not null,
  tenant_id text not null,
  user_id text not null,
  data text not null,
  due integer,
  position integer
) strict`,
    'create unique index laurels_messages_placed on laurels_messages (position) where position is not null',
    'create index laurels_messages_next on laurels_messages (number) where position is null and due is null',
    `create index laurels_messages_due on laurels_messages (due, message_id, number)
  where position is null and due is not null`,
    'create index laurels_messages_old on laurels_messages (at) where position is not null',
    'create index laurels_messages_of_user on laurels_messages (tenant_id, user_id)',
    `create table laurels_outbox_head (
  id integer not null,
  position integer not null,
  constraint laurels_outbox_head_key primary key (id)
) strict, without rowid`,
    `create table laurels_documents (
  kind text not null,
  name text not null,
  text text,
  version integer not null,
  constraint laurels_documents_key primary key (kind, name)
) strict, without rowid`,
    `create table laurels_deliveries (
  receiver text not null,
  position integer not null,
  message_id text not null,
  type text not null,
  at integer not null,
  tenant_id text not null,
  user_id text not null,
  data text not null,
  state text not null,
  tries integer not null,
  next_at integer,
  log text not null,
  constraint laurels_deliveries_key primary key (receiver, position)
) strict, without rowid`,
    'create index laurels_deliveries_of_state on laurels_deliveries (receiver, state, position)',
    `create index laurels_deliveries_due on laurels_deliveries (next_at, position, receiver) where state = 'waiting'`,
    `create index laurels_deliveries_in_order on laurels_deliveries (receiver, tenant_id, user_id, position)
  where state = 'waiting'`,
    `create index laurels_deliveries_old on laurels_deliveries (at) where state <> 'waiting'`,
    'create index laurels_deliveries_of_user on laurels_deliveries (tenant_id, user_id)',
  ],
}
