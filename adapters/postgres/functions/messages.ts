import type { Columns, SavedTable } from '../columns.ts'
import { MESSAGES } from '../columns.ts'
import { quote } from '../quote.ts'
import { PLAN_SMALL, PLANNING, recordset, TAG, withTag } from './text.ts'

/** What is inserted of a message: the database numbers it. */
const { key: _, values }: SavedTable = MESSAGES
const { position: __, ...NEW } = values
const NAMES = Object.keys(NEW)
export const TOLD: Columns = { tenant_id: 'text', user_id: 'text', told_until: 'bigint', due_at: 'bigint' }

/** Rows of `doc->'messages'`, by their places in the list, are inserted in that order: it is the one of their numbers. */
export function insertMessages(schema: string, condition: string): string {
  return `insert into ${quote(schema)}.messages (${NAMES.join(', ')})
      select ${NAMES.map((name) => `r.${name}`).join(', ')} from ${recordset('messages', { place: 'bigint', ...NEW })}
        where ${condition} order by r.n, r.place`
}

/**
 * Gives the next positions to messages that are visible and have none. Whoever holds the head is alone, and the second
 * statement sees whatever was committed before it began: nothing that becomes visible later gets a position below. Rows
 * that somebody removes are passed over, not waited for: all of one user's are removed together.
 */
export function placeFunction(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  return withTag(`
create or replace function ${table('place_messages')}(most bigint) returns bigint language plpgsql
  set lock_timeout = '5s' ${PLANNING} ${PLAN_SMALL} as ${TAG}
declare
  head bigint;
  placed bigint;
begin
  if not exists (select from ${table('messages')} where position is null and due is null) then return 0; end if;
  select position into head from ${table('outbox_head')} where id = 1 for update;
  if not found then
    insert into ${table('outbox_head')} (id, position)
      select 1, coalesce(max(position), 0) from ${table('messages')} where position is not null on conflict do nothing;
    select position into head from ${table('outbox_head')} where id = 1 for update;
  end if;
  with next as (
    select number from ${table('messages')} where position is null and due is null
      order by number limit most for no key update skip locked
  ), numbered as (
    select number, row_number() over (order by number) as place from next
  )
  update ${table('messages')} m set position = head + n.place from numbered n where m.number = n.number;
  get diagnostics placed = row_count;
  update ${table('outbox_head')} set position = head + placed where id = 1;
  return placed;
end
${TAG}`)
}

/** Puts messages in the place of others: `{ remove, messages }`. Locks in the order of all who write: users, then messages. */
export function replaceMessagesFunction(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const written = recordset('messages', { tenant_id: 'text', user_id: 'text' })
  return withTag(`
create or replace function ${table('replace_messages')}(input text) returns boolean language plpgsql
  set lock_timeout = '5s' ${PLANNING} ${PLAN_SMALL} as ${TAG}
declare
  doc constant jsonb := input;
  gone bigint[];
  rows bigint;
begin
  select coalesce(array_agg(n::bigint), '{}') into gone from jsonb_array_elements_text(doc->'remove') as n;
  -- Whoever removes one of these users removes what is written here too.
  perform 1 from ${table('users')} u
    join (select distinct r.tenant_id, r.user_id from ${written} where r.user_id <> '') w
      on u.tenant_id = w.tenant_id and u.user_id = w.user_id
    order by u.tenant_id, u.user_id for key share of u;
  get diagnostics rows = row_count;
  if rows <> (select count(*) from (select distinct r.tenant_id, r.user_id from ${written} where r.user_id <> '') w) then
    return false;
  end if;
  perform 1 from ${table('messages')} where number = any(gone) and position is null order by number for update;
  get diagnostics rows = row_count;
  if rows <> cardinality(gone) then return false; end if;
  delete from ${table('messages')} where number = any(gone);
  ${insertMessages(schema, 'true')};
  return true;
end
${TAG}`)
}
