/** Released: not to be changed. */
export const STANDINGS_V3: string = `create or replace function "laurels".standings_v3(input jsonb) returns json language plpgsql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
begin
  return (select coalesce(json_agg(case when q.most is null then (
      select json_build_object('before', json_agg(case when b2.reached_at is null then (
            select count(*) from "laurels".leaderboard_entries e where e.tenant_id = q.tenant_id and e.leaderboard = q.leaderboard and e.run = q.run and e.group_key = q.group_key
              and (e.minus_value, e.reached_at, e.user_id) < (p.minus_value, p.reached_at, p.user_id) and (e.until is null or e.until > q.at)
          ) else coalesce((select sum(b.count::int) from "laurels".leaderboard_blocks b where b.tenant_id = q.tenant_id and b.leaderboard = q.leaderboard and b.run = q.run and b.group_key = q.group_key and b.level = 2
              and (b.minus_value, b.reached_at, b.user_id) < (b2.minus_value, b2.reached_at, b2.user_id)), 0)
            + coalesce((select sum(b.count::int) from "laurels".leaderboard_blocks b where b.tenant_id = q.tenant_id and b.leaderboard = q.leaderboard and b.run = q.run and b.group_key = q.group_key and b.level = 1
              and (b.minus_value, b.reached_at, b.user_id) >= (b2.minus_value, b2.reached_at, b2.user_id) and (b.minus_value, b.reached_at, b.user_id) < (b1.minus_value, b1.reached_at, b1.user_id)), 0)
            + (select count(*) from "laurels".leaderboard_entries e where e.tenant_id = q.tenant_id and e.leaderboard = q.leaderboard and e.run = q.run and e.group_key = q.group_key
              and (e.minus_value, e.reached_at, e.user_id) >= (b1.minus_value, b1.reached_at, b1.user_id) and (e.minus_value, e.reached_at, e.user_id) < (p.minus_value, p.reached_at, p.user_id))
            + case when p.waits then coalesce((select sum(w.delta) from "laurels".leaderboard_pending w where w.tenant_id = q.tenant_id and w.leaderboard = q.leaderboard and w.run = q.run and w.group_key = q.group_key
              and (w.minus_value, w.reached_at, w.user_id) < (b1.minus_value, b1.reached_at, b1.user_id)), 0) else 0 end
          end order by p.i), 'last', json_build_array())
        from (
          select p.i, (p.place->>0)::float8 as minus_value, (p.place->>1)::bigint as reached_at, p.place->>2 as user_id,
              (select exists (select from "laurels".leaderboard_pending w where w.tenant_id = q.tenant_id and w.leaderboard = q.leaderboard and w.run = q.run and w.group_key = q.group_key)) as waits
            from jsonb_array_elements(q.places) with ordinality as p(place, i) offset 0
        ) p
          left join lateral (
            select b.minus_value, b.reached_at, b.user_id from "laurels".leaderboard_blocks b
              where b.tenant_id = q.tenant_id and b.leaderboard = q.leaderboard and b.run = q.run and b.group_key = q.group_key and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) <= (p.minus_value, p.reached_at, p.user_id)
              order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1
          ) b2 on true
          left join lateral (
            select b.minus_value, b.reached_at, b.user_id from "laurels".leaderboard_blocks b
              where b.tenant_id = q.tenant_id and b.leaderboard = q.leaderboard and b.run = q.run and b.group_key = q.group_key and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) <= (p.minus_value, p.reached_at, p.user_id)
              order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1
          ) b1 on true
    ) else (
      select json_build_object(
          'before', json_agg(c.passed order by c.i) filter (where c.i is not null),
          'last', coalesce(json_agg(json_build_array(c.minus_value, c.reached_at, c.user_id) order by c.passed)
            filter (where c.i is null), '[]'))
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
        ) c where c.i is not null or c.passed > q.first
    ) end order by q.i), '[]')
  from jsonb_to_recordset(input) as q(
    i int, tenant_id text, leaderboard text, run text, group_key text, at bigint, most bigint, first bigint, places jsonb));
end
$laurels$`
