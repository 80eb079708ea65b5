-- Groups without a limit are counted in blocks of their order. A transaction that changes blocks holds the lock of the
-- group until it ends, so it can add counts and divide blocks in one step. Locks of groups are taken in the order of
-- their keys, after locks of users.

-- Rebuilds the blocks of a locked group, from one position to another. The first block begins where the range begins.
-- An empty range gets one empty block, unless it is the whole group. Pending changes of hosts' transactions are not
-- counted yet. It is one statement, so that no transaction of a host ends between the counts of entries and of pending
-- changes.
create function "laurels".recount_blocks(
  t text, l text, r text, g text, v float8, a bigint, u text, end_value float8, end_at bigint, end_user text
) returns void language plpgsql {settings}
as $laurels$
begin
  delete from "laurels".leaderboard_blocks b where (b.tenant_id, b.leaderboard, b.run, b.group_key) = (t, l, r, g)
    and (b.minus_value, b.reached_at, b.user_id) >= (v, a, u)
    and (b.minus_value, b.reached_at, b.user_id) < (end_value, end_at, end_user);
  insert into "laurels".leaderboard_blocks
      (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, count)
    with numbered as (
      select e.minus_value, e.reached_at, e.user_id, count(*) over () as total,
          row_number() over (order by e.minus_value, e.reached_at, e.user_id) - 1 as n
        from "laurels".leaderboard_entries e where (e.tenant_id, e.leaderboard, e.run, e.group_key) = (t, l, r, g)
          and (e.minus_value, e.reached_at, e.user_id) >= (v, a, u)
          and (e.minus_value, e.reached_at, e.user_id) < (end_value, end_at, end_user) and e.until is null
    ), starts as (
      select x.minus_value, x.reached_at, x.user_id from numbered x
        where x.n > 0 and x.n % ceil(x.total / greatest(1, round(x.total / {block entries}.0)))::bigint = 0
      union all select v, a, u
    ), ranges as (
      select s.*, lead(s.minus_value, 1, end_value) over w as next_value, lead(s.reached_at, 1, end_at) over w as next_at,
          lead(s.user_id, 1, end_user) over w as next_user
        from starts s window w as (order by s.minus_value, s.reached_at, s.user_id)
    )
    select t, l, r, g, s.minus_value, s.reached_at, s.user_id,
        (select count(*) from numbered x
          where (x.minus_value, x.reached_at, x.user_id) >= (s.minus_value, s.reached_at, s.user_id)
            and (x.minus_value, x.reached_at, x.user_id) < (s.next_value, s.next_at, s.next_user))
          - coalesce((select sum(p.delta) from "laurels".leaderboard_pending p
            where (p.tenant_id, p.leaderboard, p.run, p.group_key) = (t, l, r, g)
              and (p.minus_value, p.reached_at, p.user_id) >= (s.minus_value, s.reached_at, s.user_id)
              and (p.minus_value, p.reached_at, p.user_id) < (s.next_value, s.next_at, s.next_user)), 0)
      from ranges s
      where (v, a, u) > ({first position}) or (end_value, end_at, end_user) < ({last position})
        or exists (select from numbered) or exists (
          select from "laurels".leaderboard_pending p
            where (p.tenant_id, p.leaderboard, p.run, p.group_key) = (t, l, r, g));
end
$laurels$;

-- Makes a block of a locked group again that has become too large or too small, perhaps together with a neighbour.
-- `is_gone`: the block begins with a user who was removed, so it is joined with the one before.
create function "laurels".settle_block(
  t text, l text, r text, g text, v float8, a bigint, u text, is_gone boolean
) returns void language plpgsql {settings}
as $laurels$
declare
  place record;
  previous record;
  next record;
  ending record;
begin
  select b.minus_value, b.reached_at, b.user_id, b.count into place from "laurels".leaderboard_blocks b
    where (b.tenant_id, b.leaderboard, b.run, b.group_key) = (t, l, r, g)
      and (b.minus_value, b.reached_at, b.user_id) = (v, a, u);
  -- It was made again together with a neighbour.
  if not found then return; end if;
  -- Each has a last row for the end of the group, which counts nothing.
  select n.* into next from (
    (select b.minus_value, b.reached_at, b.user_id, b.count from "laurels".leaderboard_blocks b
      where (b.tenant_id, b.leaderboard, b.run, b.group_key) = (t, l, r, g)
        and (b.minus_value, b.reached_at, b.user_id) > (v, a, u)
      order by b.minus_value, b.reached_at, b.user_id limit 1)
    union all select {last position}, null
  ) n limit 1;
  if place.count > {most entries} and not is_gone then
    perform "laurels".recount_blocks(t, l, r, g, v, a, u, next.minus_value, next.reached_at, next.user_id);
    return;
  end if;
  select p.* into previous from (
    (select b.minus_value, b.reached_at, b.user_id, b.count from "laurels".leaderboard_blocks b
      where (b.tenant_id, b.leaderboard, b.run, b.group_key) = (t, l, r, g)
        and (b.minus_value, b.reached_at, b.user_id) < (v, a, u)
      order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1)
    union all select {first position}, null
  ) p limit 1;
  if is_gone or (place.count = 0 and previous.count is not null) or place.count + previous.count <= {block entries} then
    perform "laurels".recount_blocks(t, l, r, g, previous.minus_value, previous.reached_at, previous.user_id,
      next.minus_value, next.reached_at, next.user_id);
  elsif (place.count = 0 and next.count is not null) or place.count + next.count <= {block entries} then
    select n.* into ending from (
      (select b.minus_value, b.reached_at, b.user_id from "laurels".leaderboard_blocks b
        where (b.tenant_id, b.leaderboard, b.run, b.group_key) = (t, l, r, g)
          and (b.minus_value, b.reached_at, b.user_id) > (next.minus_value, next.reached_at, next.user_id)
        order by b.minus_value, b.reached_at, b.user_id limit 1)
      union all select {last position}
    ) n limit 1;
    perform "laurels".recount_blocks(
      t, l, r, g, v, a, u, ending.minus_value, ending.reached_at, ending.user_id);
  elsif place.count = 0 then
    perform "laurels".recount_blocks(t, l, r, g, v, a, u, next.minus_value, next.reached_at, next.user_id);
  end if;
