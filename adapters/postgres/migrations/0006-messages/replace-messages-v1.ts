/** Released: not to be changed. */
export const REPLACE_MESSAGES_V1: string = `create or replace function "laurels".replace_messages_v1(input text) returns boolean language plpgsql
  set lock_timeout = '5s' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
declare
  doc constant jsonb := input;
  gone bigint[];
  rows bigint;
begin
  select coalesce(array_agg(n::bigint), '{}') into gone from jsonb_array_elements_text(doc->'remove') as n;
  -- Whoever removes one of these users removes what is written here too.
  perform 1 from "laurels".users u
    join (select distinct r.tenant_id, r.user_id from jsonb_to_recordset(doc->'messages') as r(n int, tenant_id text, user_id text) where r.user_id <> '') w
      on u.tenant_id = w.tenant_id and u.user_id = w.user_id
    order by u.tenant_id, u.user_id for key share of u;
  get diagnostics rows = row_count;
  if rows <> (select count(*) from (select distinct r.tenant_id, r.user_id from jsonb_to_recordset(doc->'messages') as r(n int, tenant_id text, user_id text) where r.user_id <> '') w) then
    return false;
  end if;
  perform 1 from "laurels".messages where number = any(gone) and position is null order by number for update;
  get diagnostics rows = row_count;
  if rows <> cardinality(gone) then return false; end if;
  delete from "laurels".messages where number = any(gone);
  insert into "laurels".messages (message_id, type, at, tenant_id, user_id, data, due)
      select r.message_id, r.type, r.at, r.tenant_id, r.user_id, r.data, r.due from jsonb_to_recordset(doc->'messages') as r(n int, place bigint, message_id text, type text, at bigint, tenant_id text, user_id text, data text, due bigint)
        where true order by r.n, r.place;
  return true;
end
$laurels$`
