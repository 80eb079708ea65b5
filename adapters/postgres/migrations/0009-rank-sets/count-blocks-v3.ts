/** Released: not to be changed. */
export const COUNT_BLOCKS_V3: string = `create or replace function "laurels".count_blocks_v3(moves "laurels".leaderboard_move[]) returns jsonb language plpgsql as $laurels$
declare
  crowded jsonb;
  blocks bigint;
begin
  
  with placed as (
    select m.tenant_id, m.leaderboard, m.run, m.group_key, f.minus_value, f.reached_at, f.user_id, sum(m.delta) as delta
      from unnest(moves) as m
      cross join lateral (
        select b.minus_value, b.reached_at, b.user_id from "laurels".leaderboard_blocks b
          where b.tenant_id = m.tenant_id and b.leaderboard = m.leaderboard and b.run = m.run
            and b.group_key = m.group_key and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) <= (m.minus_value, m.reached_at, m.user_id)
          order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1
      ) f
      group by 1, 2, 3, 4, 5, 6, 7 having sum(m.delta) <> 0
  ), locked as materialized (
    select b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id, p.delta
      from placed p join "laurels".leaderboard_blocks b on b.tenant_id = p.tenant_id and b.leaderboard = p.leaderboard and b.run = p.run and b.group_key = p.group_key and b.minus_value = p.minus_value and b.reached_at = p.reached_at and b.user_id = p.user_id and b.level = 1
      order by b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id for no key update of b
  ), counted as (
    update "laurels".leaderboard_blocks b set count = b.count + l.delta from locked l where b.tenant_id = l.tenant_id and b.leaderboard = l.leaderboard and b.run = l.run and b.group_key = l.group_key and b.minus_value = l.minus_value and b.reached_at = l.reached_at and b.user_id = l.user_id and b.level = 1
      returning b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id, b.count, l.delta
  )
  select jsonb_agg(c) into crowded from counted c
    where c.count > 96
      or (c.delta < 0 and (c.count = 0 or (c.count <= 12 and c.count - c.delta > 12)));
  
  with placed as (
    select m.tenant_id, m.leaderboard, m.run, m.group_key, f.minus_value, f.reached_at, f.user_id, sum(m.delta) as delta
      from unnest(moves) as m
      cross join lateral (
        select b.minus_value, b.reached_at, b.user_id from "laurels".leaderboard_blocks b
          where b.tenant_id = m.tenant_id and b.leaderboard = m.leaderboard and b.run = m.run
            and b.group_key = m.group_key and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) <= (m.minus_value, m.reached_at, m.user_id)
          order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1
      ) f
      group by 1, 2, 3, 4, 5, 6, 7 having sum(m.delta) <> 0
  ), locked as materialized (
    select b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id, p.delta
      from placed p join "laurels".leaderboard_blocks b on b.tenant_id = p.tenant_id and b.leaderboard = p.leaderboard and b.run = p.run and b.group_key = p.group_key and b.minus_value = p.minus_value and b.reached_at = p.reached_at and b.user_id = p.user_id and b.level = 2
      order by b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id for no key update of b
  ), counted as (
    update "laurels".leaderboard_blocks b set count = b.count + l.delta from locked l where b.tenant_id = l.tenant_id and b.leaderboard = l.leaderboard and b.run = l.run and b.group_key = l.group_key and b.minus_value = l.minus_value and b.reached_at = l.reached_at and b.user_id = l.user_id and b.level = 2
      returning b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id, b.count, l.delta
  )
  select count(*) into blocks from counted;
  return crowded;
end
$laurels$`
