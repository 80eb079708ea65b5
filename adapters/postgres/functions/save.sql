-- Stores the decisions for the users whose version has not changed, and reads the others again.
--
-- A save is one call, so nothing is locked between two round trips, and each statement sees what was committed before
-- it began. Users that another transaction holds are left out, not waited for: known ones by their row, new ones by an
-- advisory lock, for there is no row yet. So are users who take from a stock that another transaction holds. The
-- remaining waits are short: for the process's own row, groups and blocks of leaderboards, and counters. A transaction of
-- the host waits for stocks too.
create function "laurels".save(input text) returns text language plpgsql {settings}
  set lock_timeout = '5s'
as $laurels$
declare
  doc constant jsonb := input;
  created_rows constant "laurels".saved_users[] := (doc->>'created')::"laurels".saved_users[];
  changed_rows constant "laurels".saved_users[] := (doc->>'changed')::"laurels".saved_users[];
  frequent_rows constant "laurels".saved_frequent[] := (doc->>'frequent')::"laurels".saved_frequent[];
  entry_rows constant "laurels".saved_leaderboard_entries[]
    := (doc->>'leaderboard_entries')::"laurels".saved_leaderboard_entries[];
  used int[] := '{}';
  made int[];
  known int[];
  stored int[];
  held int[];
  rows bigint;
  stock jsonb;
  short json;
  standings json;
  moves "laurels".leaderboard_move[] := '{}';
