import { FIRST_POSITION_TEXT, order, positionOf } from '../leaderboard-order.ts'
import { quote } from '../quote.ts'
import { GROUP_PARAMETERS, LAST_POSITION_TEXT, ofGroup } from './ranks.ts'
import { PLAN_SMALL, PLANNING, TAG, withTag } from './text.ts'

/*
 * Groups without a limit are counted in blocks of the order, at two levels. Who changes counts holds a shared lock of the
 * group, so that blocks begin where they began while counts are added; who splits, merges or makes blocks holds it alone.
 * Locks are taken in one order: groups, then blocks of level 1, then blocks of level 2, each by their keys.
 */

const MOST_ENTRIES = 96
const FEW_ENTRIES = 12
const MERGED_ENTRIES = 60
const BUILT_ENTRIES = 48
const MOST_BLOCKS = 128
const FEW_BLOCKS = 16
const MERGED_BLOCKS = 96
const BUILT_BLOCKS = 64
/** How many of what hosts' transactions have left a save adds up for each group. */
const MOST_PENDING = 200

/** The type of a move: how the count of entries at a place of a group changes. Functions hand lists of them to each other. */
export function moveType(schema: string): string {
  return `${quote(schema)}.leaderboard_move`
}

const MOVE_COLUMNS = [
  ...['tenant_id', 'leaderboard', 'run', 'group_key', 'minus_value', 'reached_at', 'user_id'],
  ...['delta', 'unlimited'],
]

/** Reads a list of moves: `from` has a column for each member of a move. */
export function movesFrom(schema: string, from: string, into: string): string {
  const members = MOVE_COLUMNS.map((column) => `m.${column}`).join(', ')
  return `select coalesce(array_agg(row(${members})::${moveType(schema)}), '{}') into ${into} from ${from} m`
}

export function blockFunctions(schema: string): readonly string[] {
  return [countBlocks(schema), buildBlocks(schema), beginMoves(schema), tidyBlocks(schema)].map(withTag)
}

/** The advisory lock of a group. */
export function lockOf(schema: string, group: readonly [string, string, string, string]): string {
  const name = `laurels ${schema} leaderboard`.replaceAll("'", "''")
  return `hashtextextended(json_build_array('${name}', ${group.join(', ')})::text, 0)`
}

/**
 * Locks the groups of some moves that are counted in blocks, and answers their moves, with what hosts' transactions have
 * left. In a host's own transaction it leaves the moves to a later save instead, for nobody may wait for the host.
 */
function beginMoves(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const lock = lockOf(schema, ['place.tenant_id', 'place.leaderboard', 'place.run', 'place.group_key'])
  const same = (alias: string): string =>
    ['tenant_id', 'leaderboard', 'run', 'group_key'].map((name) => `${alias}.${name} = place.${name}`).join(' and ')
  return `
create or replace function ${table('begin_moves')}(moves ${moveType(schema)}[], is_own boolean) returns ${moveType(schema)}[]
  language plpgsql as ${TAG}
declare
  place record;
  is_counted boolean;
  counted ${moveType(schema)}[] := '{}';
  taken ${moveType(schema)}[];
begin
  for place in
    select m.tenant_id, m.leaderboard, m.run, m.group_key, bool_or(m.unlimited) as unlimited, array_agg(m) as moves
      from unnest(moves) as m group by 1, 2, 3, 4
      order by m.tenant_id collate "C", m.leaderboard collate "C", m.run collate "C", m.group_key collate "C"
  loop
    is_counted := exists (select from ${table('leaderboard_blocks')} b where ${same('b')} and b.level = 2);
    if not is_counted and not place.unlimited then continue; end if;
    if not is_own then
      insert into ${table('leaderboard_pending')} (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, delta)
        select m.tenant_id, m.leaderboard, m.run, m.group_key, m.minus_value, m.reached_at, m.user_id, m.delta
          from unnest(place.moves) as m;
      continue;
    end if;
    if is_counted then
      perform pg_advisory_xact_lock_shared(${lock});
    else
      perform pg_advisory_xact_lock(${lock});
      perform ${table('build_blocks')}(place.tenant_id, place.leaderboard, place.run, place.group_key);
    end if;
    with removed as (
      delete from ${table('leaderboard_pending')} p where p.id in (
        select p.id from ${table('leaderboard_pending')} p where ${same('p')}
          order by p.id limit ${MOST_PENDING} for update skip locked
      ) returning p.tenant_id, p.leaderboard, p.run, p.group_key, p.minus_value, p.reached_at, p.user_id, p.delta, false as unlimited
    )
    ${movesFrom(schema, 'removed', 'taken')};
    counted := counted || taken || place.moves;
  end loop;
  return counted;
end
${TAG}`
}

