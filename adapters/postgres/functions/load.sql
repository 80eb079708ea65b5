-- Reads users with their progress, and looks up idempotency keys, values and spends, all as of one moment:
-- `[{ n, tenant_id, user_id, lookups, spends }]`.
create function "laurels".load(input jsonb) returns json language sql stable {settings}
as $laurels$
  select json_build_object(
    'epoch', coalesce((select max(epoch) from "laurels".games), 0),
    'users', coalesce((select json_agg(loaded) from (
      select
        r.n,
        (select row_to_json(u) from "laurels".users u where tenant_id = r.tenant_id and user_id = r.user_id) as "user",
        (select coalesce(json_agg(p), '[]') from (
          select 'total' as kind, metric as key, total as amount, highest, null as note
            from "laurels".totals where tenant_id = r.tenant_id and user_id = r.user_id
          union all select 'tally', rule_id, total, highest, null
            from "laurels".tallies where tenant_id = r.tenant_id and user_id = r.user_id
          union all select 'completion', achievement, at, count, entry_id
            from "laurels".completions where tenant_id = r.tenant_id and user_id = r.user_id
          union all select 'points', system, total, 0, level
            from "laurels".points where tenant_id = r.tenant_id and user_id = r.user_id
        ) p) as progress,
        (select coalesce(json_agg(coalesce((
          select "laurels".id_text(entry_id) from "laurels".log line
            where {of indexed user}
              and metric = l.lookup->>'metric' and idempotency_key = l.lookup->>'idempotencyKey'
        ), (
          select "laurels".id_text(entry_id) from "laurels".log line
            where {of indexed user}
              and metric = l.lookup->>'metric' and new_value = l.lookup->>'newValue' and new_value > '' limit 1
        )) order by l.place), '[]') from jsonb_array_elements(r.lookups) with ordinality as l(lookup, place)) as found,
        case when r.spends is not null then (select coalesce(json_agg(m order by m.at, m.seq, m.ordinal), '[]') from (
          select system, at, seq, ordinal, kind, points, amount, balance, entry_id, spend_id, hold_id, lots, reference, until
            from "laurels".movements
            where tenant_id = r.tenant_id and user_id = r.user_id
              and spend_id = any (array(select jsonb_array_elements_text(r.spends)))
        ) m) end as spent
      from jsonb_to_recordset(input) as r(n int, tenant_id text, user_id text, lookups jsonb, spends jsonb)
    ) loaded), '[]')
  )
$laurels$
