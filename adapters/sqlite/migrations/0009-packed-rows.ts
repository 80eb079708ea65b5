import type { Migration } from '../../sql/traits.ts'

// An id as bytes: the sixteen of a UUID, and of any other id seventeen zero bytes and its text.
const toText = (id: string): string =>
  `case when length(${id}) = 16 then lower(substr(hex(${id}), 1, 8) || '-' || substr(hex(${id}), 9, 4) || '-' || substr(hex(${id}), 13, 4) || '-' || substr(hex(${id}), 17, 4) || '-' || substr(hex(${id}), 21)) else cast(substr(${id}, 18) as text) end`
const DIGIT = '[0-9a-f]'
const UUID = [8, 4, 4, 4, 12].map((digits) => DIGIT.repeat(digits)).join('-')
const toBytes = (id: string): string =>
  `case when ${id} glob '${UUID}' then unhex(replace(${id}, '-', '')) else unhex('0000000000000000000000000000000000' || hex(${id})) end`

const KINDS =
  '["userUpserted","eventRecorded","achievementClaimed","preferencesChanged","completionKept","freezesGranted","pauseCreated","pauseDeleted","streakRestored","eventVoided","eventApproved","granted","userMerged","userSuspended","userRestored","boostGiven","boostChanged","boostDeleted"]'
const toKind = (kind: string): string => `(select key from json_each('${KINDS}') where value = ${kind})`
const toDays = (date: string): string => `unixepoch(${date}) / 86400`
const toMillis = (time: string): string =>
  `substr(${time}, 1, 2) * 3600000 + substr(${time}, 4, 2) * 60000 + substr(${time}, 7, 2) * 1000 + substr(${time}, 10, 3)`

const LOG =
  'tenant_id, user_id, at, seq, entry_id, kind, epoch, recorded_at, zone, local_date, local_time, profile, metric, value, idempotency_key, data, voided_by, by_key'
const packedLog = (row: string): string =>
  `${row}tenant_id, ${row}user_id, ${row}at, ${row}seq, ${toBytes(`${row}entry_id`)}, ${toKind(`${row}kind`)}, ${row}epoch, nullif(${row}recorded_at, ${row}at), ${row}zone, ${toDays(`${row}local_date`)}, ${toMillis(`${row}local_time`)}, ${row}profile, ${row}metric, ${row}value, ${row}idempotency_key, ${row}data, case when ${row}voided_by is not null then ${toBytes(`${row}voided_by`)} end, ${row}by_key`

const AWARDS = 'tenant_id, user_id, system, at, seq, ordinal, award_id, trigger_id, entry_id, awarded, total, boosts'
const packedAwards = (row: string): string =>
  `${row}tenant_id, ${row}user_id, ${row}system, ${row}at, ${row}seq, ${row}ordinal, ${toBytes(`${row}award_id`)}, ${toBytes(`${row}trigger_id`)}, ${toBytes(`${row}entry_id`)}, ${row}awarded, ${row}total, ${row}boosts`

const LINE = 'tenant_id = old.tenant_id and user_id = old.user_id and at = old.at and seq = old.seq'
const AWARD = `${LINE} and system = old.system and ordinal = old.ordinal`

