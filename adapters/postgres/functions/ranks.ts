import { order, positionOf } from '../leaderboard-order.ts'
import { quote } from '../quote.ts'
import { PLAN_SMALL, PLANNING, TAG, withTag } from './text.ts'

/*
 * What leaderboards ask of the database. The order is (minus_value, reached_at, user_id), ascending: best first. Functions
 * that only read are stable, so that all their statements see what the one that calls them sees.
 */

export function ofGroup(alias: string): string {
  return `${alias}.tenant_id = t and ${alias}.leaderboard = l and ${alias}.run = r and ${alias}.group_key = g`
}

/** A group's parameters, in every function that takes one. */
export const GROUP_PARAMETERS = 't text, l text, r text, g text'

export function readingFunctions(schema: string): readonly string[] {
  return [countBefore(schema), standings(schema), page(schema)].map(withTag)
}

/** How many entries of a group without a limit come before a place: whole blocks by their counts, the rest one by one. */
function countBefore(schema: string): string {
  const [blocks, entries, pending] = ['blocks', 'entries', 'pending'].map(
    (name) => `${quote(schema)}.leaderboard_${name}`,
  )
  return `
create or replace function ${quote(schema)}.count_before(${GROUP_PARAMETERS}, v float8, a bigint, u text, moment bigint) returns bigint
  language plpgsql stable as ${TAG}
declare
  block record;
begin
  select b.minus_value, b.reached_at, b.user_id into block from ${blocks} b
    where ${ofGroup('b')} and ${positionOf('b')} <= (v, a, u) order by ${order('b', 'desc')} limit 1;
  if not found then
    return (select count(*) from ${entries} e where ${ofGroup('e')}
      and ${positionOf('e')} < (v, a, u) and (e.until is null or e.until > moment));
  end if;
  return coalesce((select sum(b.count) from ${blocks} b where ${ofGroup('b')} and ${positionOf('b')} < ${positionOf('block')}), 0)
    + (select count(*) from ${entries} e where ${ofGroup('e')}
      and ${positionOf('e')} >= ${positionOf('block')} and ${positionOf('e')} < (v, a, u))
    + coalesce((select sum(p.delta) from ${pending} p where ${ofGroup('p')} and ${positionOf('p')} < ${positionOf('block')}), 0);
end
${TAG}`
}

/** How many entries of a group without a limit come before a place `p` of it: as `count_before` says, within one statement. */
function countedBefore(schema: string): string {
  const [blocks, entries, pending] = ['blocks', 'entries', 'pending'].map(
    (name) => `${quote(schema)}.leaderboard_${name}`,
  )
  const ofAsked = (alias: string): string =>
    ['tenant_id', 'leaderboard', 'run', 'group_key'].map((name) => `${alias}.${name} = q.${name}`).join(' and ')
  return `
      select json_build_object('before', json_agg(case when block.reached_at is null then (
            select count(*) from ${entries} e where ${ofAsked('e')}
              and ${positionOf('e')} < ${positionOf('p')} and (e.until is null or e.until > q.at)
          ) else coalesce((select sum(b.count::int) from ${blocks} b where ${ofAsked('b')}
              and ${positionOf('b')} < ${positionOf('block')}), 0)
            + (select count(*) from ${entries} e where ${ofAsked('e')}
              and ${positionOf('e')} >= ${positionOf('block')} and ${positionOf('e')} < ${positionOf('p')})
            + case when p.waits then coalesce((select sum(w.delta) from ${pending} w where ${ofAsked('w')}
              and ${positionOf('w')} < ${positionOf('block')}), 0) else 0 end
          end order by p.i), 'last', json_build_array())
        from (
          select p.i, (p.place->>0)::float8 as minus_value, (p.place->>1)::bigint as reached_at, p.place->>2 as user_id,
              (select exists (select from ${pending} w where ${ofAsked('w')})) as waits
            from jsonb_array_elements(q.places) with ordinality as p(place, i) offset 0
        ) p
          left join lateral (
            select b.minus_value, b.reached_at, b.user_id from ${blocks} b
              where ${ofAsked('b')} and ${positionOf('b')} <= ${positionOf('p')}
              order by ${order('b', 'desc')} limit 1
          ) block on true`
}

