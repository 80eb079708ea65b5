/** Released: not to be changed. */
export const BEGIN_MOVES_V3: string = `create or replace function "laurels".begin_moves_v3(moves "laurels".leaderboard_move[], is_own boolean) returns "laurels".leaderboard_move[]
  language plpgsql as $laurels$
declare
  place record;
  is_counted boolean;
  counted "laurels".leaderboard_move[] := '{}';
  taken "laurels".leaderboard_move[];
begin
  for place in
    select m.tenant_id, m.leaderboard, m.run, m.group_key, bool_or(m.unlimited) as unlimited, array_agg(m) as moves
      from unnest(moves) as m group by 1, 2, 3, 4
      order by m.tenant_id collate "C", m.leaderboard collate "C", m.run collate "C", m.group_key collate "C"
  loop
    is_counted := exists (select from "laurels".leaderboard_blocks b where b.tenant_id = place.tenant_id and b.leaderboard = place.leaderboard and b.run = place.run and b.group_key = place.group_key and b.level = 2);
    if not is_counted and not place.unlimited then continue; end if;
    if not is_own then
      insert into "laurels".leaderboard_pending (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, delta)
        select m.tenant_id, m.leaderboard, m.run, m.group_key, m.minus_value, m.reached_at, m.user_id, m.delta
          from unnest(place.moves) as m;
      continue;
    end if;
    if is_counted then
      perform pg_advisory_xact_lock_shared(hashtextextended(json_build_array('laurels {schema} leaderboard', place.tenant_id, place.leaderboard, place.run, place.group_key)::text, 0));
    else
      perform pg_advisory_xact_lock(hashtextextended(json_build_array('laurels {schema} leaderboard', place.tenant_id, place.leaderboard, place.run, place.group_key)::text, 0));
      perform "laurels".build_blocks_v3(place.tenant_id, place.leaderboard, place.run, place.group_key);
    end if;
    with removed as (
      delete from "laurels".leaderboard_pending p where p.id in (
        select p.id from "laurels".leaderboard_pending p where p.tenant_id = place.tenant_id and p.leaderboard = place.leaderboard and p.run = place.run and p.group_key = place.group_key
          order by p.id limit 200 for update skip locked
      ) returning p.tenant_id, p.leaderboard, p.run, p.group_key, p.minus_value, p.reached_at, p.user_id, p.delta, false as unlimited
    )
    select coalesce(array_agg(row(m.tenant_id, m.leaderboard, m.run, m.group_key, m.minus_value, m.reached_at, m.user_id, m.delta, m.unlimited)::"laurels".leaderboard_move), '{}') into taken from removed m;
    counted := counted || taken || place.moves;
  end loop;
  return counted;
end
$laurels$`