/** Adds moves to the counts of the blocks they lie in; answers the blocks that have become too large or too small. */
function countBlocks(schema: string): string {
  const blocks = `${quote(schema)}.leaderboard_blocks`
  const names = ['tenant_id', 'leaderboard', 'run', 'group_key', 'minus_value', 'reached_at', 'user_id']
  const same = (left: string, right: string): string =>
    names.map((name) => `${left}.${name} = ${right}.${name}`).join(' and ')
  const counting = (level: 1 | 2): string => `
  with placed as (
    select m.tenant_id, m.leaderboard, m.run, m.group_key, f.minus_value, f.reached_at, f.user_id, sum(m.delta) as delta
      from unnest(moves) as m
      cross join lateral (
        select b.minus_value, b.reached_at, b.user_id from ${blocks} b
          where b.tenant_id = m.tenant_id and b.leaderboard = m.leaderboard and b.run = m.run
            and b.group_key = m.group_key and b.level = ${level} and ${positionOf('b')} <= ${positionOf('m')}
          order by ${order('b', 'desc')} limit 1
      ) f
      group by 1, 2, 3, 4, 5, 6, 7 having sum(m.delta) <> 0
  ), locked as materialized (
    select b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id, p.delta
      from placed p join ${blocks} b on ${same('b', 'p')} and b.level = ${level}
      order by ${names.map((name) => `b.${name}`).join(', ')} for no key update of b
  ), counted as (
    update ${blocks} b set count = b.count + l.delta from locked l where ${same('b', 'l')} and b.level = ${level}
      returning b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id, b.count, l.delta
  )`
  return `
create or replace function ${quote(schema)}.count_blocks(moves ${moveType(schema)}[]) returns jsonb language plpgsql as ${TAG}
declare
  crowded jsonb;
  blocks bigint;
begin
  ${counting(1)}
  select jsonb_agg(c) into crowded from counted c
    where c.count > ${MOST_ENTRIES}
      or (c.delta < 0 and (c.count = 0 or (c.count <= ${FEW_ENTRIES} and c.count - c.delta > ${FEW_ENTRIES})));
  ${counting(2)}
  select count(*) into blocks from counted;
  return crowded;
end
${TAG}`
}

/** Makes the blocks of a group that has none, of the entries it has. The group is locked. */
function buildBlocks(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const blocks = table('leaderboard_blocks')
  const columns = 'tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id, count'
  return `
create or replace function ${table('build_blocks')}(${GROUP_PARAMETERS}) returns void language plpgsql as ${TAG}
declare
  size bigint;
  pending ${moveType(schema)}[];
begin
  if exists (select from ${blocks} b where ${ofGroup('b')}) then return; end if;
  -- One statement, so that no transaction of a host's ends between what is counted and what is left to be added up.
  with counted as (
    insert into ${blocks} (${columns})
      select t, l, r, g, 1, x.minus_value, x.reached_at, x.user_id, coalesce(lead(x.n) over (order by x.n), x.total) - x.n from (
        select e.minus_value, e.reached_at, e.user_id, row_number() over (order by ${order('e')}) - 1 as n, count(*) over () as total
          from ${table('leaderboard_entries')} e where ${ofGroup('e')} and e.until is null
      ) x where x.n % ${BUILT_ENTRIES} = 0 returning 1
  )
  ${movesFrom(
    schema,
    `(
    select p.tenant_id, p.leaderboard, p.run, p.group_key, p.minus_value, p.reached_at, p.user_id, -p.delta as delta,
        false as unlimited
      from ${table('leaderboard_pending')} p where ${ofGroup('p')}
  )`,
    'pending',
  )};
  delete from ${blocks} b where ${ofGroup('b')} and b.level = 1 and ${positionOf('b')} = (
    select f.minus_value, f.reached_at, f.user_id from ${blocks} f where ${ofGroup('f')} and f.level = 1 order by ${order('f')} limit 1
  ) returning b.count into size;
  insert into ${blocks} (${columns}) values (t, l, r, g, 1, ${FIRST_POSITION_TEXT}, coalesce(size, 0));
  insert into ${blocks} (${columns})
    select t, l, r, g, 2, x.minus_value, x.reached_at, x.user_id, x.size from (
      select b.*, row_number() over (order by ${order('b')}) - 1 as n,
          sum(b.count) over (order by ${order('b')} rows between current row and ${BUILT_BLOCKS - 1} following) as size
        from ${blocks} b where ${ofGroup('b')} and b.level = 1
    ) x where x.n % ${BUILT_BLOCKS} = 0;
  -- What hosts' transactions have left is among the entries, and will be counted when it is added up.
  perform ${table('count_blocks')}(pending);
end
${TAG}`
}

