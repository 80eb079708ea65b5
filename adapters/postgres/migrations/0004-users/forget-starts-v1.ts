/** Released: not to be changed. */
export const FORGET_STARTS_V1: string = `create or replace function "laurels".forget_starts_v1(t text, l text, r text, g text, u text) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
declare
  place record;
  later record;
  following record;
  ending record;
begin
  if not exists (select from "laurels".leaderboard_entries e where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g and e.until is null)
      and not exists (select from "laurels".leaderboard_pending p where p.tenant_id = t and p.leaderboard = l and p.run = r and p.group_key = g) then
    delete from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g;
    return;
  end if;
  for place in
    select distinct b.minus_value, b.reached_at, b.user_id from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.user_id = u and (b.minus_value, b.reached_at, b.user_id) > (-1e308::float8, -9007199254740991::bigint, '')
  loop
    -- Between the two nobody stands, or stood who is still to be counted.
    select place.minus_value as minus_value, case when x.tied is null then place.reached_at + 1 else place.reached_at end as reached_at,
        coalesce(x.tied, '') as user_id into later
      from (select min(y.user_id) as tied from (
        select e.user_id from "laurels".leaderboard_entries e where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g and e.minus_value = place.minus_value and e.reached_at = place.reached_at and e.user_id > u and e.until is null
        union all select p.user_id from "laurels".leaderboard_pending p where p.tenant_id = t and p.leaderboard = l and p.run = r and p.group_key = g and p.minus_value = place.minus_value and p.reached_at = place.reached_at and p.user_id > u
      ) y) x;
    
    select b.minus_value, b.reached_at, b.user_id into following from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) > (place.minus_value, place.reached_at, place.user_id) order by b.minus_value asc, b.reached_at asc, b.user_id asc limit 1;
    if not found or (later.minus_value, later.reached_at, later.user_id) < (following.minus_value, following.reached_at, following.user_id) then
      update "laurels".leaderboard_blocks b set reached_at = later.reached_at, user_id = later.user_id where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and (b.minus_value, b.reached_at, b.user_id) = (place.minus_value, place.reached_at, place.user_id);
      continue;
    end if;
    -- It holds nothing: what lies there belongs to the block before it.
    delete from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and (b.minus_value, b.reached_at, b.user_id) = (place.minus_value, place.reached_at, place.user_id) and b.level = 1;
    
    select b.minus_value, b.reached_at, b.user_id into ending from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) > (place.minus_value, place.reached_at, place.user_id) order by b.minus_value asc, b.reached_at asc, b.user_id asc limit 1;
    if found and (ending.minus_value, ending.reached_at, ending.user_id) = (following.minus_value, following.reached_at, following.user_id) then
      delete from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and (b.minus_value, b.reached_at, b.user_id) = (place.minus_value, place.reached_at, place.user_id) and b.level = 2;
    else
      update "laurels".leaderboard_blocks b set minus_value = following.minus_value, reached_at = following.reached_at, user_id = following.user_id
        where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and (b.minus_value, b.reached_at, b.user_id) = (place.minus_value, place.reached_at, place.user_id) and b.level = 2;
    end if;
  end loop;
end
$laurels$`