begin
  -- Without a process it is a call in the host's own transaction, which no fence is needed for.
  if doc ? 'process' then
    update "laurels".processes set batch = (doc->>'batch')::bigint, outcome = 'saved', used_at = (doc->>'now')::bigint
      where id = doc->>'process' and batch = (doc->>'batch')::bigint - 1;
    if not found then return '{"fenced":true}'; end if;
  end if;
  if (doc->>'epoch')::bigint <> coalesce((select max(epoch) from "laurels".games), 0) then
    return json_build_object('stored', json_build_array(), 'left', (
      select "laurels".load(doc->'users') where jsonb_array_length(doc->'users') > 0
    ))::text;
  end if;

  if doc ? 'unread' then
    -- The process has not read these users for this batch, so it cannot know which of their idempotency keys are used.
    -- Not `exists`: Postgres would make a join of it, which reads every partition.
    select coalesce(array_agg(distinct r.n), '{}') into used
      from jsonb_to_recordset(doc->'unread')
        as r(n int, tenant_id text, user_id text, metric text, idempotency_key text)
      where (select true from "laurels".log line
        where {of indexed user} and line.metric = r.metric and line.idempotency_key = r.idempotency_key);
  end if;
  if doc ? 'created' then
    with inserted as (
      insert into "laurels".users (
        {columns of users}
      )
      select {values of users}
        from unnest(created_rows) as r
        where pg_try_advisory_xact_lock(
          hashtextextended('laurels {schema} ' || length(r.tenant_id) || ' ' || r.tenant_id || r.user_id, 0))
      on conflict do nothing returning tenant_id, user_id
    )
    select array_agg(r.n) into made
      from unnest(created_rows) as r join inserted i on i.tenant_id = r.tenant_id and i.user_id = r.user_id;
  end if;
  if doc ? 'changed' or doc ? 'frequent' then
    select array_agg(locked.n) into known from (
      select r.n from (
          select c.n, c.tenant_id, c.user_id, c.read_version from unnest(changed_rows) as c
          union all select f.n, f.tenant_id, f.user_id, f.read_version from unnest(frequent_rows) as f
        ) as r
        join "laurels".users u on u.tenant_id = r.tenant_id and u.user_id = r.user_id and u.version = r.read_version
        where r.n <> all(used)
        order by u.tenant_id, u.user_id for no key update of u skip locked
    ) locked;
  end if;
  stored := coalesce(made, '{}') || coalesce(known, '{}');
  if doc ? 'stock' then
    -- All users share the row of a reward, and the first of them makes it. So its lock is an advisory one, taken after
    -- users and before groups of leaderboards.
    if doc ? 'process' then
      select array_agg(r.n) into held
        from jsonb_to_recordset(doc->'stock') as r(n int, tenant_id text, reward text)
        where r.n = any(stored) and not pg_try_advisory_xact_lock(
          hashtextextended(json_build_array('laurels {schema} stock', r.tenant_id, r.reward)::text, 0));
      if held is not null then
        delete from "laurels".users u using unnest(created_rows) as r
          where u.tenant_id = r.tenant_id and u.user_id = r.user_id and r.n = any(made) and r.n = any(held);
        known := array(select n from unnest(known) as n where n <> all(held));
        stored := array(select n from unnest(stored) as n where n <> all(held));
      end if;
    else
      perform pg_advisory_xact_lock(
          hashtextextended(json_build_array('laurels {schema} stock', a.tenant_id, a.reward)::text, 0))
        from (
          select r.tenant_id, r.reward from jsonb_to_recordset(doc->'stock') as r(n int, tenant_id text, reward text)
            where r.n = any(stored) group by 1, 2 order by r.tenant_id collate "C", r.reward collate "C"
        ) a;
    end if;
    select jsonb_agg(a) into stock from (
      select r.tenant_id, r.reward, sum(r.amount) as amount, min(r.most) as most
        from jsonb_to_recordset(doc->'stock') as r(n int, tenant_id text, reward text, amount bigint, most bigint)
        where r.n = any(stored) group by 1, 2
    ) a;
    select json_agg(json_build_object('tenant', a.tenant_id, 'reward', a.reward,
        'left', greatest(0, a.most - coalesce(s.taken, 0)))) into short
      from jsonb_to_recordset(stock) as a(tenant_id text, reward text, amount bigint, most bigint)
      left join "laurels".reward_stock s on s.tenant_id = a.tenant_id and s.reward = a.reward
      where a.amount > 0 and coalesce(s.taken, 0) + a.amount > a.most;
    if short is not null then
      -- Nothing is stored: the process decides all of it again.
      delete from "laurels".users u using unnest(created_rows) as r
        where u.tenant_id = r.tenant_id and u.user_id = r.user_id and r.n = any(made);
      return json_build_object('short', short)::text;
    end if;
    insert into "laurels".reward_stock as s (tenant_id, reward, taken, removed)
      select a.tenant_id, a.reward, a.amount, 0
        from jsonb_to_recordset(stock) as a(tenant_id text, reward text, amount bigint)
        order by a.tenant_id collate "C", a.reward collate "C"
      on conflict (tenant_id, reward) do update set taken = s.taken + excluded.taken;
  end if;
  if doc ? 'changed' then
    update "laurels".users t set {assignments of users}
      from unnest(changed_rows) as r where t.tenant_id = r.tenant_id and t.user_id = r.user_id and r.n = any(known);
  end if;
  if doc ? 'frequent' then
    update "laurels".users t set {assignments of frequent}
      from unnest(frequent_rows) as r where t.tenant_id = r.tenant_id and t.user_id = r.user_id and r.n = any(known);
  end if;

  if doc ? 'standings' then
    -- One statement, so that all of them are true of one moment.
    standings := "laurels".standings(doc->'standings');
  end if;
  if doc ? 'leaderboard_entries' or doc->'removed' ? 'leaderboard_entries' then
    -- How the places of the stored users change: -1 at the old ones, 1 at the new ones.
    with put as materialized (
      select r.* from unnest(entry_rows) as r where r.n = any(stored)
    ), written as (
      select tenant_id, user_id, leaderboard, run, bool_or(unlimited) as unlimited from (
        select tenant_id, user_id, leaderboard, run, unlimited from put
        union all select tenant_id, user_id, leaderboard, run, false
          from jsonb_to_recordset(doc->'removed'->'leaderboard_entries')
            as r(n int, tenant_id text, user_id text, leaderboard text, run text) where r.n = any(stored)
      ) w group by 1, 2, 3, 4
    ), moved as (
      select tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id,
          sum(delta) as delta, bool_or(unlimited) as unlimited
        from (
          select e.tenant_id, e.leaderboard, e.run, e.group_key, e.minus_value, e.reached_at, e.user_id,
              -1 as delta, w.unlimited
            from written w
            join "laurels".leaderboard_entries e on e.tenant_id = w.tenant_id and e.user_id = w.user_id
              and e.leaderboard = w.leaderboard and e.run = w.run
            where e.until is null
          union all select tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, 1, unlimited
            from put where until is null
        ) places
        group by 1, 2, 3, 4, 5, 6, 7 having sum(delta) <> 0
    )
    select coalesce(array_agg(row(m.*)::"laurels".leaderboard_move), '{}') into moves from moved m;
  end if;

  if doc ? 'updatedEntries' then
    update "laurels".log t set epoch = r.epoch, zone = r.zone, local_date = r.local_date, local_time = r.local_time,
        voided_by = decode(r.voided_by, 'hex'), metric = r.metric, idempotency_key = r.idempotency_key,
        new_value = r.new_value, data = r.data
      from jsonb_to_recordset(doc->'updatedEntries') as r(
        n int, tenant_id text, user_id text, at bigint, seq bigint,
        epoch int, zone text, local_date int, local_time int, voided_by text, metric text,
        idempotency_key text, new_value text, data text)
      where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.at = r.at and t.seq = r.seq and r.n = any(stored);
    get diagnostics rows = row_count;
    if rows <> (select count(*) from jsonb_to_recordset(doc->'updatedEntries') as r(n int) where r.n = any(stored)) then
      raise exception 'The save updates an unknown entry.';
    end if;
  end if;
  if doc ? 'log' then
    insert into "laurels".log (
        {columns of log})
      select {values of log}
        from unnest((doc->>'log')::"laurels".saved_log[]) as r where r.n = any(stored);
  end if;
  if doc ? 'removed' then
    {removals}
  end if;
  if doc ? 'outdated_snapshots' then
    delete from "laurels".snapshots t
      using jsonb_to_recordset(doc->'outdated_snapshots') as r(n int, tenant_id text, user_id text, lines bigint)
      where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.lines > r.lines and r.n = any(stored);
  end if;
  if doc ? 'awards' then
    insert into "laurels".awards (
        {columns of awards})
      select {values of awards}
        from unnest((doc->>'awards')::"laurels".saved_awards[]) as r where r.n = any(stored);
  end if;
  {puts}
  if cardinality(moves) > 0 then
    perform "laurels".count_moves(moves, doc ? 'process');
  end if;
  if doc ? 'counters' then
    -- Includes pending counts of hosts' transactions, each in a row of its own that no other transaction holds.
    with pending as (
      select tenant_id, kind, key, slot from "laurels".counters where slot >= {slots} and doc ? 'process'
        order by tenant_id, kind, key, slot limit 100 for update skip locked
    ), taken as (
      delete from "laurels".counters c using pending p
        where c.tenant_id = p.tenant_id and c.kind = p.kind and c.key = p.key and c.slot = p.slot
        returning c.tenant_id, c.kind, c.key, c.count
    ), added as (
      select r.tenant_id, r.kind, r.key, r.amount as count
        from unnest((doc->>'counters')::"laurels".saved_counters[]) as r where r.n = any(stored)
      union all select tenant_id, kind, key, count from taken
    )
    insert into "laurels".counters as c (tenant_id, kind, key, slot, count)
      select a.tenant_id, a.kind, a.key, (doc->>'slot')::bigint, sum(a.count)
        from added a group by 1, 2, 3 having sum(a.count) <> 0
        order by a.tenant_id collate "C", a.kind collate "C", a.key collate "C"
      on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count;
  end if;
  if doc ? 'notices' then
    update "laurels".users t set notices_sent_until = r.notices_sent_until, next_notice_at = r.next_notice_at
      from jsonb_to_recordset(doc->'notices') as r(n int, tenant_id text, user_id text, notices_sent_until bigint, next_notice_at bigint)
      where t.tenant_id = r.tenant_id and t.user_id = r.user_id and r.n = any(stored);
  end if;
  if doc ? 'messages' then
    -- Their users are locked, so message numbers grow along each user's versions.
    -- As the process inserts messages (`insert` of `src/sql/messages.ts`).
    insert into "laurels".messages (number, message_id, type, at, tenant_id, user_id, data, due)
      select greatest(r.base, (
          select max(m.number) from "laurels".messages m where m.tenant_id = r.tenant_id and m.user_id = r.user_id
        )) + r.place, r.message_id, r.type, r.at, r.tenant_id, r.user_id, r.data, r.due
        from jsonb_to_recordset(doc->'messages') as r(n int, base bigint, place bigint, message_id text, type text,
          at bigint, tenant_id text, user_id text, data text, due bigint)
        where r.n = any(stored) and (r.type not like 'emails.%'
          or not exists (select 1 from "laurels".messages m
            where m.message_id = r.message_id and substr(m.type, 1, 7) = 'emails.'));
  end if;

  return json_build_object('stored', to_json(stored), 'standings', standings, 'left', (
    select "laurels".load(jsonb_agg(u)) from jsonb_array_elements(doc->'users') u
      where not ((u->>'n')::int = any(stored)) having count(*) > 0
  ))::text;
end
$laurels$
