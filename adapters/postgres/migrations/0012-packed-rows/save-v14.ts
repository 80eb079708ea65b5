/** Released: not to be changed. */
export const SAVE_V14: string = `create or replace function "laurels".save_v14(input text) returns text language plpgsql
  set lock_timeout = '5s' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
declare
  doc constant jsonb := input;
  created_rows constant "laurels".saved_users_1[] := (doc->>'created')::"laurels".saved_users_1[];
  changed_rows constant "laurels".saved_users_1[] := (doc->>'changed')::"laurels".saved_users_1[];
  log_rows constant "laurels".saved_packed_log_1[] := (doc->>'log')::"laurels".saved_packed_log_1[];
  awards_rows constant "laurels".saved_packed_awards_1[] := (doc->>'awards')::"laurels".saved_packed_awards_1[];
  totals_rows constant "laurels".saved_totals_1[] := (doc->>'totals')::"laurels".saved_totals_1[];
  tallies_rows constant "laurels".saved_tallies_1[] := (doc->>'tallies')::"laurels".saved_tallies_1[];
  completions_rows constant "laurels".saved_completions_1[] := (doc->>'completions')::"laurels".saved_completions_1[];
  points_rows constant "laurels".saved_points_1[] := (doc->>'points')::"laurels".saved_points_1[];
  streak_periods_rows constant "laurels".saved_streak_periods_1[] := (doc->>'streak_periods')::"laurels".saved_streak_periods_1[];
  streak_pauses_rows constant "laurels".saved_streak_pauses_1[] := (doc->>'streak_pauses')::"laurels".saved_streak_pauses_1[];
  named_streak_periods_rows constant "laurels".saved_named_streak_periods_1[] := (doc->>'named_streak_periods')::"laurels".saved_named_streak_periods_1[];
  given_boosts_rows constant "laurels".saved_given_boosts_1[] := (doc->>'given_boosts')::"laurels".saved_given_boosts_1[];
  snapshots_rows constant "laurels".saved_snapshots_1[] := (doc->>'snapshots')::"laurels".saved_snapshots_1[];
  leaderboard_entries_rows constant "laurels".saved_leaderboard_entries_1[] := (doc->>'leaderboard_entries')::"laurels".saved_leaderboard_entries_1[];
  counters_rows constant "laurels".saved_counters_1[] := (doc->>'counters')::"laurels".saved_counters_1[];
  used int[] := '{}';
  made int[];
  known int[];
  stored int[] := '{}';
  rows bigint;
  standings json;
  moves "laurels".leaderboard_move[] := '{}';
  crowded jsonb;
begin
  -- Without a process it is a call in the host's own transaction, which no fence is needed for.
  if doc ? 'process' then
    update "laurels".processes set batch = (doc->>'batch')::bigint, outcome = 'saved', used_at = (doc->>'now')::bigint
      where id = doc->>'process' and batch = (doc->>'batch')::bigint - 1;
    if not found then return '{"fenced":true}'; end if;
  end if;

  if (doc->>'epoch')::bigint = coalesce((select max(epoch) from "laurels".games), 0) then
    if doc ? 'unread' then
      -- Of users that were not read for this batch: which idempotency keys are used, the process cannot know.
      select coalesce(array_agg(distinct r.n), '{}') into used
        from jsonb_to_recordset(doc->'unread') as r(n int, tenant_id text, user_id text, metric text, idempotency_key text)
        where exists (select from "laurels".packed_log l
          where (l.tenant_id || '') = r.tenant_id and (l.user_id || '') = r.user_id
            and l.metric = r.metric and l.idempotency_key = r.idempotency_key);
    end if;
    if doc ? 'created' then
      with inserted as (
        insert into "laurels".users (tenant_id, user_id, version, seq, at, epoch, created, updated, email, name, tz, subscribed_to_emails, device_tokens, attributes, notifications, personal_streak, streak_length, streak_last_period, streak_started, streak_first_at, streak_extended_at, streak_longest, streak_open_periods, streak_kept_period, streak_lost, freezes, freezes_next_earned, pauses, leaderboards, merged_into, suspended, date_sums, boosts, caps, cooldowns, timers, streaks, activity)
        select r.tenant_id, r.user_id, r.version, r.seq, r.at, r.epoch, r.created, r.updated, r.email, r.name, r.tz, r.subscribed_to_emails, r.device_tokens, r.attributes, r.notifications, r.personal_streak, r.streak_length, r.streak_last_period, r.streak_started, r.streak_first_at, r.streak_extended_at, r.streak_longest, r.streak_open_periods, r.streak_kept_period, r.streak_lost, r.freezes, r.freezes_next_earned, r.pauses, r.leaderboards, r.merged_into, r.suspended, r.date_sums, r.boosts, r.caps, r.cooldowns, r.timers, r.streaks, r.activity from unnest(created_rows) as r where pg_try_advisory_xact_lock(hashtextextended('laurels {schema} ' || length(r.tenant_id) || ' ' || r.tenant_id || r.user_id, 0))
        on conflict do nothing returning tenant_id, user_id
      )
      select array_agg(r.n) into made
        from unnest(created_rows) as r join inserted i on i.tenant_id = r.tenant_id and i.user_id = r.user_id;
    end if;
    if doc ? 'changed' then
      select array_agg(locked.n) into known from (
        select r.n from unnest(changed_rows) as r
          join "laurels".users u
            on u.tenant_id = r.tenant_id and u.user_id = r.user_id and u.version = r.read_version
          where r.n <> all(used)
          order by u.tenant_id, u.user_id for no key update of u skip locked
      ) locked;
      update "laurels".users t set version = r.version, seq = r.seq, at = r.at, epoch = r.epoch, created = r.created, updated = r.updated, email = r.email, name = r.name, tz = r.tz, subscribed_to_emails = r.subscribed_to_emails, device_tokens = r.device_tokens, attributes = r.attributes, notifications = r.notifications, personal_streak = r.personal_streak, streak_length = r.streak_length, streak_last_period = r.streak_last_period, streak_started = r.streak_started, streak_first_at = r.streak_first_at, streak_extended_at = r.streak_extended_at, streak_longest = r.streak_longest, streak_open_periods = r.streak_open_periods, streak_kept_period = r.streak_kept_period, streak_lost = r.streak_lost, freezes = r.freezes, freezes_next_earned = r.freezes_next_earned, pauses = r.pauses, leaderboards = r.leaderboards, merged_into = r.merged_into, suspended = r.suspended, date_sums = r.date_sums, boosts = r.boosts, caps = r.caps, cooldowns = r.cooldowns, timers = r.timers, streaks = r.streaks, activity = r.activity
        from unnest(changed_rows) as r where t.tenant_id = r.tenant_id and t.user_id = r.user_id and r.n = any(known);
    end if;
    stored := coalesce(made, '{}') || coalesce(known, '{}');

    if doc ? 'standings' then
      -- One statement, so that all of them are true of one moment.
      standings := "laurels".standings_v3(doc->'standings');
    end if;
    if doc ?| array['leaderboard_entries', 'removed_leaderboard_entries'] then
      with put as materialized (
        select r.* from unnest(leaderboard_entries_rows) as r where r.n = any(stored)
      )
      select coalesce(array_agg(row(m.tenant_id, m.leaderboard, m.run, m.group_key, m.minus_value, m.reached_at, m.user_id, m.delta, m.unlimited)::"laurels".leaderboard_move), '{}') into moves from (
        select tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id,
            sum(delta) as delta, bool_or(unlimited) as unlimited
          from (
            select e.tenant_id, e.leaderboard, e.run, e.group_key, e.minus_value, e.reached_at, e.user_id,
                -1 as delta, coalesce(r.unlimited, false) as unlimited
              from (
                select k.tenant_id, k.user_id, k.leaderboard, k.run, bool_or(k.unlimited) as unlimited from (
                  select p.tenant_id, p.user_id, p.leaderboard, p.run, p.unlimited from put p
                  union all select r.tenant_id, r.user_id, r.leaderboard, r.run, r.unlimited
                    from jsonb_to_recordset(doc->'removed_leaderboard_entries') as r(n int, tenant_id text, user_id text, leaderboard text, run text, unlimited boolean) where r.n = any(stored)
                ) k group by 1, 2, 3, 4
              ) r
              join "laurels".leaderboard_entries e on e.tenant_id = r.tenant_id and e.user_id = r.user_id
                and e.leaderboard = r.leaderboard and e.run = r.run
              where e.until is null
            union all
            select p.tenant_id, p.leaderboard, p.run, p.group_key, p.minus_value, p.reached_at, p.user_id, 1, p.unlimited
              from put p where p.until is null
          ) places
          group by 1, 2, 3, 4, 5, 6, 7 having sum(delta) <> 0
      ) m;
      moves := "laurels".begin_moves_v3(moves, doc ? 'process');
    end if;

    if doc ? 'redated' then
      update "laurels".packed_log t set epoch = r.epoch, zone = r.zone, local_date = r.local_date, local_time = r.local_time, voided_by = decode(r.voided_by, 'hex'), idempotency_key = r.idempotency_key
        from jsonb_to_recordset(doc->'redated') as r(n int, tenant_id text, user_id text, at bigint, seq bigint, epoch int, zone text, local_date int, local_time int, voided_by text, idempotency_key text) where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.at = r.at and t.seq = r.seq and r.n = any(stored);
      get diagnostics rows = row_count;
      if rows <> (select count(*) from jsonb_to_recordset(doc->'redated') as r(n int) where r.n = any(stored)) then
        raise exception 'The save dates an unknown entry anew.';
      end if;
    end if;
    if doc ? 'log' then
      insert into "laurels".packed_log (tenant_id, user_id, at, seq, entry_id, kind, epoch, recorded_at, zone, local_date, local_time, profile, metric, value, idempotency_key, data, voided_by, by_key)
        select r.tenant_id, r.user_id, r.at, r.seq, decode(r.entry_id, 'hex'), r.kind, r.epoch, r.recorded_at, r.zone, r.local_date, r.local_time, r.profile, r.metric, r.value, r.idempotency_key, r.data, decode(r.voided_by, 'hex'), r.by_key from unnest(log_rows) as r where r.n = any(stored);
    end if;
    if doc ? 'removed_awards' then
      delete from "laurels".packed_awards t using jsonb_to_recordset(doc->'removed_awards') as r(n int, tenant_id text, user_id text, system text, at bigint, seq bigint, ordinal bigint)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.system = r.system and t.at = r.at and t.seq = r.seq and t.ordinal = r.ordinal and r.n = any(stored);
    end if;
    if doc ? 'awards' then
      insert into "laurels".packed_awards (tenant_id, user_id, system, at, seq, ordinal, award_id, trigger_id, entry_id, awarded, total, boosts)
        select r.tenant_id, r.user_id, r.system, r.at, r.seq, r.ordinal, decode(r.award_id, 'hex'), decode(r.trigger_id, 'hex'), decode(r.entry_id, 'hex'), r.awarded, r.total, r.boosts from unnest(awards_rows) as r where r.n = any(stored);
    end if;
    if doc ? 'outdated_snapshots' then
      delete from "laurels".snapshots t using jsonb_to_recordset(doc->'outdated_snapshots') as r(n int, tenant_id text, user_id text, lines bigint)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.lines > r.lines and r.n = any(stored);
    end if;
    
    if doc ? 'removed_totals' then
      delete from "laurels".totals t using jsonb_to_recordset(doc->'removed_totals') as r(n int, tenant_id text, user_id text, metric text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.metric = r.metric and r.n = any(stored);
    end if;
    if doc ? 'totals' then
      update "laurels".totals t set total = r.total, highest = r.highest
        from unnest(totals_rows) as r where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.metric = r.metric and r.n = any(stored);
      get diagnostics rows = row_count;
      if rows < (select count(*) from unnest(totals_rows) as r where r.n = any(stored)) then
        insert into "laurels".totals (tenant_id, user_id, metric, total, highest)
        select r.tenant_id, r.user_id, r.metric, r.total, r.highest from unnest(totals_rows) as r where r.n = any(stored)
          on conflict (tenant_id, user_id, metric) do nothing;
      end if;
    end if;
    if doc ? 'removed_tallies' then
      delete from "laurels".tallies t using jsonb_to_recordset(doc->'removed_tallies') as r(n int, tenant_id text, user_id text, rule_id text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.rule_id = r.rule_id and r.n = any(stored);
    end if;
    if doc ? 'tallies' then
      update "laurels".tallies t set total = r.total, highest = r.highest
        from unnest(tallies_rows) as r where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.rule_id = r.rule_id and r.n = any(stored);
      get diagnostics rows = row_count;
      if rows < (select count(*) from unnest(tallies_rows) as r where r.n = any(stored)) then
        insert into "laurels".tallies (tenant_id, user_id, rule_id, total, highest)
        select r.tenant_id, r.user_id, r.rule_id, r.total, r.highest from unnest(tallies_rows) as r where r.n = any(stored)
          on conflict (tenant_id, user_id, rule_id) do nothing;
      end if;
    end if;
    if doc ? 'removed_completions' then
      delete from "laurels".completions t using jsonb_to_recordset(doc->'removed_completions') as r(n int, tenant_id text, user_id text, achievement text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.achievement = r.achievement and r.n = any(stored);
    end if;
    if doc ? 'completions' then
      insert into "laurels".completions (tenant_id, user_id, achievement, at, entry_id, count)
        select r.tenant_id, r.user_id, r.achievement, r.at, r.entry_id, r.count from unnest(completions_rows) as r where r.n = any(stored)
        on conflict (tenant_id, user_id, achievement) do update set at = excluded.at, entry_id = excluded.entry_id, count = excluded.count;
    end if;
    if doc ? 'removed_points' then
      delete from "laurels".points t using jsonb_to_recordset(doc->'removed_points') as r(n int, tenant_id text, user_id text, system text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.system = r.system and r.n = any(stored);
    end if;
    if doc ? 'points' then
      update "laurels".points t set total = r.total, level = r.level
        from unnest(points_rows) as r where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.system = r.system and r.n = any(stored);
      get diagnostics rows = row_count;
      if rows < (select count(*) from unnest(points_rows) as r where r.n = any(stored)) then
        insert into "laurels".points (tenant_id, user_id, system, total, level)
        select r.tenant_id, r.user_id, r.system, r.total, r.level from unnest(points_rows) as r where r.n = any(stored)
          on conflict (tenant_id, user_id, system) do nothing;
      end if;
    end if;
    if doc ? 'removed_streak_periods' then
      delete from "laurels".streak_periods t using jsonb_to_recordset(doc->'removed_streak_periods') as r(n int, tenant_id text, user_id text, start_date text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.start_date = r.start_date and r.n = any(stored);
    end if;
    if doc ? 'streak_periods' then
      insert into "laurels".streak_periods (tenant_id, user_id, start_date, length, kind)
        select r.tenant_id, r.user_id, r.start_date, r.length, r.kind from unnest(streak_periods_rows) as r where r.n = any(stored)
        on conflict (tenant_id, user_id, start_date) do update set length = excluded.length, kind = excluded.kind;
    end if;
    if doc ? 'removed_streak_pauses' then
      delete from "laurels".streak_pauses t using jsonb_to_recordset(doc->'removed_streak_pauses') as r(n int, tenant_id text, user_id text, pause_id text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.pause_id = r.pause_id and r.n = any(stored);
    end if;
    if doc ? 'streak_pauses' then
      insert into "laurels".streak_pauses (tenant_id, user_id, pause_id)
        select r.tenant_id, r.user_id, r.pause_id from unnest(streak_pauses_rows) as r where r.n = any(stored)
        on conflict (tenant_id, user_id, pause_id) do nothing;
    end if;
    if doc ? 'removed_named_streak_periods' then
      delete from "laurels".named_streak_periods t using jsonb_to_recordset(doc->'removed_named_streak_periods') as r(n int, tenant_id text, user_id text, streak text, start_date text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.streak = r.streak and t.start_date = r.start_date and r.n = any(stored);
    end if;
    if doc ? 'named_streak_periods' then
      insert into "laurels".named_streak_periods (tenant_id, user_id, streak, start_date, length, kind)
        select r.tenant_id, r.user_id, r.streak, r.start_date, r.length, r.kind from unnest(named_streak_periods_rows) as r where r.n = any(stored)
        on conflict (tenant_id, user_id, streak, start_date) do update set length = excluded.length, kind = excluded.kind;
    end if;
    if doc ? 'removed_given_boosts' then
      delete from "laurels".given_boosts t using jsonb_to_recordset(doc->'removed_given_boosts') as r(n int, tenant_id text, user_id text, boost_id text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.boost_id = r.boost_id and r.n = any(stored);
    end if;
    if doc ? 'given_boosts' then
      insert into "laurels".given_boosts (tenant_id, user_id, boost_id, system)
        select r.tenant_id, r.user_id, r.boost_id, r.system from unnest(given_boosts_rows) as r where r.n = any(stored)
        on conflict (tenant_id, user_id, boost_id) do update set system = excluded.system;
    end if;
    if doc ? 'removed_snapshots' then
      delete from "laurels".snapshots t using jsonb_to_recordset(doc->'removed_snapshots') as r(n int, tenant_id text, user_id text, lines bigint)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.lines = r.lines and r.n = any(stored);
    end if;
    if doc ? 'snapshots' then
      insert into "laurels".snapshots (tenant_id, user_id, lines, at, seq, since, state)
        select r.tenant_id, r.user_id, r.lines, r.at, r.seq, r.since, r.state from unnest(snapshots_rows) as r where r.n = any(stored)
        on conflict (tenant_id, user_id, lines) do update set at = excluded.at, seq = excluded.seq, since = excluded.since, state = excluded.state;
    end if;
    if doc ? 'removed_leaderboard_entries' then
      delete from "laurels".leaderboard_entries t using jsonb_to_recordset(doc->'removed_leaderboard_entries') as r(n int, tenant_id text, user_id text, leaderboard text, run text)
        where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.leaderboard = r.leaderboard and t.run = r.run and r.n = any(stored);
    end if;
    if doc ? 'leaderboard_entries' then
      update "laurels".leaderboard_entries t set group_key = r.group_key, minus_value = r.minus_value, reached_at = r.reached_at, until = r.until, names = r.names
        from unnest(leaderboard_entries_rows) as r where t.tenant_id = r.tenant_id and t.user_id = r.user_id and t.leaderboard = r.leaderboard and t.run = r.run and r.n = any(stored);
      get diagnostics rows = row_count;
      if rows < (select count(*) from unnest(leaderboard_entries_rows) as r where r.n = any(stored)) then
        insert into "laurels".leaderboard_entries (tenant_id, user_id, leaderboard, run, group_key, minus_value, reached_at, until, names)
        select r.tenant_id, r.user_id, r.leaderboard, r.run, r.group_key, r.minus_value, r.reached_at, r.until, r.names from unnest(leaderboard_entries_rows) as r where r.n = any(stored)
          on conflict (tenant_id, user_id, leaderboard, run) do nothing;
      end if;
    end if;
    if cardinality(moves) > 0 then
      crowded := "laurels".count_blocks_v3(moves);
    end if;
    if doc ? 'counters' then
      -- With what calls in transactions of hosts have left: each a row of its own, which nobody else holds.
      with pending as (
        select tenant_id, kind, key, slot from "laurels".counters where slot >= 16 and doc ? 'process'
          order by tenant_id, kind, key, slot limit 100 for update skip locked
      ), taken as (
        delete from "laurels".counters c using pending p
          where c.tenant_id = p.tenant_id and c.kind = p.kind and c.key = p.key and c.slot = p.slot
          returning c.tenant_id, c.kind, c.key, c.count
      ), added as (
        select r.tenant_id, r.kind, r.key, r.amount as count
          from unnest(counters_rows) as r
          where r.n = any(stored)
        union all select tenant_id, kind, key, count from taken
      )
      insert into "laurels".counters as c (tenant_id, kind, key, slot, count)
        select a.tenant_id, a.kind, a.key, (doc->>'slot')::bigint, sum(a.count)
          from added a group by 1, 2, 3 having sum(a.count) <> 0
          order by a.tenant_id collate "C", a.kind collate "C", a.key collate "C"
        on conflict (tenant_id, kind, key, slot) do update set count = c.count + excluded.count;
    end if;
  end if;

  return json_build_object('stored', to_json(stored), 'standings', standings, 'crowded', crowded, 'left', (
    select "laurels".load_v2(jsonb_agg(u)) from jsonb_array_elements(doc->'users') u
      where not ((u->>'n')::int = any(stored)) having count(*) > 0
  ))::text;
end
$laurels$`
