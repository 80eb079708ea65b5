/** Released: not to be changed. */
export const PAGE_V2: string = `create or replace function "laurels".page_v2(t text, l text, r text, g text, most bigint, moment bigint, skipped bigint, wanted bigint, around text)
  returns json language plpgsql stable set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
declare
  place bigint := skipped;
  passed bigint := 0;
  ends bigint;
  own record;
  -- Where the rows are read from: at first the beginning of the group.
  v float8 := -1e308;
  a bigint := -9007199254740991;
  u text := '';
begin
  if around is not null then
    select e.minus_value, e.reached_at, e.user_id into own from "laurels".leaderboard_entries e
      where e.tenant_id = t and e.user_id = around and e.leaderboard = l and e.run = r and e.group_key = g
        and (e.until is null or e.until > moment);
    if not found then return '[]'; end if;
    if most is null then
      place := skipped + "laurels".count_before_v2(t, l, r, g, own.minus_value, own.reached_at, own.user_id, moment);
    else
      place := (select count(*) from (select from "laurels".leaderboard_entries e where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g
        and (e.minus_value, e.reached_at, e.user_id) < (own.minus_value, own.reached_at, own.user_id) and (e.until is null or e.until > moment) limit most) b);
      if place >= most then return '[]'; end if;
      place := skipped + place;
    end if;
  end if;
  ends := least(place + wanted, coalesce(most, place + wanted));
  place := greatest(place, 0);
  if ends <= place then return '[]'; end if;

  if most is null and place > 1000 and not exists (select from "laurels".leaderboard_pending p where p.tenant_id = t and p.leaderboard = l and p.run = r and p.group_key = g) then
    
    select c.minus_value, c.reached_at, c.user_id, c.before into v, a, u, passed from (
      select b.minus_value, b.reached_at, b.user_id,
          passed + sum(b.count::int) over (order by b.minus_value asc, b.reached_at asc, b.user_id asc rows unbounded preceding) - b.count as before
        from (
          select * from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) >= (v, a, u)
            order by b.minus_value asc, b.reached_at asc, b.user_id asc
        ) b
    ) c where c.before <= place order by c.before desc, c.minus_value desc, c.reached_at desc, c.user_id desc limit 1;
    if found then
      
    select c.minus_value, c.reached_at, c.user_id, c.before into v, a, u, passed from (
      select b.minus_value, b.reached_at, b.user_id,
          passed + sum(b.count::int) over (order by b.minus_value asc, b.reached_at asc, b.user_id asc rows unbounded preceding) - b.count as before
        from (
          select * from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) >= (v, a, u)
            order by b.minus_value asc, b.reached_at asc, b.user_id asc limit 130
        ) b
    ) c where c.before <= place order by c.before desc, c.minus_value desc, c.reached_at desc, c.user_id desc limit 1;
    end if;
  end if;
  return (select coalesce(json_agg(line order by line.rank), '[]') from (
    select e.user_id as "user", n.name, e.minus_value, e.reached_at,
        place + row_number() over (order by e.minus_value asc, e.reached_at asc, e.user_id asc) as rank
      from (
        select e.minus_value, e.reached_at, e.user_id from "laurels".leaderboard_entries e
          where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g and (e.minus_value, e.reached_at, e.user_id) >= (v, a, u)
            and (e.until is null or e.until > moment)
          order by e.minus_value asc, e.reached_at asc, e.user_id asc offset place - passed limit ends - place
      ) e
      left join "laurels".users n on n.tenant_id = t and n.user_id = e.user_id
  ) line);
end
$laurels$`
