/** Released: not to be changed. */
export const NAMED_PERIODS_V1: string = `create or replace function "laurels".named_periods_v1(t text, u text, s text, most bigint) returns json language sql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
  select coalesce(json_agg(json_build_array(p.start_date, p.length, p.kind, p.streak)), '[]') from (
    select n.start_date, n.length, n.kind, n.streak from "laurels".named_streak_periods n
      where n.tenant_id = t and n.user_id = u and (s is null or n.streak = s)
      order by n.streak desc, n.start_date desc limit most
  ) p
$laurels$`
