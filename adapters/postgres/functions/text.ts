/** Stands where the body of a function begins and ends, until `withTag` has found a word that is not in it. */
export const TAG = '$-$'

export function withTag(text: string): string {
  let tag = 'laurels'
  while (text.includes(`$${tag}$`)) tag += '_'
  return text.replaceAll(TAG, () => `$${tag}$`)
}

/** A plan made while a table was nearly empty stays in a connection for long: it has to go by the indexes from the start. */
export const PLANNING = 'set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off'

/**
 * What these functions ask for is found by an index, and few rows of it, whatever they are given: one plan does for all
 * calls. Where a table has millions the planner expects more of a range of places: then it may plan each call anew,
 * compile its plans, or start workers, which takes longer than all the rest.
 */
export const PLAN_SMALL =
  'set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0'
