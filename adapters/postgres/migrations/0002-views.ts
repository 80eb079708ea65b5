import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const views: Migration = {
  name: '0002-views',
  texts: [
    // As a numeric a double has 15 digits, as the totals have.
    `create view "laurels".view_metric_totals as
select tenant_id, user_id, metric_key, date, change::double precision as change,
  (sum(change) over (partition by tenant_id, user_id, metric_key order by date rows unbounded preceding)
    )::double precision::numeric::double precision as total
from (
  select tenant_id, user_id, metric as metric_key, local_date as date,
    sum(value::numeric)::double precision::numeric as change
  from "laurels".log where kind = 'eventRecorded' and voided_by is null
  group by tenant_id, user_id, metric, local_date
) by_day`,
    `create view "laurels".view_points_totals as
select tenant_id, user_id, points_system_key, date, change,
  sum(change) over (partition by tenant_id, user_id, points_system_key order by date rows unbounded preceding) as total
from (
  select a.tenant_id, a.user_id, a.system as points_system_key, l.local_date as date, sum(a.awarded) as change
  from "laurels".awards a
    join "laurels".log l on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq
  group by a.tenant_id, a.user_id, a.system, l.local_date
) by_day`,
    `create view "laurels".view_streak_periods as
select tenant_id, user_id, start_date as period_start,
  case (select definition::json #>> '{streak,frequency}' from "laurels".games order by epoch desc limit 1)
    when 'daily' then start_date
    when 'weekly' then to_char(start_date::date + 6, 'YYYY-MM-DD') collate "C"
    when 'monthly'
      then to_char(date_trunc('month', start_date::timestamp) + interval '1 month -1 day', 'YYYY-MM-DD') collate "C"
  end as period_end,
  length::integer as length, kind = 'frozen' as used_freeze, kind = 'paused' as used_pause
from "laurels".streak_periods`,
    `create view "laurels".view_streak_freezes as
select tenant_id, user_id, local_date as date, 'granted' as type, (data::json ->> 'count')::integer as count
from "laurels".log where kind = 'freezesGranted'
union all
select tenant_id, user_id, start_date as date, 'consumed' as type, 1 as count
from "laurels".streak_periods where kind = 'frozen'`,
    `create view "laurels".view_leaderboard_rankings as
select tenant_id, user_id, coalesce(names::json ->> 0, leaderboard) as leaderboard_key,
  substr(run, 1, 10) as run, substr(run, 12) as version,
  nullif(coalesce(names::json ->> 1, group_key), '') as breakdown_attribute_values,
  (row_number() over (
    partition by tenant_id, leaderboard, run, group_key order by minus_value, reached_at, user_id
  ))::integer as rank,
  0 - minus_value as value,
  to_char(to_timestamp(reached_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as reached_at,
  to_char(to_timestamp(until / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until
from "laurels".leaderboard_entries`,
    `create view "laurels".view_achievement_completions as
select c.tenant_id, c.user_id, c.achievement as achievement_key, l.local_date as date,
  to_char(to_timestamp(c.at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as achieved_at
from "laurels".completions c
  left join "laurels".log l on l.tenant_id = c.tenant_id and l.entry_id = c.entry_id`,
  ],
}
