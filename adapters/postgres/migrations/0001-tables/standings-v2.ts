/** Released: not to be changed. */
export const STANDINGS_V2: string = `create or replace function "laurels".standings_v2(input jsonb) returns json language plpgsql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
begin
  return (select coalesce(json_agg(case when q.most is null then (
      select json_build_object('before', json_agg(
          "laurels".count_before_v2(q.tenant_id, q.leaderboard, q.run, q.group_key, (p.place->>0)::float8, (p.place->>1)::bigint, p.place->>2, q.at) order by p.i), 'last', json_build_array())
        from jsonb_array_elements(q.places) with ordinality as p(place, i)
    ) else (
      select json_build_object(
          'before', json_agg(c.passed order by c.i) filter (where c.i is not null),
          'last', coalesce(json_agg(json_build_array(c.minus_value, c.reached_at, c.user_id) order by c.passed)
            filter (where c.i is null and c.passed > q.first), '[]'))
        from (
          select s.*, coalesce(sum(s.one) over (
              order by s.minus_value, s.reached_at, s.user_id collate "C", s.one rows unbounded preceding), 0) as passed
            from (
              select p.i, (p.place->>0)::float8 as minus_value, (p.place->>1)::bigint as reached_at,
                  (p.place->>2) collate "C" as user_id, 0 as one
                from jsonb_array_elements(q.places) with ordinality as p(place, i)
              union all
              select null, e.minus_value, e.reached_at, e.user_id, 1 from (
                select e.minus_value, e.reached_at, e.user_id from "laurels".leaderboard_entries e
                  where e.tenant_id = q.tenant_id and e.leaderboard = q.leaderboard and e.run = q.run
                    and e.group_key = q.group_key and (e.until is null or e.until > q.at)
                  order by e.minus_value asc, e.reached_at asc, e.user_id asc limit q.most
              ) e
            ) s
        ) c
    ) end order by q.i), '[]')
  from jsonb_to_recordset(input) as q(
    i int, tenant_id text, leaderboard text, run text, group_key text, at bigint, most bigint, first bigint, places jsonb));
end
$laurels$`
