import type { Migration } from '../../sql/traits.ts'
import { REMOVE_USER_V8 } from './0012-packed-rows/remove-user-v8.ts'
import { SAVE_V14 } from './0012-packed-rows/save-v14.ts'
import { SAVE_V15 } from './0012-packed-rows/save-v15.ts'
import { TYPES } from './0012-packed-rows/types.ts'

const KINDS =
  "array['userUpserted', 'eventRecorded', 'achievementClaimed', 'preferencesChanged', 'completionKept', 'freezesGranted', 'pauseCreated', 'pauseDeleted', 'streakRestored', 'eventVoided', 'eventApproved', 'granted', 'userMerged', 'userSuspended', 'userRestored', 'boostGiven', 'boostChanged', 'boostDeleted']"

const LOG =
  'at, recorded_at, value, seq, epoch, kind, local_date, local_time, entry_id, tenant_id, user_id, zone, metric, idempotency_key, voided_by, profile, data, by_key'
const packedLog = (row: string): string =>
  `${row}.at, nullif(${row}.recorded_at, ${row}.at), ${row}.value, ${row}.seq, ${row}.epoch, array_position(${KINDS}, ${row}.kind) - 1, ${row}.local_date::date - date '1970-01-01', (extract(epoch from ${row}.local_time::time) * 1000)::int, "laurels".id_bytes_v1(${row}.entry_id), ${row}.tenant_id, ${row}.user_id, ${row}.zone, ${row}.metric, ${row}.idempotency_key, "laurels".id_bytes_v1(${row}.voided_by), ${row}.profile, ${row}.data, ${row}.by_key`

const AWARDS = 'at, seq, ordinal, awarded, total, award_id, trigger_id, entry_id, tenant_id, user_id, system, boosts'
const packedAwards = (row: string): string =>
  `${row}.at, ${row}.seq, ${row}.ordinal, ${row}.awarded, ${row}.total, "laurels".id_bytes_v1(${row}.award_id), "laurels".id_bytes_v1(${row}.trigger_id), "laurels".id_bytes_v1(${row}.entry_id), ${row}.tenant_id, ${row}.user_id, ${row}.system, ${row}.boosts`

const LINE = 'tenant_id = old.tenant_id and user_id = old.user_id and at = old.at and seq = old.seq'
const AWARD = `${LINE} and system = old.system and ordinal = old.ordinal`

const writes = (name: string, table: string, same: string, columns: string, values: string): string =>
  `create function "laurels".${name}() returns trigger language plpgsql as $laurels$
begin
  if tg_op <> 'INSERT' then
    delete from "laurels".${table} where ${same};
    if not found then return null; end if;
    if tg_op = 'DELETE' then return old; end if;
  end if;
  insert into "laurels".${table} (${columns}) select ${values};
  return new;
end
$laurels$`

const date = (days: string): string => `to_char(date '1970-01-01' + ${days}, 'YYYY-MM-DD') collate "C"`

