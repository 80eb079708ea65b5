import { BLOCK_ENTRIES, FEW_ENTRIES, MOST_ENTRIES } from '../../sql/leaderboard-blocks.ts'
import { FIRST_POSITION_TEXT, groupLock, LAST_POSITION_TEXT, order, positionOf } from '../leaderboard-order.ts'
import { quote } from '../quote.ts'
import { GROUP_PARAMETERS, ofGroup } from './ranks.ts'
import { PLAN_SMALL, PLANNING, TAG, withTag } from './text.ts'

/*
 * Groups without a limit are counted in blocks of their order. Whoever changes blocks holds the lock of the group until the
 * end of the transaction, so counts are added and blocks divided in one step. Locks of groups are taken in the order of their
 * keys, after those of users.
 */

/** How many changes that hosts' transactions have left a save adds up for each group. */
const MOST_PENDING = 200

/** The type of a move: how the count of entries at a place of a group changes. Functions hand lists of them to each other. */
function moveType(schema: string): string {
  return `${quote(schema)}.leaderboard_move`
}

const MOVE_COLUMNS = [
  ...['tenant_id', 'leaderboard', 'run', 'group_key', 'minus_value', 'reached_at', 'user_id'],
  ...['delta', 'unlimited'],
]

/** Reads a list of moves: `from` has a column for each member of a move. */
function movesFrom(schema: string, from: string, into: string): string {
  const members = MOVE_COLUMNS.map((column) => `m.${column}`).join(', ')
  return `select coalesce(array_agg(row(${members})::${moveType(schema)}), '{}') into ${into} from ${from} m`
}

export function blockFunctions(schema: string): readonly string[] {
  return [recountBlocks(schema), settleBlock(schema), countMoves(schema), forgetStarts(schema)].map(withTag)
}

const START = 'v float8, a bigint, u text'
const END = 'end_value float8, end_at bigint, end_user text'

/**
 * Makes the blocks of a locked group again, from one position to another; the first begins where the range does. An empty
 * range gets one empty block, unless it is the whole group. What hosts' transactions have left is not counted yet.
 */