/**
 * For groups, how many entries come before places, and who stands around the last that ranks:
 * `[{ i, tenant_id, leaderboard, run, group_key, at, most, first, places: [[minus_value, reached_at, user_id]] }]`. The
 * places of a group without a limit are counted as one set; with a limit the first `most` entries are gone through once
 * for all places of the group.
 */
function standings(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  return `
create or replace function ${table('standings')}(input jsonb) returns json language plpgsql stable
  ${PLANNING} set enable_bitmapscan = off ${PLAN_SMALL} as ${TAG}
begin
  return (select coalesce(json_agg(case when q.most is null then (${countedBefore(schema)}
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
                select e.minus_value, e.reached_at, e.user_id from ${table('leaderboard_entries')} e
                  where e.tenant_id = q.tenant_id and e.leaderboard = q.leaderboard and e.run = q.run
                    and e.group_key = q.group_key and (e.until is null or e.until > q.at)
                  order by ${order('e')} limit q.most
              ) e
            ) s
        ) c where c.i is not null or c.passed > q.first
    ) end order by q.i), '[]')
  from jsonb_to_recordset(input) as q(
    i int, tenant_id text, leaderboard text, run text, group_key text, at bigint, most bigint, first bigint, places jsonb));
end
${TAG}`
}

/** A page of a group: `[{ user, name, minus_value, reached_at, rank }]`. */
function page(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const blocks = table('leaderboard_blocks')
  return `
create or replace function ${table('page')}(${GROUP_PARAMETERS}, most bigint, moment bigint, skipped bigint, wanted bigint, around text)
  returns json language plpgsql stable ${PLANNING} ${PLAN_SMALL} as ${TAG}
declare
  place bigint := skipped;
  passed bigint := 0;
  ends bigint;
  own record;
  first_block record;
  -- Where the rows are read from: at first the beginning of the group.
  v float8 := -1e308;
  a bigint := ${Number.MIN_SAFE_INTEGER};
  u text := '';
begin
  if around is not null then
    select e.minus_value, e.reached_at, e.user_id into own from ${table('leaderboard_entries')} e
      where e.tenant_id = t and e.user_id = around and e.leaderboard = l and e.run = r and e.group_key = g
        and (e.until is null or e.until > moment);
    if not found then return '[]'; end if;
    if most is null then
      place := skipped + ${table('count_before')}(t, l, r, g, own.minus_value, own.reached_at, own.user_id, moment);
    else
      place := (select count(*) from (select from ${table('leaderboard_entries')} e where ${ofGroup('e')}
        and ${positionOf('e')} < ${positionOf('own')} and (e.until is null or e.until > moment) limit most) b);
      if place >= most then return '[]'; end if;
      place := skipped + place;
    end if;
  end if;
  ends := least(place + wanted, coalesce(most, place + wanted));
  place := greatest(place, 0);
  if ends <= place then return '[]'; end if;

  if most is null and place > 1000 and not exists (select from ${table('leaderboard_pending')} p where ${ofGroup('p')}) then
    select c.minus_value, c.reached_at, c.user_id, c.before into first_block from (
      select b.minus_value, b.reached_at, b.user_id,
          sum(b.count::int) over (order by ${order('b')} rows unbounded preceding) - b.count as before
        from ${blocks} b where ${ofGroup('b')}
    ) c where c.before <= place order by c.before desc, ${order('c', 'desc')} limit 1;
    if found then
      v := first_block.minus_value; a := first_block.reached_at; u := first_block.user_id; passed := first_block.before;
    end if;
  end if;
  return (select coalesce(json_agg(line order by line.rank), '[]') from (
    select e.user_id as "user", n.name, e.minus_value, e.reached_at,
        place + row_number() over (order by ${order('e')}) as rank
      from (
        select e.minus_value, e.reached_at, e.user_id from ${table('leaderboard_entries')} e
          where ${ofGroup('e')} and ${positionOf('e')} >= (v, a, u)
            and (e.until is null or e.until > moment)
          order by ${order('e')} offset place - passed limit ends - place
      ) e
      left join ${table('users')} n on n.tenant_id = t and n.user_id = e.user_id
  ) line);
end
${TAG}`
}
