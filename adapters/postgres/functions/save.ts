import { AWARDS, type Columns, LEADERBOARD_ENTRIES, LOG, PROGRESS, USERS } from '../columns.ts'
import { quote } from '../quote.ts'
import { SLOTS } from '../slots.ts'
import { userLock } from '../user-lock.ts'
import { movesFrom, moveType } from './blocks.ts'
import { insertMessages, TOLD } from './messages.ts'
import {
  declareLists,
  deleteFrom,
  insertFrom,
  PLAN_SMALL,
  PLANNING,
  putAndRemove,
  recordset,
  rowsOfType,
  TAG,
  updateFrom,
  withTag,
} from './text.ts'

const REDATED: Columns = {
  ...{ epoch: 'int', zone: 'text', local_date: 'int', local_time: 'int', voided_by: 'bytea' },
  idempotency_key: 'text',
}

/** Stores what was decided for the users whose version still stands, and reads the others anew. */
export function saveFunction(schema: string): string {
  return withTag(saveText(schema))
}

const { tenant_id: _, user_id: __, ...TOLD_VALUES } = TOLD

function saveText(schema: string): string {
  const table = (name: string): string => `${quote(schema)}.${name}`
  return `
create or replace function ${table('save')}(input text) returns text language plpgsql
  set lock_timeout = '5s' ${PLANNING} ${PLAN_SMALL} as ${TAG}
declare
  doc constant jsonb := input;
  ${declareLists(schema)}
  used int[] := '{}';
  made int[];
  known int[];
  stored int[] := '{}';
  rows bigint;
  standings json;
  moves ${moveType(schema)}[] := '{}';
begin
  -- Without a process it is a call in the host's own transaction, which no fence is needed for.
  if doc ? 'process' then
    update ${table('processes')} set batch = (doc->>'batch')::bigint, outcome = 'saved', used_at = (doc->>'now')::bigint
      where id = doc->>'process' and batch = (doc->>'batch')::bigint - 1;
    if not found then return '{"fenced":true}'; end if;
  end if;

  if (doc->>'epoch')::bigint = coalesce((select max(epoch) from ${table('games')}), 0) then
    if doc ? 'unread' then
      -- Of users that were not read for this batch: which idempotency keys are used, the process cannot know.
      select coalesce(array_agg(distinct r.n), '{}') into used
        from ${recordset('unread', { tenant_id: 'text', user_id: 'text', metric: 'text', idempotency_key: 'text' })}
        where exists (select from ${table('log')} l
          where (l.tenant_id || '') = r.tenant_id and (l.user_id || '') = r.user_id
            and l.metric = r.metric and l.idempotency_key = r.idempotency_key);
    end if;
    if doc ? 'created' then
      with inserted as (
        ${insertFrom(schema, USERS, 'created', `pg_try_advisory_xact_lock(${userLock(schema, 'r.tenant_id', 'r.user_id')})`)}
        on conflict do nothing returning tenant_id, user_id
      )
      select array_agg(r.n) into made
        from ${rowsOfType('created')} join inserted i on i.tenant_id = r.tenant_id and i.user_id = r.user_id;
    end if;
    if doc ? 'changed' then
      select array_agg(locked.n) into known from (
        select r.n from ${rowsOfType('changed')}
          join ${table('users')} u
            on u.tenant_id = r.tenant_id and u.user_id = r.user_id and u.version = r.read_version
          where r.n <> all(used)
          order by u.tenant_id, u.user_id for no key update of u skip locked
      ) locked;
      ${updateFrom(schema, USERS, USERS.values, rowsOfType('changed'), 'any(known)')};
    end if;
    stored := coalesce(made, '{}') || coalesce(known, '{}');

    if doc ? 'standings' then
      -- One statement, so that all of them are true of one moment.
      standings := ${table('standings')}(doc->'standings');
    end if;
    if doc ?| array['leaderboard_entries', 'removed_leaderboard_entries'] then
      ${movesOf(schema)}
    end if;

    if doc ? 'redated' then
      ${updateFrom(schema, LOG, REDATED, recordset('redated', { ...LOG.key, ...REDATED }), 'any(stored)')};
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
    if doc ? 'outdated_snapshots' then
      delete from ${table('snapshots')} t using ${recordset('outdated_snapshots', { tenant_id: 'text', user_id: 'text', lines: 'bigint' })}
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.lines > r.lines and r.n = any(stored);
    end if;
    ${PROGRESS.map((saved) => putAndRemove(schema, saved)).join('')}
    if cardinality(moves) > 0 then
      perform ${table('count_moves')}(moves, doc ? 'process');
    end if;
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
          from ${rowsOfType('counters')}
          where r.n = any(stored)
        union all select tenant_id, kind, key, count from taken
      )
      insert into ${table('counters')} as c (tenant_id, kind, key, slot, count)
        select a.tenant_id, a.kind, a.key, (doc->>'slot')::bigint, sum(a.count)
          from added a group by 1, 2, 3 having sum(a.count) <> 0
          order by a.tenant_id collate "C", a.kind collate "C", a.key collate "C"
        on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count;
    end if;
    if doc ? 'told' then
      ${updateFrom(schema, USERS, TOLD_VALUES, recordset('told', TOLD), 'any(stored)')};
    end if;
    if doc ? 'messages' then
      -- Their users are locked, so message numbers grow along each user's versions.
      ${insertMessages(schema, 'r.n = any(stored)')};
    end if;
  end if;

  return json_build_object('stored', to_json(stored), 'standings', standings, 'left', (
    select ${table('load')}(jsonb_agg(u)) from jsonb_array_elements(doc->'users') u
      where not ((u->>'n')::int = any(stored)) having count(*) > 0
  ))::text;
end
${TAG}`
}

/** How the places of the stored users change: -1 at the old ones, 1 at the new ones; only where entries always count. */
function movesOf(schema: string): string {
  const entries = `${quote(schema)}.leaderboard_entries`
  const { key } = LEADERBOARD_ENTRIES
  // The rows of the document are made once for both of what is taken and what is put.
  const moved = `(
        select tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id,
            sum(delta) as delta, bool_or(unlimited) as unlimited
          from (
            select e.tenant_id, e.leaderboard, e.run, e.group_key, e.minus_value, e.reached_at, e.user_id,
                -1 as delta, coalesce(r.unlimited, false) as unlimited
              from (
                select k.tenant_id, k.user_id, k.leaderboard, k.run, bool_or(k.unlimited) as unlimited from (
                  select p.tenant_id, p.user_id, p.leaderboard, p.run, p.unlimited from put p
                  union all select r.tenant_id, r.user_id, r.leaderboard, r.run, r.unlimited
                    from ${recordset('removed_leaderboard_entries', { ...key, unlimited: 'boolean' })} where r.n = any(stored)
                ) k group by 1, 2, 3, 4
              ) r
              join ${entries} e on e.tenant_id = r.tenant_id and e.user_id = r.user_id
                and e.leaderboard = r.leaderboard and e.run = r.run
              where e.until is null
            union all
            select p.tenant_id, p.leaderboard, p.run, p.group_key, p.minus_value, p.reached_at, p.user_id, 1, p.unlimited
              from put p where p.until is null
          ) places
          group by 1, 2, 3, 4, 5, 6, 7 having sum(delta) <> 0
      )`
  return `with put as materialized (
        select r.* from ${rowsOfType('leaderboard_entries')} where r.n = any(stored)
      )
      ${movesFrom(schema, moved, 'moves')};`
}
