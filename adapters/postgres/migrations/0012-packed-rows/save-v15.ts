/** Released: not to be changed. */
export const SAVE_V15: string = `create or replace function "laurels".save_v15(input text) returns text language plpgsql
  set lock_timeout = '5s' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
declare
  doc constant jsonb := input;
  answer constant text := "laurels".save_v14(input);
  stored int[];
begin
  select array_agg(n::int) into stored
    from jsonb_array_elements_text(case when answer::jsonb ? 'stored' then answer::jsonb->'stored' else '[]' end) as n;
  if doc ? 'told' then
    update "laurels".users u set told_until = r.told_until, due_at = r.due_at
      from jsonb_to_recordset(doc->'told') as r(n int, tenant_id text, user_id text, told_until bigint, due_at bigint)
      where u.tenant_id = r.tenant_id and u.user_id = r.user_id and r.n = any(stored);
  end if;
  if doc ? 'messages' then
    insert into "laurels".messages (message_id, type, at, tenant_id, user_id, data, due)
      select r.message_id, r.type, r.at, r.tenant_id, r.user_id, r.data, r.due from jsonb_to_recordset(doc->'messages') as r(n int, place bigint, message_id text, type text, at bigint, tenant_id text, user_id text, data text, due bigint)
        where r.n = any(stored) order by r.n, r.place;
  end if;
  return answer;
end
$laurels$`
