/** Released: not to be changed. */
export const TIDY_BLOCKS_V3: string = `create or replace function "laurels".tidy_blocks_v3(t text, l text, r text, g text, places jsonb) returns void language plpgsql
  set lock_timeout = '5s' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
declare
  place record;
  size bigint;
  ending record;
  middle record;
  moved bigint;
  outer_block record;
  outer_end record;
  neighbour record;
  members bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(json_build_array('laurels {schema} leaderboard', t, l, r, g)::text, 0));
  for place in select * from jsonb_to_recordset(places) as p(minus_value float8, reached_at bigint, user_id text) loop
    loop
      size := (select b.count from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) = (place.minus_value, place.reached_at, place.user_id));
      exit when size is null or size <= 96;
      
    select b.minus_value, b.reached_at, b.user_id, b.count into ending from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) > (place.minus_value, place.reached_at, place.user_id) order by b.minus_value asc, b.reached_at asc, b.user_id asc limit 1;
    if not found then select m.minus_value, m.reached_at, m.user_id, 0::bigint as count into ending
      from (values (1e308::float8, 0::bigint, '')) as m(minus_value, reached_at, user_id); end if;
      select e.minus_value, e.reached_at, e.user_id into middle from "laurels".leaderboard_entries e
        where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g and e.until is null and (e.minus_value, e.reached_at, e.user_id) > (place.minus_value, place.reached_at, place.user_id) and (e.minus_value, e.reached_at, e.user_id) < (ending.minus_value, ending.reached_at, ending.user_id)
        order by e.minus_value asc, e.reached_at asc, e.user_id asc offset 48 limit 1;
      exit when not found;
      moved := (select count(*) from "laurels".leaderboard_entries e where e.tenant_id = t and e.leaderboard = l and e.run = r and e.group_key = g and e.until is null
          and (e.minus_value, e.reached_at, e.user_id) >= (middle.minus_value, middle.reached_at, middle.user_id) and (e.minus_value, e.reached_at, e.user_id) < (ending.minus_value, ending.reached_at, ending.user_id))
        - coalesce((select sum(p.delta) from "laurels".leaderboard_pending p where p.tenant_id = t and p.leaderboard = l and p.run = r and p.group_key = g
          and (p.minus_value, p.reached_at, p.user_id) >= (middle.minus_value, middle.reached_at, middle.user_id) and (p.minus_value, p.reached_at, p.user_id) < (ending.minus_value, ending.reached_at, ending.user_id)), 0);
      insert into "laurels".leaderboard_blocks (tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id, count) values (t, l, r, g, 1, middle.minus_value, middle.reached_at, middle.user_id, moved);
      update "laurels".leaderboard_blocks b set count = b.count - moved where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) = (place.minus_value, place.reached_at, place.user_id);
      -- What is left at the place is small enough; the rest may have to be split again.
      place := middle;
    end loop;
    continue when size is null;
    
    select b.minus_value, b.reached_at, b.user_id, b.count into outer_block from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) <= (place.minus_value, place.reached_at, place.user_id) order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1;
    if size <= 12 and (outer_block.minus_value, outer_block.reached_at, outer_block.user_id) < (place.minus_value, place.reached_at, place.user_id) then
      
    select b.minus_value, b.reached_at, b.user_id, b.count into neighbour from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) < (place.minus_value, place.reached_at, place.user_id) order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1;
      if neighbour.count + size <= 60 then
        delete from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) = (place.minus_value, place.reached_at, place.user_id);
        update "laurels".leaderboard_blocks b set count = b.count + size where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) = (neighbour.minus_value, neighbour.reached_at, neighbour.user_id);
      end if;
    elsif size <= 12 then
      
    select b.minus_value, b.reached_at, b.user_id, b.count into neighbour from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) > (place.minus_value, place.reached_at, place.user_id) order by b.minus_value asc, b.reached_at asc, b.user_id asc limit 1;
    if not found then select m.minus_value, m.reached_at, m.user_id, 0::bigint as count into neighbour
      from (values (1e308::float8, 0::bigint, '')) as m(minus_value, reached_at, user_id); end if;
      
    select b.minus_value, b.reached_at, b.user_id, b.count into outer_end from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) > (outer_block.minus_value, outer_block.reached_at, outer_block.user_id) order by b.minus_value asc, b.reached_at asc, b.user_id asc limit 1;
    if not found then select m.minus_value, m.reached_at, m.user_id, 0::bigint as count into outer_end
      from (values (1e308::float8, 0::bigint, '')) as m(minus_value, reached_at, user_id); end if;
      if (neighbour.minus_value, neighbour.reached_at, neighbour.user_id) < (outer_end.minus_value, outer_end.reached_at, outer_end.user_id) and neighbour.count + size <= 60 then
        delete from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) = (neighbour.minus_value, neighbour.reached_at, neighbour.user_id);
        update "laurels".leaderboard_blocks b set count = b.count + neighbour.count where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1 and (b.minus_value, b.reached_at, b.user_id) = (place.minus_value, place.reached_at, place.user_id);
      end if;
    end if;
    
    select b.minus_value, b.reached_at, b.user_id, b.count into outer_end from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) > (outer_block.minus_value, outer_block.reached_at, outer_block.user_id) order by b.minus_value asc, b.reached_at asc, b.user_id asc limit 1;
    if not found then select m.minus_value, m.reached_at, m.user_id, 0::bigint as count into outer_end
      from (values (1e308::float8, 0::bigint, '')) as m(minus_value, reached_at, user_id); end if;
    members := (select count(*) from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1
      and (b.minus_value, b.reached_at, b.user_id) >= (outer_block.minus_value, outer_block.reached_at, outer_block.user_id) and (b.minus_value, b.reached_at, b.user_id) < (outer_end.minus_value, outer_end.reached_at, outer_end.user_id));
    if members > 128 then
      select b.minus_value, b.reached_at, b.user_id into middle from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1
        and (b.minus_value, b.reached_at, b.user_id) >= (outer_block.minus_value, outer_block.reached_at, outer_block.user_id) order by b.minus_value asc, b.reached_at asc, b.user_id asc offset members / 2 limit 1;
      moved := (select sum(b.count) from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1
        and (b.minus_value, b.reached_at, b.user_id) >= (middle.minus_value, middle.reached_at, middle.user_id) and (b.minus_value, b.reached_at, b.user_id) < (outer_end.minus_value, outer_end.reached_at, outer_end.user_id));
      insert into "laurels".leaderboard_blocks (tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id, count) values (t, l, r, g, 2, middle.minus_value, middle.reached_at, middle.user_id, moved);
      update "laurels".leaderboard_blocks b set count = b.count - moved where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) = (outer_block.minus_value, outer_block.reached_at, outer_block.user_id);
    elsif members < 16 then
      
    select b.minus_value, b.reached_at, b.user_id, b.count into neighbour from "laurels".leaderboard_blocks b
      where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) < (outer_block.minus_value, outer_block.reached_at, outer_block.user_id) order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1;
      if found and members + (select count(*) from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 1
          and (b.minus_value, b.reached_at, b.user_id) >= (neighbour.minus_value, neighbour.reached_at, neighbour.user_id) and (b.minus_value, b.reached_at, b.user_id) < (outer_block.minus_value, outer_block.reached_at, outer_block.user_id)) <= 96 then
        delete from "laurels".leaderboard_blocks b where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) = (outer_block.minus_value, outer_block.reached_at, outer_block.user_id);
        update "laurels".leaderboard_blocks b set count = b.count + outer_block.count where b.tenant_id = t and b.leaderboard = l and b.run = r and b.group_key = g and b.level = 2 and (b.minus_value, b.reached_at, b.user_id) = (neighbour.minus_value, neighbour.reached_at, neighbour.user_id);
      end if;
    end if;
  end loop;
end
$laurels$`