end
$laurels$;

-- Adds moves to the counts of the blocks they lie in, with what hosts' transactions have left, after the entries were
-- written. The first move of a group without a limit makes its blocks. A host's own transaction leaves its moves to a
-- later save instead, because others must not wait until it ends.
create function "laurels".count_moves(moves "laurels".leaderboard_move[], is_own boolean)
  returns void language plpgsql {settings}
as $laurels$
declare
  grp record;
  place record;
  taken "laurels".leaderboard_move[];
  has_blocks boolean;
begin
  for grp in
    select m.tenant_id, m.leaderboard, m.run, m.group_key, bool_or(m.unlimited) as unlimited, array_agg(m) as moves
      from unnest(moves) as m group by 1, 2, 3, 4
      order by m.tenant_id collate "C", m.leaderboard collate "C", m.run collate "C", m.group_key collate "C"
  loop
    has_blocks := exists (select from "laurels".leaderboard_blocks b
      where (b.tenant_id, b.leaderboard, b.run, b.group_key)
        = (grp.tenant_id, grp.leaderboard, grp.run, grp.group_key));
    if not grp.unlimited and not has_blocks then continue; end if;
    if not is_own then
      insert into "laurels".leaderboard_pending
          (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, delta)
        select m.tenant_id, m.leaderboard, m.run, m.group_key, m.minus_value, m.reached_at, m.user_id, m.delta
          from unnest(grp.moves) as m;
      continue;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(json_build_array(
      'laurels {schema} leaderboard', grp.tenant_id, grp.leaderboard, grp.run, grp.group_key)::text, 0));
    has_blocks := exists (select from "laurels".leaderboard_blocks b
      where (b.tenant_id, b.leaderboard, b.run, b.group_key)
        = (grp.tenant_id, grp.leaderboard, grp.run, grp.group_key));
    if not has_blocks then
      if grp.unlimited then
        perform "laurels".recount_blocks(
          grp.tenant_id, grp.leaderboard, grp.run, grp.group_key, {first position}, {last position});
      end if;
      continue;
    end if;
    with removed as (
      delete from "laurels".leaderboard_pending p where p.id in (
          select p.id from "laurels".leaderboard_pending p
            where (p.tenant_id, p.leaderboard, p.run, p.group_key)
              = (grp.tenant_id, grp.leaderboard, grp.run, grp.group_key)
            limit 200)
        returning p.tenant_id, p.leaderboard, p.run, p.group_key, p.minus_value, p.reached_at, p.user_id, p.delta
    )
    select coalesce(array_agg(row(m.*, false)::"laurels".leaderboard_move), '{}') into taken from removed m;
    for place in
      with placed as (
        select f.minus_value, f.reached_at, f.user_id, sum(m.delta) as delta
          from unnest(grp.moves || taken) as m
          cross join lateral (
            select b.minus_value, b.reached_at, b.user_id from "laurels".leaderboard_blocks b
              where (b.tenant_id, b.leaderboard, b.run, b.group_key)
                  = (grp.tenant_id, grp.leaderboard, grp.run, grp.group_key)
                and (b.minus_value, b.reached_at, b.user_id) <= (m.minus_value, m.reached_at, m.user_id)
              order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1
          ) f
          group by 1, 2, 3 having sum(m.delta) <> 0
      )
      update "laurels".leaderboard_blocks b set count = b.count + p.delta from placed p
        where (b.tenant_id, b.leaderboard, b.run, b.group_key)
            = (grp.tenant_id, grp.leaderboard, grp.run, grp.group_key)
          and (b.minus_value, b.reached_at, b.user_id) = (p.minus_value, p.reached_at, p.user_id)
        returning b.minus_value, b.reached_at, b.user_id, b.count, p.delta
    loop
      if place.count > {most entries} or (place.delta < 0 and place.count <= {few entries}) then
        perform "laurels".settle_block(grp.tenant_id, grp.leaderboard, grp.run, grp.group_key,
          place.minus_value, place.reached_at, place.user_id, false);
      end if;
    end loop;
    -- Pending changes that cancel each other out may leave an empty group with its first block.
    if cardinality(taken) > 0 then
      perform "laurels".settle_block(grp.tenant_id, grp.leaderboard, grp.run, grp.group_key,
          b.minus_value, b.reached_at, b.user_id, false)
        from "laurels".leaderboard_blocks b
        where (b.tenant_id, b.leaderboard, b.run, b.group_key)
            = (grp.tenant_id, grp.leaderboard, grp.run, grp.group_key)
          and (b.minus_value, b.reached_at, b.user_id) = ({first position}) and b.count = 0;
    end if;
  end loop;
end
$laurels$;