/** Released: not to be changed. */
export const packedRows: Migration = {
  name: '0012-packed-rows',
  texts: [
    // An id as bytes: the sixteen of a UUID, and of any other id seventeen zero bytes and its text.
    `create function "laurels".id_bytes_v1(id text) returns bytea language sql stable parallel safe as $laurels$
  select case when id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    then decode(replace(id, '-', ''), 'hex')
    else decode('0000000000000000000000000000000000', 'hex') || convert_to(id, 'UTF8') end
$laurels$`,
    `create function "laurels".id_text_v1(id bytea) returns text language sql stable parallel safe as $laurels$
  select case when length(id) = 16 then encode(id, 'hex')::uuid::text else convert_from(substr(id, 18), 'UTF8') end
$laurels$`,
    'grant execute on function "laurels".id_bytes_v1(text), "laurels".id_text_v1(bytea) to public',
    // What a host has made on the tables would go with them, or keep them.
    `do $laurels$
declare
  others text;
begin
  select string_agg(distinct pg_describe_object(d.classid, d.objid, d.objsubid), ', ') into others
    from pg_depend d
      join pg_class c on d.refclassid = 'pg_class'::regclass and c.oid = d.refobjid
      join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = '{schema}' and c.relname in ('log', 'awards') and (
      d.classid in ('pg_proc'::regclass, 'pg_policy'::regclass, 'pg_publication_rel'::regclass)
      or d.classid = 'pg_trigger'::regclass and exists (select from pg_trigger t where t.oid = d.objid and not t.tgisinternal)
      or d.classid = 'pg_constraint'::regclass
        and exists (select from pg_constraint k where k.oid = d.objid and k.contype = 'f' and k.confrelid = c.oid)
      or d.classid = 'pg_rewrite'::regclass and not exists (
        select from pg_rewrite r join pg_class v on v.oid = r.ev_class
          where r.oid = d.objid and v.relnamespace = n.oid and v.relname in (
            'view_metric_totals', 'view_points_totals', 'view_streak_freezes', 'view_achievement_completions'
          )
      )
    );
  if others is not null then
    raise exception 'The tables log and awards become views. Drop what is yours on them first, and make it again afterwards: %.', others;
  end if;
end
$laurels$`,
    'alter table "laurels".log rename to unpacked_log',
    'alter table "laurels".awards rename to unpacked_awards',
    // Eight bytes first, then four: so none are lost between columns.
    `create table "laurels".packed_log (
  at bigint not null,
  recorded_at bigint,
  value double precision,
  seq bigint not null,
  epoch integer not null,
  kind integer not null,
  local_date integer not null,
  local_time integer not null,
  entry_id bytea not null,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  zone text collate "C" not null,
  metric text collate "C",
  idempotency_key text collate "C",
  voided_by bytea,
  profile text,
  data text,
  by_key text collate "C",
  constraint laurels_packed_log_key primary key (tenant_id, user_id, at, seq)
)`,
    `insert into "laurels".packed_log (${LOG})
select ${packedLog('l')} from "laurels".unpacked_log l order by l.tenant_id, l.user_id, l.at, l.seq`,
    `create table "laurels".packed_awards (
  at bigint not null,
  seq bigint not null,
  ordinal bigint not null,
  awarded double precision not null,
  total double precision not null,
  award_id bytea not null,
  trigger_id bytea not null,
  entry_id bytea not null,
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  system text collate "C" not null,
  boosts text collate "C",
  constraint laurels_packed_awards_key primary key (tenant_id, user_id, system, at, seq, ordinal)
)`,
    `insert into "laurels".packed_awards (${AWARDS})
select ${packedAwards('a')} from "laurels".unpacked_awards a
  order by a.tenant_id, a.user_id, a.system, a.at, a.seq, a.ordinal`,
    `create view "laurels".log as
select tenant_id, user_id, at, seq, "laurels".id_text_v1(entry_id) collate "C" as entry_id,
  (${KINDS})[kind + 1] collate "C" as kind, epoch::bigint as epoch, coalesce(recorded_at, at) as recorded_at, zone,
  ${date('local_date')} as local_date,
  to_char(time '00:00' + interval '1 millisecond' * local_time, 'HH24:MI:SS.MS') collate "C" as local_time,
  profile, metric, value, idempotency_key, data, "laurels".id_text_v1(voided_by) collate "C" as voided_by, by_key
from "laurels".packed_log`,
    `create view "laurels".awards as
select tenant_id, user_id, system, at, seq, ordinal, "laurels".id_text_v1(award_id) collate "C" as award_id,
  "laurels".id_text_v1(trigger_id) collate "C" as trigger_id, "laurels".id_text_v1(entry_id) collate "C" as entry_id,
  awarded, total, boosts
from "laurels".packed_awards`,
    // What is written to the views, as processes of the version before do, is written to the tables.
    writes('write_log_v1', 'packed_log', LINE, LOG, packedLog('new')),
    writes('write_awards_v1', 'packed_awards', AWARD, AWARDS, packedAwards('new')),
    `create trigger write instead of insert or update or delete on "laurels".log
  for each row execute function "laurels".write_log_v1()`,
    `create trigger write instead of insert or update or delete on "laurels".awards
  for each row execute function "laurels".write_awards_v1()`,
    // Who might read or write a table may do so with what stands for it now.
    `do $laurels$
declare
  given record;
begin
  for given in
    select c.relname, a.privilege_type, a.is_grantable,
        case when a.grantee = 0 then 'public' else a.grantee::regrole::text end as grantee
      from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join lateral aclexplode(c.relacl) a
      where n.nspname = '{schema}' and c.relname in ('unpacked_log', 'unpacked_awards') and a.grantee <> c.relowner
        and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  loop
    execute format(
      'grant %1$s on %2$I.%3$I, %2$I.%4$I to %5$s %6$s',
      given.privilege_type, '{schema}', replace(given.relname, 'unpacked_', ''), replace(given.relname, 'unpacked_', 'packed_'),
      given.grantee, case when given.is_grantable then 'with grant option' else '' end
    );
  end loop;
  for given in
    select c.relname, t.attname, a.privilege_type, a.is_grantable,
        case when a.grantee = 0 then 'public' else a.grantee::regrole::text end as grantee
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute t on t.attrelid = c.oid
        cross join lateral aclexplode(t.attacl) a
      where n.nspname = '{schema}' and c.relname in ('unpacked_log', 'unpacked_awards') and a.grantee <> c.relowner
        and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE')
  loop
    execute format(
      'grant %s (%I) on %I.%I to %s %s',
      given.privilege_type, given.attname, '{schema}', replace(given.relname, 'unpacked_', ''),
      given.grantee, case when given.is_grantable then 'with grant option' else '' end
    );
  end loop;
  for given in
    select c.relname, pg_get_userbyid(c.relowner) as owner
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = '{schema}' and c.relname in ('unpacked_log', 'unpacked_awards')
        and pg_get_userbyid(c.relowner) <> current_user
  loop
    execute format('alter table %I.%I owner to %I', '{schema}', replace(given.relname, 'unpacked_', 'packed_'), given.owner);
    execute format('alter view %I.%I owner to %I', '{schema}', replace(given.relname, 'unpacked_', ''), given.owner);
  end loop;
end
$laurels$`,
    `create or replace view "laurels".view_metric_totals as
select tenant_id, user_id, metric_key, ${date('by_day.date')} as date, change::double precision as change,
  (sum(change) over (partition by tenant_id, user_id, metric_key order by by_day.date rows unbounded preceding)
    )::double precision::numeric::double precision as total
from (
  select tenant_id, user_id, metric as metric_key, local_date as date,
    sum(value::numeric)::double precision::numeric as change
  from "laurels".packed_log where kind = 1 and voided_by is null
  group by tenant_id, user_id, metric, local_date
) by_day`,
    `create or replace view "laurels".view_points_totals as
select tenant_id, user_id, points_system_key, ${date('by_day.date')} as date, change,
  sum(change) over (partition by tenant_id, user_id, points_system_key order by by_day.date rows unbounded preceding) as total
from (
  select a.tenant_id, a.user_id, a.system as points_system_key, l.local_date as date, sum(a.awarded) as change
  from "laurels".packed_awards a
    join "laurels".packed_log l
      on l.tenant_id = a.tenant_id and l.user_id = a.user_id and l.at = a.at and l.seq = a.seq
  group by a.tenant_id, a.user_id, a.system, l.local_date
) by_day`,
    `create or replace view "laurels".view_streak_freezes as
select tenant_id, user_id, ${date('local_date')} as date, 'granted' as type,
  (data::json ->> 'count')::integer as count
from "laurels".packed_log where kind = 5
union all
select tenant_id, user_id, start_date as date, 'consumed' as type, 1 as count
from "laurels".streak_periods where kind = 'frozen'`,
    `create or replace view "laurels".view_achievement_completions as
select c.tenant_id, c.user_id, c.achievement as achievement_key, ${date('l.local_date')} as date,
  to_char(to_timestamp(c.at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as achieved_at
from "laurels".completions c
  left join "laurels".packed_log l
    on l.tenant_id = c.tenant_id and l.entry_id = "laurels".id_bytes_v1(c.entry_id)`,
    'drop table "laurels".unpacked_log',
    'drop table "laurels".unpacked_awards',
    `create unique index laurels_log_by_idempotency
  on "laurels".packed_log (idempotency_key, metric, (user_id || ''), (tenant_id || ''))
  where idempotency_key is not null`,
    'create unique index laurels_log_by_entry on "laurels".packed_log (tenant_id, entry_id)',
    'create index laurels_log_held on "laurels".packed_log (tenant_id, user_id, at, seq) where voided_by = entry_id',
    'create index laurels_log_by_key on "laurels".packed_log (by_key, tenant_id, user_id, at, seq) where by_key is not null',
    `create index laurels_log_by_time on "laurels".packed_log (tenant_id, at, user_id)
  where value is not null and voided_by is null`,
    'create index laurels_users_by_created on "laurels".users (tenant_id, created, user_id) where merged_into is null',
    'create index laurels_awards_by_time on "laurels".packed_awards (tenant_id, at, system, awarded)',
    ...TYPES,
    SAVE_V14,
    SAVE_V15,
    REMOVE_USER_V8,
  ],
}
