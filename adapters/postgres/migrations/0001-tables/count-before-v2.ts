/** Released: not to be changed. */
export const COUNT_BEFORE_V2: string = `create or replace function "laurels".count_before_v2(t text, l text, r text, g text, v float8, a bigint, u text, moment bigint) returns bigint
  language plpgsql stable as $laurels$
declare
  outer_block record;
  inner_block record;
begin
  select b.minus_value, b.reached_at, b.user_id into outer_block from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2
      and (b.minus_value, b.reached_at, b.user_id) <= (v, a, u) order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1;
  if not found then
    return (select count(*) from "laurels".leaderboard_entries e where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g
      and (e.minus_value, e.reached_at, e.user_id) < (v, a, u) and (e.until is null or e.until > moment));
  end if;
  select b.minus_value, b.reached_at, b.user_id into inner_block from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1
      and (b.minus_value, b.reached_at, b.user_id) <= (v, a, u) order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1;
  return coalesce((select sum(b.count) from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2
      and (b.minus_value, b.reached_at, b.user_id) < (outer_block.minus_value, outer_block.reached_at, outer_block.user_id)), 0)
    + coalesce((select sum(b.count) from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1
      and (b.minus_value, b.reached_at, b.user_id) >= (outer_block.minus_value, outer_block.reached_at, outer_block.user_id) and (b.minus_value, b.reached_at, b.user_id) < (inner_block.minus_value, inner_block.reached_at, inner_block.user_id)), 0)
    + (select count(*) from "laurels".leaderboard_entries e where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g
      and (e.minus_value, e.reached_at, e.user_id) >= (inner_block.minus_value, inner_block.reached_at, inner_block.user_id) and (e.minus_value, e.reached_at, e.user_id) < (v, a, u))
    + coalesce((select sum(p.delta) from "laurels".leaderboard_pending p where p.tenant_id = t and p.leaderboard = l and p.run = r and p.group_key = g
      and (p.minus_value, p.reached_at, p.user_id) < (inner_block.minus_value, inner_block.reached_at, inner_block.user_id)), 0);
end
$laurels$`
