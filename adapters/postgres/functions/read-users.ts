import { quote } from '../quote.ts'
import { PLAN_SMALL, PLANNING, TAG, withTag } from './text.ts'

/** Reads users with their progress, and looks up idempotency keys: `[{ n, tenant_id, user_id, lookups }]`, as of one moment. */
export function loadFunction(schema: string): string {
  return withTag(loadText(schema))
}

function loadText(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  const ofUser = 'tenant_id = r.tenant_id and user_id = r.user_id'
  return `
create or replace function ${table('load')}(input jsonb) returns json language sql stable
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
          select ${table('id_text')}(entry_id) from ${table('log')}
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
create or replace function ${quote(schema)}.periods(t text, u text, most bigint) returns text language plpgsql stable
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
create or replace function ${quote(schema)}.named_periods(t text, u text, s text, most bigint) returns json language sql stable
  ${PLANNING} ${PLAN_SMALL} as ${TAG}
  select coalesce(json_agg(json_build_array(p.start_date, p.length, p.kind, p.streak)), '[]') from (
    select n.start_date, n.length, n.kind, n.streak from ${quote(schema)}.named_streak_periods n
      where n.tenant_id = t and n.user_id = u and (s is null or n.streak = s)
      order by n.streak desc, n.start_date desc limit most
  ) p
${TAG}`)
}
