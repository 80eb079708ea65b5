import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const views: Migration = {
  name: '0002-views',
  texts: [
    // A sum of doubles is rounded to as many decimal places as the values have, and to 15 digits, as the totals are.
    `create view laurels_view_metric_totals as
select tenant_id, user_id, metric_key, date, change,
  cast(printf('%.15g', round(sum(change) over days, max(places) over days)) as real) + 0.0 as total
from (
  select tenant_id, user_id, metric as metric_key, local_date as date,
    cast(printf('%.15g', round(sum(value), max(places))) as real) + 0.0 as change, max(places) as places
  from (
    select tenant_id, user_id, metric, local_date, value,
      max(0, length(rtrim(substr(digits, instr(digits, '.') + 1, 14), '0'))
        - cast(substr(digits, instr(digits, 'e') + 1) as integer)) as places
    from (
      select tenant_id, user_id, metric, local_date, value, printf('%.14e', value) as digits
      from laurels_log where kind = 'eventRecorded' and voided_by is null
    )
  )
  group by tenant_id, user_id, metric, local_date
)
window days as (partition by tenant_id, user_id, metric_key order by date rows unbounded preceding)`,
    `create view laurels_view_points_totals as
select tenant_id, user_id, points_system_key, date, change,
  sum(change) over (partition by tenant_id, user_id, points_system_key order by date rows unbounded preceding) as total
from (
  select a.tenant_id, a.user_id, a.system as points_system_key, l.local_date as date, sum(a.awarded) as change
  from laurels_awards a
    join laurels_log l on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq
  group by a.tenant_id, a.user_id, a.system, l.local_date
)`,
    `create view laurels_view_streak_periods as
select tenant_id, user_id, start_date as period_start,
  case (select json_extract(definition, '$.streak.frequency') from laurels_games order by epoch desc limit 1)
    when 'daily' then start_date
    when 'weekly' then date(start_date, '+6 days')
    when 'monthly' then date(start_date, 'start of month', '+1 month', '-1 day')
  end as period_end,
  length, kind = 'frozen' as used_freeze, kind = 'paused' as used_pause
from laurels_streak_periods`,
    `create view laurels_view_streak_freezes as
select tenant_id, user_id, local_date as date, 'granted' as type, json_extract(data, '$.count') as count
from laurels_log where kind = 'freezesGranted'
union all
select tenant_id, user_id, start_date as date, 'consumed' as type, 1 as count
from laurels_streak_periods where kind = 'frozen'`,
    `create view laurels_view_leaderboard_rankings as
select tenant_id, user_id, coalesce(json_extract(names, '$[0]'), leaderboard) as leaderboard_key,
  substr(run, 1, 10) as run, substr(run, 12) as version,
  nullif(coalesce(json_extract(names, '$[1]'), group_key), '') as breakdown_attribute_values,
  row_number() over (
    partition by tenant_id, leaderboard, run, group_key order by minus_value, reached_at, user_id
  ) as rank,
  0 - minus_value as value,
  strftime('%Y-%m-%dT%H:%M:%fZ', reached_at / 1000.0, 'unixepoch') as reached_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', until / 1000.0, 'unixepoch') as until
from laurels_leaderboard_entries`,
    `create view laurels_view_achievement_completions as
select c.tenant_id, c.user_id, c.achievement as achievement_key, l.local_date as date,
  strftime('%Y-%m-%dT%H:%M:%fZ', c.at / 1000.0, 'unixepoch') as achieved_at
from laurels_completions c
  left join laurels_log l on l.tenant_id = c.tenant_id and l.entry_id = c.entry_id`,
  ],
}