function recountBlocks(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.leaderboard_${name}`
  const within = (alias: string): string =>
    `${ofGroup(alias)} and ${positionOf(alias)} >= (v, a, u) and ${positionOf(alias)} < (end_value, end_at, end_user)`
  // One statement, so that no transaction of a host's ends between the counts of entries and of pending changes.
  return `
create or replace function ${quote(schema)}.recount_blocks(${GROUP_PARAMETERS}, ${START}, ${END}) returns void
  language plpgsql ${PLANNING} ${PLAN_SMALL} as ${TAG}
begin
  delete from ${table('blocks')} b where ${within('b')};
  insert into ${table('blocks')} (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, count)
    with numbered as (
      select e.minus_value, e.reached_at, e.user_id, row_number() over (order by ${order('e')}) - 1 as n, count(*) over () as total
        from ${table('entries')} e where ${within('e')} and e.until is null
    ), starts as (
      select x.minus_value, x.reached_at, x.user_id from numbered x
        where x.n > 0 and x.n % ceil(x.total / greatest(1, round(x.total / ${BLOCK_ENTRIES}.0)))::bigint = 0
      union all select v, a, u
    ), ranges as (
      select s.*, lead(s.minus_value, 1, end_value) over w as next_value, lead(s.reached_at, 1, end_at) over w as next_at,
          lead(s.user_id, 1, end_user) over w as next_user
        from starts s window w as (order by ${order('s')})
    )
    select t, l, r, g, s.minus_value, s.reached_at, s.user_id,
        (select count(*) from numbered x where ${inRange('x')})
          - coalesce((select sum(p.delta) from ${table('pending')} p where ${ofGroup('p')} and ${inRange('p')}), 0)
      from ranges s
      where (v, a, u) > (${FIRST_POSITION_TEXT}) or (end_value, end_at, end_user) < (${LAST_POSITION_TEXT})
        or exists (select from numbered) or exists (select from ${table('pending')} p where ${ofGroup('p')});
end
${TAG}`
}

function inRange(alias: string): string {
  return `${positionOf(alias)} >= ${positionOf('s')} and ${positionOf(alias)} < (s.next_value, s.next_at, s.next_user)`
}

/** Makes a block of a locked group again that has become too large or too small, perhaps together with a neighbour. */
function settleBlock(schema: string): string {
  const blocks = `${quote(schema)}.leaderboard_blocks`
  const near = (into: string, operator: '<' | '>', of: string): string => `
  select b.minus_value, b.reached_at, b.user_id, b.count into ${into} from ${blocks} b
    where ${ofGroup('b')} and ${positionOf('b')} ${operator} ${positionOf(of)}
    order by ${order('b', operator === '<' ? 'desc' : 'asc')} limit 1`
  const orElse = (of: string, position: string): string => `
  if not found then select m.minus_value, m.reached_at, m.user_id, null::bigint as count into ${of}
    from (values (${position})) as m(minus_value, reached_at, user_id); end if`
  const next = (into: string, of: string): string => `${near(into, '>', of)};${orElse(into, LAST_POSITION_TEXT)};`
  const recount = (start: string, until: string): string => {
    const [from, to] = [start, until].map((of) => `${of}.minus_value, ${of}.reached_at, ${of}.user_id`)
    return `perform ${quote(schema)}.recount_blocks(t, l, r, g, ${from}, ${to}); return`
  }
  const fits = (of: string): string =>
    `(size = 0 and ${of}.count is not null or size + ${of}.count <= ${BLOCK_ENTRIES})`
  return `
create or replace function ${quote(schema)}.settle_block(${GROUP_PARAMETERS}, ${START}, is_gone boolean) returns void
  language plpgsql ${PLANNING} ${PLAN_SMALL} as ${TAG}
declare
  size bigint;
  place record;
  previous record;
  following record;
  ending record;
begin
  select b.minus_value, b.reached_at, b.user_id, b.count into place from ${blocks} b
    where ${ofGroup('b')} and ${positionOf('b')} = (v, a, u);
  -- It was made again together with a neighbour.
  if not found then return; end if;
  size := place.count;${next('following', 'place')}
  if size > ${MOST_ENTRIES} and not is_gone then ${recount('place', 'following')}; end if;${near('previous', '<', 'place')};${orElse('previous', FIRST_POSITION_TEXT)};
  if is_gone or ${fits('previous')} then ${recount('previous', 'following')}; end if;
  if ${fits('following')} then${next('ending', 'following')}
    ${recount('place', 'ending')};
  end if;
  if size = 0 then ${recount('place', 'following')}; end if;
end
${TAG}`
}

/**
 * Adds moves to the counts of the blocks they lie in, with what hosts' transactions have left, after the entries were
 * written. The first move of a group without a limit makes its blocks. A host's own transaction leaves its moves to a later
 * save instead: others must not wait until it ends.
 */
function countMoves(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const [blocks, pending] = [table('leaderboard_blocks'), table('leaderboard_pending')]
  const lock = groupLock(schema, ['grp.tenant_id', 'grp.leaderboard', 'grp.run', 'grp.group_key'])
  const same = (alias: string): string =>
    ['tenant_id', 'leaderboard', 'run', 'group_key'].map((name) => `${alias}.${name} = grp.${name}`).join(' and ')
  const isCounted = `exists (select from ${blocks} b where ${same('b')})`
  const key = 'grp.tenant_id, grp.leaderboard, grp.run, grp.group_key'
  return `
create or replace function ${table('count_moves')}(moves ${moveType(schema)}[], is_own boolean) returns void
  language plpgsql ${PLANNING} ${PLAN_SMALL} as ${TAG}
declare
  grp record;
  place record;
  taken ${moveType(schema)}[];
begin
  for grp in
    select m.tenant_id, m.leaderboard, m.run, m.group_key, bool_or(m.unlimited) as unlimited, array_agg(m) as moves
      from unnest(moves) as m group by 1, 2, 3, 4
      order by m.tenant_id collate "C", m.leaderboard collate "C", m.run collate "C", m.group_key collate "C"
  loop
    if not grp.unlimited and not ${isCounted} then continue; end if;
    if not is_own then
      insert into ${pending} (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, delta)
        select m.tenant_id, m.leaderboard, m.run, m.group_key, m.minus_value, m.reached_at, m.user_id, m.delta
          from unnest(grp.moves) as m;
      continue;
    end if;
    perform pg_advisory_xact_lock(${lock});
    if not ${isCounted} then
      if grp.unlimited then
        perform ${table('recount_blocks')}(${key}, ${FIRST_POSITION_TEXT}, ${LAST_POSITION_TEXT});
      end if;
      continue;
    end if;
    with removed as (
      delete from ${pending} p where p.id in (select p.id from ${pending} p where ${same('p')} limit ${MOST_PENDING})
        returning p.tenant_id, p.leaderboard, p.run, p.group_key, p.minus_value, p.reached_at, p.user_id, p.delta, false as unlimited
    )
    ${movesFrom(schema, 'removed', 'taken')};
    for place in
      with placed as (
        select f.minus_value, f.reached_at, f.user_id, sum(m.delta) as delta
          from unnest(grp.moves || taken) as m
          cross join lateral (
            select b.minus_value, b.reached_at, b.user_id from ${blocks} b
              where ${same('b')} and ${positionOf('b')} <= ${positionOf('m')} order by ${order('b', 'desc')} limit 1
          ) f
          group by 1, 2, 3 having sum(m.delta) <> 0
      )
      update ${blocks} b set count = b.count + p.delta from placed p where ${same('b')} and ${positionOf('b')} = ${positionOf('p')}
        returning b.minus_value, b.reached_at, b.user_id, b.count, p.delta
    loop
      if place.count > ${MOST_ENTRIES} or (place.delta < 0 and place.count <= ${FEW_ENTRIES}) then
        perform ${table('settle_block')}(${key}, place.minus_value, place.reached_at, place.user_id, false);
      end if;
    end loop;
    -- Pending changes that cancel each other out may leave an empty group with its first block.
    if cardinality(taken) > 0 then
      perform ${table('settle_block')}(${key}, b.minus_value, b.reached_at, b.user_id, false)
        from ${blocks} b where ${same('b')} and ${positionOf('b')} = (${FIRST_POSITION_TEXT}) and b.count = 0;
    end if;
  end loop;
end
${TAG}`
}

/** Makes every block of a locked group again that begins with a user whose entries are gone, so that the id is kept nowhere. */
function forgetStarts(schema: string): string {
  return `
create or replace function ${quote(schema)}.forget_starts(${GROUP_PARAMETERS}, gone text) returns void language plpgsql as ${TAG}
declare
  place record;
begin
  for place in
    select b.minus_value, b.reached_at, b.user_id from ${quote(schema)}.leaderboard_blocks b where ${ofGroup('b')} and b.user_id = gone
  loop
    perform ${quote(schema)}.settle_block(t, l, r, g, place.minus_value, place.reached_at, place.user_id, true);
  end loop;
end
${TAG}`
}