/** Released: not to be changed. */
export const packedRows: Migration = {
  name: '0009-packed-rows',
  texts: [
    // What reads the tables that are packed; made again below.
    'drop view laurels_view_metric_totals',
    'drop view laurels_view_points_totals',
    'drop view laurels_view_streak_freezes',
    'drop view laurels_view_achievement_completions',
    `create table laurels_packed_log (
  tenant_id text not null,
  user_id text not null,
  at integer not null,
  seq integer not null,
  entry_id blob not null,
  kind integer not null,
  epoch integer not null,
  recorded_at integer,
  zone text not null,
  local_date integer not null,
  local_time integer not null,
  profile text,
  metric text,
  value real,
  idempotency_key text,
  data text,
  voided_by blob,
  by_key text,
  constraint laurels_packed_log_key primary key (tenant_id, user_id, at, seq)
) strict, without rowid`,
    `insert into laurels_packed_log (${LOG})
select ${packedLog('')} from laurels_log order by tenant_id, user_id, at, seq`,
    'drop table laurels_log',
    `create unique index laurels_log_by_idempotency on laurels_packed_log (tenant_id, user_id, metric, idempotency_key)
  where idempotency_key is not null`,
    'create unique index laurels_log_by_entry on laurels_packed_log (tenant_id, entry_id)',
    `create index laurels_log_held on laurels_packed_log (tenant_id, user_id, at, seq)
  where voided_by = entry_id`,
    `create index laurels_log_by_key on laurels_packed_log (by_key, tenant_id, user_id, at, seq)
  where by_key is not null`,
    `create index laurels_log_by_time on laurels_packed_log (tenant_id, at, value, voided_by)
  where value is not null and voided_by is null`,
    `create index laurels_users_by_created on laurels_users (tenant_id, created, user_id)
  where merged_into is null`,
    `create table laurels_packed_awards (
  tenant_id text not null,
  user_id text not null,
  system text not null,
  at integer not null,
  seq integer not null,
  ordinal integer not null,
  award_id blob not null,
  trigger_id blob not null,
  entry_id blob not null,
  awarded real not null,
  total real not null,
  boosts text,
  constraint laurels_packed_awards_key primary key (tenant_id, user_id, system, at, seq, ordinal)
) strict, without rowid`,
    `insert into laurels_packed_awards (${AWARDS})
select ${packedAwards('')} from laurels_awards order by tenant_id, user_id, system, at, seq, ordinal`,
    'drop table laurels_awards',
    'create index laurels_awards_by_time on laurels_packed_awards (tenant_id, at, system, awarded)',
    `create view laurels_log as
select tenant_id, user_id, at, seq, ${toText('entry_id')} as entry_id,
  json_extract('${KINDS}', '$[' || kind || ']') as kind, epoch, coalesce(recorded_at, at) as recorded_at, zone,
  date(local_date * 86400, 'unixepoch') as local_date,
  printf('%02d:%02d:%02d.%03d', local_time / 3600000, local_time / 60000 % 60, local_time / 1000 % 60, local_time % 1000)
    as local_time,
  profile, metric, value, idempotency_key, data,
  case when voided_by is not null then ${toText('voided_by')} end as voided_by, by_key
from laurels_packed_log`,
    `create view laurels_awards as
select tenant_id, user_id, system, at, seq, ordinal, ${toText('award_id')} as award_id,
  ${toText('trigger_id')} as trigger_id, ${toText('entry_id')} as entry_id, awarded, total, boosts
from laurels_packed_awards`,
    // What is written to the views, as processes of the version before do, is written to the tables.
    `create trigger laurels_log_insert instead of insert on laurels_log begin
  insert into laurels_packed_log (${LOG}) values (${packedLog('new.')});
end`,
    `create trigger laurels_log_update instead of update on laurels_log begin
  delete from laurels_packed_log where ${LINE};
  insert into laurels_packed_log (${LOG}) values (${packedLog('new.')});
end`,
    `create trigger laurels_log_delete instead of delete on laurels_log begin
  delete from laurels_packed_log where ${LINE};
end`,
    `create trigger laurels_awards_insert instead of insert on laurels_awards begin
  insert into laurels_packed_awards (${AWARDS}) values (${packedAwards('new.')});
end`,
    `create trigger laurels_awards_update instead of update on laurels_awards begin
  delete from laurels_packed_awards where ${AWARD};
  insert into laurels_packed_awards (${AWARDS}) values (${packedAwards('new.')});
end`,
    `create trigger laurels_awards_delete instead of delete on laurels_awards begin
  delete from laurels_packed_awards where ${AWARD};
end`,
    `create view laurels_view_metric_totals as
select tenant_id, user_id, metric_key, date(days.date * 86400, 'unixepoch') as date, change, total
from (
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
        from laurels_packed_log where kind = 1 and voided_by is null
      )
    )
    group by tenant_id, user_id, metric, local_date
  )
  window days as (partition by tenant_id, user_id, metric_key order by date rows unbounded preceding)
) days`,
    `create view laurels_view_points_totals as
select tenant_id, user_id, points_system_key, date(days.date * 86400, 'unixepoch') as date, change,
  sum(change) over (partition by tenant_id, user_id, points_system_key order by days.date rows unbounded preceding) as total
from (
  select a.tenant_id, a.user_id, a.system as points_system_key, l.local_date as date, sum(a.awarded) as change
  from laurels_packed_awards a
    join laurels_packed_log l
      on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq
  group by a.tenant_id, a.user_id, a.system, l.local_date
) days`,
    `create view laurels_view_streak_freezes as
select tenant_id, user_id, date(local_date * 86400, 'unixepoch') as date, 'granted' as type,
  json_extract(data, '$.count') as count
from laurels_packed_log where kind = 5
union all
select tenant_id, user_id, start_date as date, 'consumed' as type, 1 as count
from laurels_streak_periods where kind = 'frozen'`,
    `create view laurels_view_achievement_completions as
select c.tenant_id, c.user_id, c.achievement as achievement_key, date(l.local_date * 86400, 'unixepoch') as date,
  strftime('%Y-%m-%dT%H:%M:%fZ', c.at / 1000.0, 'unixepoch') as achieved_at
from laurels_completions c
  left join laurels_packed_log l on l.tenant_id = c.tenant_id and l.entry_id = ${toBytes('c.entry_id')}`,
  ],
}
