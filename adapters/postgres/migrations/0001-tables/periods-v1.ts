/** Released: not to be changed. */
export const PERIODS_V1: string = `create or replace function "laurels".periods_v1(t text, u text, most bigint) returns text language plpgsql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0 as $laurels$
begin
  return (select string_agg(concat_ws(' ', p.start_date, p.length, p.kind), ',') from (
    select p.start_date, p.length, p.kind from "laurels".streak_periods p
      where p.tenant_id = t and p.user_id = u order by p.start_date desc limit most
  ) p);
end
$laurels$`
