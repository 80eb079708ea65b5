import { AWARDS, type Columns, LOG, PROGRESS, type SavedTable, USERS } from './columns.ts'
import { quote } from './quote.ts'
import { SLOTS } from './slots.ts'

/*
 * The functions that the migration creates. They hold no rule of the game: they read and write what was decided in the
 * process. Each has the version of the schema in its name, so that processes of two versions can run beside each other.
 *
 * A save is one call of one function, so nothing is locked between two round trips, and each statement inside sees what
 * was committed before it began. Users that somebody else holds are left out, not waited for: known ones by their row,
 * new ones by an advisory lock, for there is no row yet. What is waited for is held for a moment only: the process's own
 * row and counters, these sorted by key.
 */

/** The advisory lock of a user who is perhaps not there yet: two users may share one, and then wait without need. */
export function userLock(schema: string, tenant: string, user: string): string {
  const name = `laurels ${schema} `.replaceAll("'", "''")
  return `hashtextextended('${name}' || length(${tenant}) || ' ' || ${tenant} || ${user}, 0)`
}

/** Reads users with their progress, and looks up idempotency keys: `[{ n, tenant_id, user_id, lookups }]`, as of one moment. */
export function loadFunction(schema: string): string {
  return withTag(loadText(schema))
}

function loadText(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const ofUser = 'tenant_id = r.tenant_id and user_id = r.user_id'
  return `
create or replace function ${table('load_v1')}(input jsonb) returns json language sql stable ${PLANNING} as ${TAG}
  select json_build_object(
    'epoch', coalesce((select max(epoch) from ${table('games')}), 0),
    'users', coalesce((select json_agg(loaded) from (
      select
        r.n,
        (select row_to_json(u) from ${table('users')} u where ${ofUser}) as "user",
        (select coalesce(json_agg(p), '[]') from (
          select 'total' as kind, metric as key, total as amount, highest, null as note
            from ${table('totals')} where ${ofUser}
          union all select 'tally', rule_id, total, highest, null from ${table('tallies')} where ${ofUser}
          union all select 'completion', achievement, at, 0, entry_id from ${table('completions')} where ${ofUser}
          union all select 'points', system, total, 0, level from ${table('points')} where ${ofUser}
        ) p) as progress,
        (select coalesce(json_agg((
          select entry_id from ${table('log')}
            where (tenant_id || '') = r.tenant_id and (user_id || '') = r.user_id
              and metric = l.lookup->>'metric' and idempotency_key = l.lookup->>'idempotencyKey'
        ) order by l.place), '[]') from jsonb_array_elements(r.lookups) with ordinality as l(lookup, place)) as found
      from jsonb_to_recordset(input) as r(n int, tenant_id text, user_id text, lookups jsonb)
    ) loaded), '[]')
  )
${TAG}`
}

/** Stores what was decided for the users whose version still stands, and reads the others anew. */
export function saveFunction(schema: string): string {
  return withTag(saveText(schema))
}

function saveText(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  return `
create or replace function ${table('save_v1')}(input text) returns text language plpgsql set lock_timeout = '5s' ${PLANNING} as ${TAG}
declare
  doc constant jsonb := input;
  made int[];
  known int[];
  stored int[] := '{}';
  rows bigint;
begin
  -- Without a process it is a call in the host's own transaction, which no fence is needed for.
  if doc ? 'process' then
    insert into ${table('processes')} as p (id, batch, outcome)
      values (doc->>'process', (doc->>'batch')::bigint, 'saved')
      on conflict (id) do update set batch = excluded.batch, outcome = excluded.outcome where p.batch = excluded.batch - 1;
    if not found then return '{"fenced":true}'; end if;
  end if;

  if (doc->>'epoch')::bigint = coalesce((select max(epoch) from ${table('games')}), 0) then
    if doc ? 'created' then
      with inserted as (
        ${insertFrom(schema, USERS, 'created', `pg_try_advisory_xact_lock(${userLock(schema, 'r.tenant_id', 'r.user_id')})`)}
        on conflict do nothing returning tenant_id, user_id
      )
      select array_agg(r.n) into made
        from ${recordset('created', USERS.key)} join inserted i on i.tenant_id = r.tenant_id and i.user_id = r.user_id;
    end if;
    if doc ? 'changed' then
      select array_agg(locked.n) into known from (
        select r.n from ${recordset('changed', { tenant_id: 'text', user_id: 'text', read_version: 'bigint' })}
          join ${table('users')} u
            on u.tenant_id = r.tenant_id and u.user_id = r.user_id and u.version = r.read_version
          order by u.tenant_id, u.user_id for no key update of u skip locked
      ) locked;
      ${updateFrom(schema, USERS, USERS.values, 'changed', 'any(known)')};
    end if;
    stored := coalesce(made, '{}') || coalesce(known, '{}');

    if doc ? 'redated' then
      ${updateFrom(schema, LOG, DATING, 'redated', 'any(stored)')};
      get diagnostics rows = row_count;
      if rows <> (select count(*) from ${recordset('redated', {})} where r.n = any(stored)) then
        raise exception 'The save dates an unknown entry anew.';
      end if;
    end if;
    if doc ? 'log' then
      ${insertFrom(schema, LOG, 'log', 'r.n = any(stored)')};
    end if;
    if doc ? 'removed_awards' then
      ${deleteFrom(schema, AWARDS, 'removed_awards')};
    end if;
    if doc ? 'awards' then
      ${insertFrom(schema, AWARDS, 'awards', 'r.n = any(stored)')};
    end if;
    ${PROGRESS.map((saved) => putAndRemove(schema, saved)).join('')}
    if doc ? 'counters' then
      -- With what calls in transactions of hosts have left: each a row of its own, which nobody else holds.
      with pending as (
        select tenant_id, kind, key, slot from ${table('counters')} where slot >= ${SLOTS} and doc ? 'process'
          order by tenant_id, kind, key, slot limit 100 for update skip locked
      ), taken as (
        delete from ${table('counters')} c using pending p
          where c.tenant_id = p.tenant_id and c.kind = p.kind and c.key = p.key and c.slot = p.slot
          returning c.tenant_id, c.kind, c.key, c.count
      ), added as (
        select r.tenant_id, r.kind, r.key, r.amount as count
          from ${recordset('counters', { tenant_id: 'text', kind: 'text', key: 'text', amount: 'bigint' })}
          where r.n = any(stored)
        union all select tenant_id, kind, key, count from taken
      )
      insert into ${table('counters')} as c (tenant_id, kind, key, slot, count)
        select a.tenant_id, a.kind, a.key, (doc->>'slot')::bigint, sum(a.count)
          from added a group by 1, 2, 3 having sum(a.count) <> 0
          order by a.tenant_id collate "C", a.kind collate "C", a.key collate "C"
        on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count;
    end if;
  end if;

  return json_build_object('stored', to_json(stored), 'left', (
    select ${table('load_v1')}(jsonb_agg(u)) from jsonb_array_elements(doc->'users') u
      where not ((u->>'n')::int = any(stored)) having count(*) > 0
  ))::text;
end
${TAG}`
}

