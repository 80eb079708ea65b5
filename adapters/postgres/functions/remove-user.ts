import { DERIVED_TABLES } from '../../sql/derived-tables.ts'
import { groupLock } from '../leaderboard-order.ts'
import { quote } from '../quote.ts'
import { userLock } from '../user-lock.ts'
import { movesFrom, moveType } from './blocks.ts'
import { PLAN_SMALL, PLANNING, TAG, withTag } from './text.ts'

/**
 * Removes a user: `{ tenant, user, keep, version?, own, slot }`, and stores `save`, a document of `save`, in the same
 * step. Application keys, messages with their deliveries, and other names of the user are removed too, but for `keep`. Answers `removed`, `unknown` or `changed`. Locks in the order of all who write: the user, groups, blocks, counters. A
 * group in which the user stands is held alone, for blocks may have to begin elsewhere. In a host's own transaction (not
 * `own`) no group is locked: what is to be counted in blocks is left to a later save.
 */
export function removeFunction(schema: string): string {
  return withTag(removeText(schema))
}

const PLACE = 'tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id'

/** A user of `save` is held, or not the one that was read. */
const TAKEN = 'LA001'

function removeText(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const [blocks, entries, pending] = ['blocks', 'entries', 'pending'].map((name) => table(`leaderboard_${name}`))
  const ofUser = 'tenant_id = t and user_id = u'
  const tables = [...DERIVED_TABLES.map(({ name }) => name), 'log'].filter((name) => name !== 'leaderboard_entries')
  const remove = (from: string, condition: string): string => `
  delete from ${from} where ${condition};
  get diagnostics rows = row_count;
  removed := removed + rows;`
  return `
create or replace function ${table('remove_user')}(input text, save text) returns text language plpgsql
  set lock_timeout = '5s' ${PLANNING} ${PLAN_SMALL} as ${TAG}
declare
  doc constant jsonb := input;
  t constant text := doc->>'tenant';
  u constant text := doc->>'user';
  is_own constant boolean := (doc->>'own')::boolean;
  keep constant boolean := coalesce((doc->>'keep')::boolean, false);
  name text;
  known bigint;
  removed bigint := 0;
  rows bigint;
  moves ${moveType(schema)}[];
  counts jsonb;
  grp record;
  groups jsonb := '[]';
begin
  perform pg_advisory_xact_lock(${userLock(schema, 't', 'u')});
  select version into known from ${table('users')} where ${ofUser} for update;
  if (doc->>'version')::bigint <> coalesce(known, 0) then return 'changed'; end if;
  if (save::jsonb->>'epoch')::bigint <> coalesce((select max(epoch) from ${table('games')}), 0) then return 'changed'; end if;

  if not keep then
    for name in select x.user_id from ${table('users')} x where x.tenant_id = t and x.merged_into = u order by x.user_id collate "C" loop
      perform ${table('remove_user')}((doc - 'version' || jsonb_build_object('user', name))::text, null);
      removed := removed + 1;
    end loop;
  end if;

  select coalesce(jsonb_agg(c), '[]') into counts from (
    select 'users' as kind, '' as key from ${table('users')} where ${ofUser} and merged_into is null
    union all select 'completions', achievement from ${table('completions')} where ${ofUser}
    union all select 'level', '[' || to_json(system)::text || ',' || to_json(level)::text || ']'
      from ${table('points')} where ${ofUser} and level is not null
  ) c;
  -- Before what is left of the user is read: another save may be adding it up.
  if is_own then
    for grp in
      select g.leaderboard, g.run, g.group_key from (
        select e.leaderboard, e.run, e.group_key from ${entries} e where ${ofUser} and e.until is null
        union select p.leaderboard, p.run, p.group_key from ${pending} p where ${ofUser}
        union select b.leaderboard, b.run, b.group_key from ${blocks} b
          where b.user_id <> '' and b.user_id = u and b.tenant_id = t
      ) g order by g.leaderboard collate "C", g.run collate "C", g.group_key collate "C"
    loop
      perform pg_advisory_xact_lock(${groupLock(schema, ['t', 'grp.leaderboard', 'grp.run', 'grp.group_key'])});
      groups := groups || jsonb_build_array(to_jsonb(grp));
    end loop;
  end if;
  -- With what hosts' transactions have left of the user: nobody is to find the id there later.
  ${movesFrom(
    schema,
    `(
    select ${PLACE}, sum(delta) as delta, false as unlimited from (
      select ${PLACE}, -1 as delta from ${entries} where ${ofUser} and until is null
      union all select ${PLACE}, delta from ${pending} where is_own and ${ofUser}
    ) places group by 1, 2, 3, 4, 5, 6, 7 having sum(delta) <> 0
  )`,
    'moves',
  )};
  if is_own then
    delete from ${pending} where ${ofUser};
  end if;${remove(entries ?? '', ofUser)}

  perform ${table('count_moves')}(moves, is_own);
  for grp in select g.* from jsonb_to_recordset(groups) as g(leaderboard text, run text, group_key text) loop
    perform ${table('forget_starts')}(t, grp.leaderboard, grp.run, grp.group_key, u);
  end loop;
${tables.map((name) => remove(table(name), ofUser)).join('')}${remove(table('api_keys'), `kind = 'application' and ${ofUser} and not keep`)}${remove(table('messages'), `${ofUser} and not keep`)}${remove(table('deliveries'), `${ofUser} and not keep`)}

  if save is not null and ${table('save')}(save)::jsonb->>'left' is not null then
    raise exception 'Somebody else has written a user meanwhile.' using errcode = '${TAKEN}';
  end if;
  insert into ${table('counters')} as c (tenant_id, kind, key, slot, count)
    select t, a.kind, a.key, (doc->>'slot')::bigint, -1 from jsonb_to_recordset(counts) as a(kind text, key text)
      order by a.kind collate "C", a.key collate "C"
    on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count;
  return case when removed > 0 then 'removed' else 'unknown' end;
exception when sqlstate '${TAKEN}' then
  -- All of it is undone.
  return 'changed';
end
${TAG}`
}
