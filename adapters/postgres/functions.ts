import { PLAN_SMALL, PLANNING, TAG, withTag } from './function-text.ts'
import { quote } from './quote.ts'
import { SLOTS } from './slots.ts'

/*
 * The functions that migrations create. They hold no rule of the game: they read and write what was decided in the
 * process. Each has a version in its name, so that processes of two versions can run beside each other: a function that
 * changes gets another number, and a migration of its own with a copy of its text.
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
create or replace function ${table('load_v2')}(input jsonb) returns json language sql stable
  ${PLANNING} ${PLAN_SMALL} as ${TAG}
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
          union all select 'completion', achievement, at, count, entry_id from ${table('completions')} where ${ofUser}
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

/**
 * The newest streak periods of a user, in one text: `2026-03-10 4 counted,…`; null: none. There may be hundreds, and rows
 * of JSON are slow to make. They are read in the index's order: sorting them takes longer.
 */
export function periodsFunction(schema: string): string {
  return withTag(`
create or replace function ${quote(schema)}.periods_v1(t text, u text, most bigint) returns text language plpgsql stable
  ${PLANNING} set enable_bitmapscan = off ${PLAN_SMALL} as ${TAG}
begin
  return (select string_agg(concat_ws(' ', p.start_date, p.length, p.kind), ',') from (
    select p.start_date, p.length, p.kind from ${quote(schema)}.streak_periods p
      where p.tenant_id = t and p.user_id = u order by p.start_date desc limit most
  ) p);
end
${TAG}`)
}

/** The newest periods of one of the game's `streaks`, `[[start_date, length, kind, streak], …]`; those of all where `s` is null. */
export function namedPeriodsFunction(schema: string): string {
  return withTag(`
create or replace function ${quote(schema)}.named_periods_v1(t text, u text, s text, most bigint) returns json language sql stable
  ${PLANNING} ${PLAN_SMALL} as ${TAG}
  select coalesce(json_agg(json_build_array(p.start_date, p.length, p.kind, p.streak)), '[]') from (
    select n.start_date, n.length, n.kind, n.streak from ${quote(schema)}.named_streak_periods n
      where n.tenant_id = t and n.user_id = u and (s is null or n.streak = s)
      order by n.streak desc, n.start_date desc limit most
  ) p
${TAG}`)
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

/** Longer than any process leaves a batch unsettled; one that comes back later is registered anew. */
const UNUSED_MS = 86_400_000

/**
 * Registers a process, at batch 0, and removes those that have saved nothing for a day, by the clocks of the processes. That is safe
 * whenever it happens: a save is taken only from a process that is registered, and never registers one.
 */
export function registerFunction(schema: string): string {
  const processes = `${quote(schema)}.processes`
  return withTag(`
create or replace function ${quote(schema)}.register_v1(process text, now bigint) returns void language plpgsql set lock_timeout = '5s' as ${TAG}
begin
  delete from ${processes} where id in (
    select p.id from ${processes} p where p.used_at < now - ${UNUSED_MS} for update skip locked
  );
  insert into ${processes} (id, batch, outcome, used_at) values (process, 0, 'registered', now) on conflict do nothing;
end
${TAG}`)
}

/**
 * Settles how a batch ended whose answer got lost: waits until the save is through, or makes sure that it never will be.
 * Answers `saved` or `fenced`; null where the process is not known by this number: then the save will not be taken any
 * more, but may have been.
 */
export function fenceFunction(schema: string): string {
  const processes = `${quote(schema)}.processes`
  return withTag(`
create or replace function ${quote(schema)}.fence_v2(process text, number bigint) returns text language plpgsql set lock_timeout = '5s' as ${TAG}
begin
  update ${processes} p set batch = number, outcome = 'fenced' where p.id = process and p.batch = number - 1;
  return (select p.outcome from ${processes} p where p.id = process and p.batch = number);
end
${TAG}`)
}
