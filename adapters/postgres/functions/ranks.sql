-- The order of a group is (minus_value, reached_at, user_id), ascending: best first. These functions are stable, so all
-- their statements see the caller's snapshot.

-- For groups, how many entries come before places, and who is around the last one that ranks:
-- `[{ i, tenant_id, leaderboard, run, group_key, at, most, first, places: [[minus_value, reached_at, user_id]] }]`.
-- Without a limit (`most` is null) whole blocks are counted by their counts, with what hosts' transactions have left,
-- and the rest one by one. With a limit the first `most` entries are read once for all places of the group.
create function "laurels".standings(input jsonb) returns json language plpgsql stable {settings}
  set enable_bitmapscan = off
as $laurels$
begin
  return (select coalesce(json_agg(case when q.most is null then (
      select json_build_object('before', json_agg(case when block.reached_at is null then (
            select count(*) from "laurels".leaderboard_entries e
              where (e.tenant_id, e.leaderboard, e.run, e.group_key) = (q.tenant_id, q.leaderboard, q.run, q.group_key)
                and (e.minus_value, e.reached_at, e.user_id) < (p.minus_value, p.reached_at, p.user_id)
                and (e.until is null or e.until > q.at)
          ) else coalesce((select sum(b.count::int) from "laurels".leaderboard_blocks b
              where (b.tenant_id, b.leaderboard, b.run, b.group_key) = (q.tenant_id, q.leaderboard, q.run, q.group_key)
                and (b.minus_value, b.reached_at, b.user_id) < (block.minus_value, block.reached_at, block.user_id)), 0)
            + (select count(*) from "laurels".leaderboard_entries e
              where (e.tenant_id, e.leaderboard, e.run, e.group_key) = (q.tenant_id, q.leaderboard, q.run, q.group_key)
                and (e.minus_value, e.reached_at, e.user_id) >= (block.minus_value, block.reached_at, block.user_id)
                and (e.minus_value, e.reached_at, e.user_id) < (p.minus_value, p.reached_at, p.user_id))
            + case when p.waits then coalesce((select sum(w.delta) from "laurels".leaderboard_pending w
              where (w.tenant_id, w.leaderboard, w.run, w.group_key) = (q.tenant_id, q.leaderboard, q.run, q.group_key)
                and (w.minus_value, w.reached_at, w.user_id) < (block.minus_value, block.reached_at, block.user_id)
            ), 0) else 0 end
          end order by p.i), 'last', json_build_array())
        from (
          select p.i, (p.place->>0)::float8 as minus_value, (p.place->>1)::bigint as reached_at, p.place->>2 as user_id,
              (select exists (select from "laurels".leaderboard_pending w
                where (w.tenant_id, w.leaderboard, w.run, w.group_key)
                  = (q.tenant_id, q.leaderboard, q.run, q.group_key))) as waits
            from jsonb_array_elements(q.places) with ordinality as p(place, i) offset 0
        ) p
          left join lateral (
            select b.minus_value, b.reached_at, b.user_id from "laurels".leaderboard_blocks b
              where (b.tenant_id, b.leaderboard, b.run, b.group_key) = (q.tenant_id, q.leaderboard, q.run, q.group_key)
                and (b.minus_value, b.reached_at, b.user_id) <= (p.minus_value, p.reached_at, p.user_id)
              order by b.minus_value desc, b.reached_at desc, b.user_id desc limit 1
          ) block on true
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
                  where (e.tenant_id, e.leaderboard, e.run, e.group_key)
                      = (q.tenant_id, q.leaderboard, q.run, q.group_key)
                    and (e.until is null or e.until > q.at)
                  order by e.minus_value, e.reached_at, e.user_id limit q.most
              ) e
            ) s
        ) c where c.i is not null or c.passed > q.first
    ) end order by q.i), '[]')
  from jsonb_to_recordset(input) as q(
    i int, tenant_id text, leaderboard text, run text, group_key text, at bigint, most bigint, first bigint, places jsonb));
end
$laurels$;

-- A page of a group: `[{ user, name, choice, minus_value, reached_at, rank }]`.
create function "laurels".page(
  t text, l text, r text, g text, most bigint, moment bigint, skipped bigint, wanted bigint, around text
) returns json language plpgsql stable {settings}
as $laurels$
declare
  place bigint := skipped;
  passed bigint := 0;
  ends bigint;
  own record;
  first_block record;
  -- The position to read from: at first the beginning of the group.
  v float8 := {first value};
  a bigint := {first time};
  u text := '';
begin
  if around is not null then
    select e.minus_value, e.reached_at, e.user_id into own from "laurels".leaderboard_entries e
      where e.tenant_id = t and e.user_id = around and e.leaderboard = l and e.run = r and e.group_key = g
        and (e.until is null or e.until > moment);
    if not found then return '[]'; end if;
    place := ("laurels".standings(jsonb_build_array(jsonb_build_object(
      'i', 0, 'tenant_id', t, 'leaderboard', l, 'run', r, 'group_key', g, 'at', moment, 'most', most, 'first', most,
      'places', jsonb_build_array(jsonb_build_array(own.minus_value, own.reached_at, own.user_id))
    )))->0->'before'->>0)::bigint;
    if place >= most then return '[]'; end if;
    place := place + skipped;
  end if;
  ends := least(place + wanted, coalesce(most, place + wanted));
  place := greatest(place, 0);
  if ends <= place then return '[]'; end if;

  if most is null and place > 1000 and not exists (
    select from "laurels".leaderboard_pending p where (p.tenant_id, p.leaderboard, p.run, p.group_key) = (t, l, r, g)
  ) then
    select c.minus_value, c.reached_at, c.user_id, c.before into first_block from (
      select b.minus_value, b.reached_at, b.user_id, sum(b.count::int) over (
          order by b.minus_value, b.reached_at, b.user_id rows unbounded preceding) - b.count as before
        from "laurels".leaderboard_blocks b where (b.tenant_id, b.leaderboard, b.run, b.group_key) = (t, l, r, g)
    ) c where c.before <= place order by c.before desc, c.minus_value desc, c.reached_at desc, c.user_id desc limit 1;
    if found then
      v := first_block.minus_value; a := first_block.reached_at; u := first_block.user_id; passed := first_block.before;
    end if;
  end if;
  return (select coalesce(json_agg(line order by line.rank), '[]') from (
    select e.user_id as "user", n.name, n.leaderboard_choice as choice, e.minus_value, e.reached_at,
        place + row_number() over (order by e.minus_value, e.reached_at, e.user_id) as rank
      from (
        select e.minus_value, e.reached_at, e.user_id from "laurels".leaderboard_entries e
          where (e.tenant_id, e.leaderboard, e.run, e.group_key) = (t, l, r, g)
            and (e.minus_value, e.reached_at, e.user_id) >= (v, a, u) and (e.until is null or e.until > moment)
          order by e.minus_value, e.reached_at, e.user_id offset place - passed limit ends - place
      ) e
      left join "laurels".users n on n.tenant_id = t and n.user_id = e.user_id
  ) line);
end
$laurels$;
