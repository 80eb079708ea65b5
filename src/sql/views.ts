import { KIND_NUMBERS } from './entry-rows.ts'

/** SQL of one database for the views. */
interface ViewTraits {
  toDate(days: string): string
  toInstant(milliseconds: string): string
  toInteger(value: string): string
  toIdText(bytes: string): string
  toIdBytes(text: string): string
  /** The frequency of the streak in the column `definition`. */
  readonly frequency: string
  /** The last dates of the week and of the month that begin on `start_date`. */
  readonly weekEnd: string
  readonly monthEnd: string
  /** The count in the column `data`. */
  readonly count: string
  /** An item of the list in the column `names`. */
  nameAt(index: number): string
  daysBetween(first: string, last: string): string
}

/** The views for people that differ between databases in a few expressions only, in the order of creation. */
export function sharedViews(traits: ViewTraits): readonly string[] {
  const { toDate, toInstant, toInteger, toIdText, toIdBytes, nameAt } = traits
  const events = `kind = ${KIND_NUMBERS.eventRecorded} and voided_by is null`
  const views = {
    awards: `select tenant_id, user_id, system, at, seq, ordinal, ${toIdText('award_id')} as award_id,
  ${toIdText('trigger_id')} as trigger_id, ${toIdText('entry_id')} as entry_id, awarded, total, boosts
from "laurels"."awards"`,
    points_totals: `select tenant_id, user_id, points_system_key, ${toDate('by_day.date')} as date, change,
  sum(change) over (partition by tenant_id, user_id, points_system_key order by by_day.date rows unbounded preceding) as total
from (
  select a.tenant_id, a.user_id, a.system as points_system_key, l.local_date as date, sum(a.awarded) as change
  from "laurels"."awards" a
    join "laurels"."log" l
      on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq
  group by a.tenant_id, a.user_id, a.system, l.local_date
) by_day`,
    streak_periods: `select tenant_id, user_id, start_date as period_start,
  case (select ${traits.frequency} from "laurels"."games" order by epoch desc limit 1)
    when 'daily' then start_date when 'weekly' then ${traits.weekEnd} when 'monthly' then ${traits.monthEnd}
  end as period_end,
  ${toInteger('length')} as length, kind = 'frozen' as used_freeze, kind = 'paused' as used_pause
from "laurels"."streak_periods" where streak = ''`,
    streak_freezes: `select tenant_id, user_id, ${toDate('local_date')} as date, 'granted' as type,
  ${toInteger(traits.count)} as count
from "laurels"."log" where kind = ${KIND_NUMBERS.freezesGranted}
union all
select tenant_id, user_id, start_date as date, 'consumed' as type, 1 as count
from "laurels"."streak_periods" where streak = '' and kind = 'frozen'`,
    leaderboard_rankings: `select tenant_id, user_id, coalesce(${nameAt(0)}, leaderboard) as leaderboard_key,
  substr(run, 1, 10) as run, substr(run, 12) as version,
  nullif(coalesce(${nameAt(1)}, group_key), '') as breakdown_attribute_values,
  ${toInteger('row_number() over (partition by tenant_id, leaderboard, run, group_key order by minus_value, reached_at, user_id)')}
    as rank,
  0 - minus_value as value, ${toInstant('reached_at')} as reached_at, ${toInstant('until')} as until
from "laurels"."leaderboard_entries"`,
    achievement_completions: `select c.tenant_id, c.user_id, c.achievement as achievement_key,
  ${toDate('l.local_date')} as date, ${toInstant('c.at')} as achieved_at
from "laurels"."completions" c
  left join "laurels"."log" l on l.tenant_id = c.tenant_id and l.entry_id = ${toIdBytes('c.entry_id')}`,
    active_days: `select tenant_id, user_id, ${toDate('local_date')} as date, ${toInteger('count(*)')} as events
from "laurels"."log" where ${events} group by tenant_id, user_id, local_date`,
    retention: `with firsts as (
  select tenant_id, user_id, ${toDate('min(local_date)')} as cohort from "laurels"."log" group by tenant_id, user_id
), sizes as (
  select tenant_id, cohort, ${toInteger('count(*)')} as cohort_users from firsts group by tenant_id, cohort
)
select f.tenant_id, f.cohort, ${traits.daysBetween('f.cohort', 'd.date')} as day, ${toInteger('count(*)')} as users,
  s.cohort_users
from firsts f
  join sizes s on s.tenant_id = f.tenant_id and s.cohort = f.cohort
  join "laurels"."view_active_days" d on d.tenant_id = f.tenant_id and d.user_id = f.user_id
group by f.tenant_id, f.cohort, d.date, s.cohort_users`,
  }
  return Object.entries(views).map(([name, text]) => `create view "laurels"."view_${name}" as\n${text}`)
}
