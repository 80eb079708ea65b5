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