/** Splits and merges blocks of a group that have become too large or too small: \`[{ minus_value, reached_at, user_id }]\`. */
function tidyBlocks(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const blocks = table('leaderboard_blocks')
  const columns = 'tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id, count'
  const block = (level: 1 | 2): string => `${ofGroup('b')} and b.level = ${level}`
  const at = (place: string): string => `${positionOf('b')} = ${positionOf(place)}`
  /** The block of a level that begins next after a place, or the end of all. */
  const next = (level: 1 | 2, place: string, into: string): string => `
    select b.minus_value, b.reached_at, b.user_id, b.count into ${into} from ${blocks} b
      where ${block(level)} and ${positionOf('b')} > ${positionOf(place)} order by ${order('b')} limit 1;
    if not found then select m.minus_value, m.reached_at, m.user_id, 0::bigint as count into ${into}
      from (values (${LAST_POSITION_TEXT})) as m(minus_value, reached_at, user_id); end if;`
  const last = (level: 1 | 2, operator: '<' | '<=', place: string, into: string): string => `
    select b.minus_value, b.reached_at, b.user_id, b.count into ${into} from ${blocks} b
      where ${block(level)} and ${positionOf('b')} ${operator} ${positionOf(place)} order by ${order('b', 'desc')} limit 1;`
  return `
create or replace function ${table('tidy_blocks')}(${GROUP_PARAMETERS}, places jsonb) returns void language plpgsql
  set lock_timeout = '5s' ${PLANNING} ${PLAN_SMALL} as ${TAG}
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
  perform pg_advisory_xact_lock(${lockOf(schema, ['t', 'l', 'r', 'g'])});
  for place in select * from jsonb_to_recordset(places) as p(minus_value float8, reached_at bigint, user_id text) loop
    loop
      size := (select b.count from ${blocks} b where ${block(1)} and ${at('place')});
      exit when size is null or size <= ${MOST_ENTRIES};
      ${next(1, 'place', 'ending')}
      select e.minus_value, e.reached_at, e.user_id into middle from ${table('leaderboard_entries')} e
        where ${ofGroup('e')} and e.until is null and ${positionOf('e')} > ${positionOf('place')} and ${positionOf('e')} < ${positionOf('ending')}
        order by ${order('e')} offset ${BUILT_ENTRIES} limit 1;
      exit when not found;
      moved := (select count(*) from ${table('leaderboard_entries')} e where ${ofGroup('e')} and e.until is null
          and ${positionOf('e')} >= ${positionOf('middle')} and ${positionOf('e')} < ${positionOf('ending')})
        - coalesce((select sum(p.delta) from ${table('leaderboard_pending')} p where ${ofGroup('p')}
          and ${positionOf('p')} >= ${positionOf('middle')} and ${positionOf('p')} < ${positionOf('ending')}), 0);
      insert into ${blocks} (${columns}) values (t, l, r, g, 1, middle.minus_value, middle.reached_at, middle.user_id, moved);
      update ${blocks} b set count = b.count - moved where ${block(1)} and ${at('place')};
      -- What is left at the place is small enough; the rest may have to be split again.
      place := middle;
    end loop;
    continue when size is null;
    ${last(2, '<=', 'place', 'outer_block')}
    if size <= ${FEW_ENTRIES} and ${positionOf('outer_block')} < ${positionOf('place')} then
      ${last(1, '<', 'place', 'neighbour')}
      if neighbour.count + size <= ${MERGED_ENTRIES} then
        delete from ${blocks} b where ${block(1)} and ${at('place')};
        update ${blocks} b set count = b.count + size where ${block(1)} and ${at('neighbour')};
      end if;
    elsif size <= ${FEW_ENTRIES} then
      ${next(1, 'place', 'neighbour')}
      ${next(2, 'outer_block', 'outer_end')}
      if ${positionOf('neighbour')} < ${positionOf('outer_end')} and neighbour.count + size <= ${MERGED_ENTRIES} then
        delete from ${blocks} b where ${block(1)} and ${at('neighbour')};
        update ${blocks} b set count = b.count + neighbour.count where ${block(1)} and ${at('place')};
      end if;
    end if;
    ${next(2, 'outer_block', 'outer_end')}
    members := (select count(*) from ${blocks} b where ${block(1)}
      and ${positionOf('b')} >= ${positionOf('outer_block')} and ${positionOf('b')} < ${positionOf('outer_end')});
    if members > ${MOST_BLOCKS} then
      select b.minus_value, b.reached_at, b.user_id into middle from ${blocks} b where ${block(1)}
        and ${positionOf('b')} >= ${positionOf('outer_block')} order by ${order('b')} offset members / 2 limit 1;
      moved := (select sum(b.count) from ${blocks} b where ${block(1)}
        and ${positionOf('b')} >= ${positionOf('middle')} and ${positionOf('b')} < ${positionOf('outer_end')});
      insert into ${blocks} (${columns}) values (t, l, r, g, 2, middle.minus_value, middle.reached_at, middle.user_id, moved);
      update ${blocks} b set count = b.count - moved where ${block(2)} and ${at('outer_block')};
    elsif members < ${FEW_BLOCKS} then
      ${last(2, '<', 'outer_block', 'neighbour')}
      if found and members + (select count(*) from ${blocks} b where ${block(1)}
          and ${positionOf('b')} >= ${positionOf('neighbour')} and ${positionOf('b')} < ${positionOf('outer_block')}) <= ${MERGED_BLOCKS} then
        delete from ${blocks} b where ${block(2)} and ${at('outer_block')};
        update ${blocks} b set count = b.count + outer_block.count where ${block(2)} and ${at('neighbour')};
      end if;
    end if;
  end loop;
end
${TAG}`
}