/** Adds up the counts that calls in hosts' transactions have left, but for those that somebody else holds. */
export function foldCounters(schema: string): string {
  const counters = `${quote(schema)}.counters`
  return `
with pending as (
  select tenant_id, kind, key, slot from ${counters} where slot >= ${SLOTS} for update skip locked
), taken as (
  delete from ${counters} c using pending p
    where c.tenant_id = p.tenant_id and c.kind = p.kind and c.key = p.key and c.slot = p.slot
    returning c.tenant_id, c.kind, c.key, c.count
)
insert into ${counters} as c (tenant_id, kind, key, slot, count)
  select t.tenant_id, t.kind, t.key, 0, sum(t.count) from taken t group by 1, 2, 3 having sum(t.count) <> 0
    order by t.tenant_id, t.kind, t.key
  on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count`
}

/**
 * Settles how a batch ended whose answer got lost: waits until the save is through, or makes sure that it never will be.
 * Answers `saved` or `fenced`.
 */
export function fenceFunction(schema: string): string {
  return withTag(fenceText(schema))
}

function fenceText(schema: string): string {
  const processes = `${quote(schema)}.processes`
  return `
create or replace function ${quote(schema)}.fence_v1(process text, number bigint) returns text language plpgsql set lock_timeout = '5s' as ${TAG}
begin
  insert into ${processes} as p (id, batch, outcome) values (process, number, 'fenced')
    on conflict (id) do update set batch = excluded.batch, outcome = excluded.outcome where p.batch = excluded.batch - 1;
  return (select p.outcome from ${processes} p where p.id = process and p.batch = number);
end
${TAG}`
}

/** Stands where the body of a function begins and ends, until `withTag` has found a word that is not in it. */
const TAG = '$-$'

function withTag(text: string): string {
  let tag = 'laurels'
  while (text.includes(`$${tag}$`)) tag += '_'
  return text.replaceAll(TAG, () => `$${tag}$`)
}

/** A plan made while a table was nearly empty stays in a connection for long: it has to go by the indexes from the start. */
const PLANNING = 'set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off'

const DATING: Columns = { epoch: 'bigint', zone: 'text', local_date: 'text', local_time: 'text' }

/** A list of the document as rows `r`, each with the number of its user. */
function recordset(list: string, columns: Columns): string {
  const typed = Object.entries({ n: 'int', ...columns }).map(([name, type]) => `${name} ${type}`)
  return `jsonb_to_recordset(doc->'${list}') as r(${typed.join(', ')})`
}

function namesOf(columns: Columns): readonly string[] {
  return Object.keys(columns)
}

function insertFrom(schema: string, { name, key, values }: SavedTable, list: string, condition: string): string {
  const names = [...namesOf(key), ...namesOf(values)]
  const from = recordset(list, { ...key, ...values })
  return `insert into ${quote(schema)}.${name} (${names.join(', ')})
        select ${names.map((column) => `r.${column}`).join(', ')} from ${from} where ${condition}`
}

function updateFrom(schema: string, { name, key }: SavedTable, set: Columns, list: string, among: string): string {
  const same = namesOf(key).map((column) => `t.${column} = r.${column}`)
  const changes = namesOf(set).map((column) => `${column} = r.${column}`)
  return `update ${quote(schema)}.${name} t set ${changes.join(', ')}
        from ${recordset(list, { ...key, ...set })} where ${same.join(' and ')} and r.n = ${among}`
}

function deleteFrom(schema: string, { name, key }: SavedTable, list: string): string {
  const same = namesOf(key).map((column) => `t.${column} = r.${column}`)
  return `delete from ${quote(schema)}.${name} t using ${recordset(list, key)}
        where ${same.join(' and ')} and r.n = any(stored)`
}

function putAndRemove(schema: string, saved: SavedTable): string {
  const { name, key, values } = saved
  const changes = namesOf(values).map((column) => `${column} = excluded.${column}`)
  return `
    if doc ? 'removed_${name}' then
      ${deleteFrom(schema, saved, `removed_${name}`)};
    end if;
    if doc ? '${name}' then
      ${insertFrom(schema, saved, name, 'r.n = any(stored)')}
        on conflict (${namesOf(key).join(', ')}) do update set ${changes.join(', ')};
    end if;`
}
