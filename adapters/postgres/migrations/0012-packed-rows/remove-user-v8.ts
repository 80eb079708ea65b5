/** Released: not to be changed. */
export const REMOVE_USER_V8: string = `create or replace function "laurels".remove_user_v8(input text, save text) returns text language plpgsql
  set lock_timeout = '5s' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
declare
  doc constant jsonb := input;
  t constant text := doc->>'tenant';
  u constant text := doc->>'user';
  is_own constant boolean := (doc->>'own')::boolean;
  keep constant boolean := coalesce((doc->>'keep')::boolean, false);
  name text;
  known bigint;
  removed bigint := 0;
  rows bigint;
  moves "laurels".leaderboard_move[];
  counts jsonb;
  crowded jsonb;
  grp record;
  groups jsonb := '[]';
begin
  perform pg_advisory_xact_lock(hashtextextended('laurels {schema} ' || length(t) || ' ' || t || u, 0));
  select version into known from "laurels".users where tenant_id = t and user_id = u for update;
  if (doc->>'version')::bigint <> coalesce(known, 0) then return 'changed'; end if;
  if (save::jsonb->>'epoch')::bigint <> coalesce((select max(epoch) from "laurels".games), 0) then return 'changed'; end if;

  if not keep then
    for name in select x.user_id from "laurels".users x where x.tenant_id = t and x.merged_into = u order by x.user_id collate "C" loop
      perform "laurels".remove_user_v8((doc - 'version' || jsonb_build_object('user', name))::text, null);
      removed := removed + 1;
    end loop;
  end if;

  select coalesce(jsonb_agg(c), '[]') into counts from (
    select 'users' as kind, '' as key from "laurels".users where tenant_id = t and user_id = u and merged_into is null
    union all select 'completions', achievement from "laurels".completions where tenant_id = t and user_id = u
    union all select 'level', '[' || to_json(system)::text || ',' || to_json(level)::text || ']'
      from "laurels".points where tenant_id = t and user_id = u and level is not null
  ) c;
  -- Before what is left of the user is read: another save may be adding it up.
  if is_own then
    for grp in
      select g.leaderboard, g.run, g.group_key from (
        select e.leaderboard, e.run, e.group_key from "laurels".leaderboard_entries e where tenant_id = t and user_id = u and e.until is null
        union select p.leaderboard, p.run, p.group_key from "laurels".leaderboard_pending p where tenant_id = t and user_id = u
        union select b.leaderboard, b.run, b.group_key from "laurels".leaderboard_blocks b
          where b.user_id <> '' and b.user_id = u and b.tenant_id = t
      ) g order by g.leaderboard collate "C", g.run collate "C", g.group_key collate "C"
    loop
      perform pg_advisory_xact_lock(hashtextextended(json_build_array('laurels {schema} leaderboard', t, grp.leaderboard, grp.run, grp.group_key)::text, 0));
      groups := groups || jsonb_build_array(to_jsonb(grp));
    end loop;
  end if;
  -- With what hosts' transactions have left of the user: nobody is to find the id there later.
  select coalesce(array_agg(row(m.tenant_id, m.leaderboard, m.run, m.group_key, m.minus_value, m.reached_at, m.user_id, m.delta, m.unlimited)::"laurels".leaderboard_move), '{}') into moves from (
    select tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, sum(delta) as delta, false as unlimited from (
      select tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, -1 as delta from "laurels".leaderboard_entries where tenant_id = t and user_id = u and until is null
      union all select tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, delta from "laurels".leaderboard_pending where is_own and tenant_id = t and user_id = u
    ) places group by 1, 2, 3, 4, 5, 6, 7 having sum(delta) <> 0
  ) m;
  if is_own then
    delete from "laurels".leaderboard_pending where tenant_id = t and user_id = u;
  end if;
  delete from "laurels".leaderboard_entries where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;

  if is_own then
    crowded := "laurels".count_blocks_v3(moves);
    for grp in
      select c.leaderboard, c.run, c.group_key, jsonb_agg(c) as places
        from jsonb_to_recordset(crowded) as c(tenant_id text, leaderboard text, run text, group_key text, minus_value float8, reached_at bigint, user_id text) group by 1, 2, 3
    loop
      perform "laurels".tidy_blocks_v3(t, grp.leaderboard, grp.run, grp.group_key, grp.places);
    end loop;
    for grp in select g.* from jsonb_to_recordset(groups) as g(leaderboard text, run text, group_key text) loop
      perform "laurels".forget_starts_v1(t, grp.leaderboard, grp.run, grp.group_key, u);
    end loop;
  else
    perform "laurels".begin_moves_v3(moves, false);
  end if;

  delete from "laurels".users where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".totals where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".tallies where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".completions where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".points where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".packed_awards where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".streak_periods where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".streak_pauses where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".named_streak_periods where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".given_boosts where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".snapshots where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".packed_log where tenant_id = t and user_id = u;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".api_keys where kind = 'application' and tenant_id = t and user_id = u and not keep;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".messages where tenant_id = t and user_id = u and not keep;
  get diagnostics rows = row_count;
  removed := removed + rows;
  delete from "laurels".deliveries where tenant_id = t and user_id = u and not keep;
  get diagnostics rows = row_count;
  removed := removed + rows;

  if save is not null and "laurels".save_v15(save)::jsonb->>'left' is not null then
    raise exception 'Somebody else has written a user meanwhile.' using errcode = 'LA001';
  end if;
  insert into "laurels".counters as c (tenant_id, kind, key, slot, count)
    select t, a.kind, a.key, (doc->>'slot')::bigint, -1 from jsonb_to_recordset(counts) as a(kind text, key text)
      order by a.kind collate "C", a.key collate "C"
    on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count;
  return case when removed > 0 then 'removed' else 'unknown' end;
exception when sqlstate 'LA001' then
  -- All of it is undone.
  return 'changed';
end
$laurels$`
