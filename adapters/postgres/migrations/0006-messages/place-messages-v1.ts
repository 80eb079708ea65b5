/** Released: not to be changed. */
export const PLACE_MESSAGES_V1: string = `create or replace function "laurels".place_messages_v1(most bigint) returns bigint language plpgsql
  set lock_timeout = '5s' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
declare
  head bigint;
  placed bigint;
begin
  if not exists (select from "laurels".messages where position is null and due is null) then return 0; end if;
  select position into head from "laurels".outbox_head where id = 1 for update;
  if not found then
    insert into "laurels".outbox_head (id, position)
      select 1, coalesce(max(position), 0) from "laurels".messages where position is not null on conflict do nothing;
    select position into head from "laurels".outbox_head where id = 1 for update;
  end if;
  with next as (
    select number from "laurels".messages where position is null and due is null
      order by number limit most for no key update skip locked
  ), numbered as (
    select number, row_number() over (order by number) as place from next
  )
  update "laurels".messages m set position = head + n.place from numbered n where m.number = n.number;
  get diagnostics placed = row_count;
  update "laurels".outbox_head set position = head + placed where id = 1;
  return placed;
end
$laurels$`
