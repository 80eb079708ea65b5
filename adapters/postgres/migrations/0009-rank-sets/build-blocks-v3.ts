/** Released: not to be changed. */
export const BUILD_BLOCKS_V3: string = `create or replace function "laurels".build_blocks_v3(t text, l text, r text, g text) returns void language plpgsql as $laurels$
declare
  size bigint;
  pending "laurels".leaderboard_move[];
begin
  if exists (select from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g) then return; end if;
  -- One statement, so that no transaction of a host's ends between what is counted and what is left to be added up.
  with counted as (
    insert into "laurels".leaderboard_blocks (tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id, count)
      select t, l, r, g, 1, x.minus_value, x.reached_at, x.user_id, coalesce(lead(x.n) over (order by x.n), x.total) - x.n from (
        select e.minus_value, e.reached_at, e.user_id, row_number() over (order by e.minus_value asc, e.reached_at asc, e.user_id asc) - 1 as n, count(*) over () as total
          from "laurels".leaderboard_entries e where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g and e.until is null
      ) x where x.n % 48 = 0 returning 1
  )
  select coalesce(array_agg(row(m.tenant_id, m.leaderboard, m.run, m.group_key, m.minus_value, m.reached_at, m.user_id, m.delta, m.unlimited)::"laurels".leaderboard_move), '{}') into pending from (
    select p.tenant_id, p.leaderboard, p.run, p.group_key, p.minus_value, p.reached_at, p.user_id, -p.delta as delta,
        false as unlimited
      from "laurels".leaderboard_pending p where p.tenant_id = t and p.leaderboard = l and p.run = r and p.group_key = g
  ) m;
  delete from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) = (
    select f.minus_value, f.reached_at, f.user_id from "laurels".leaderboard_blocks f where f.tenant_id = t and f.leaderboard = l and f.run = r and f.group_key = g and f.level = 1 order by f.minus_value asc, f.reached_at asc, f.user_id asc limit 1
  ) returning b.count into size;
  insert into "laurels".leaderboard_blocks (tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id, count) values (t, l, r, g, 1, -1e308::float8, -9007199254740991::bigint, '', coalesce(size, 0));
  insert into "laurels".leaderboard_blocks (tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id, count)
    select t, l, r, g, 2, x.minus_value, x.reached_at, x.user_id, x.size from (
      select b.*, row_number() over (order by b.minus_value asc, b.reached_at asc, b.user_id asc) - 1 as n,
          sum(b.count) over (order by b.minus_value asc, b.reached_at asc, b.user_id asc rows between current row and 63 following) as size
        from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1
    ) x where x.n % 64 = 0;
  -- What hosts' transactions have left is among the entries, and will be counted when it is added up.
  perform "laurels".count_blocks_v3(pending);
end
$laurels$`
