import type { AwardFacts } from '../../record/accept/derived-rows.ts'
import type { UserState } from '../../rules/state.ts'

export function totalOf(state: UserState | null, system: string): number {
  return state?.points.get(system)?.total ?? 0
}

export type SumByTrigger = ReadonlyMap<string, number>
export const NO_SUMS: SumByTrigger = new Map()

/** Sums the points that triggers gave or took, by points system. */
export function sumAwards(
  awards: Iterable<Pick<AwardFacts, 'system' | 'trigger' | 'awarded'>>,
  sums: Map<string, Map<string, number>> = new Map(),
): Map<string, Map<string, number>> {
  for (const { system, trigger, awarded } of awards) {
    const ofSystem = sums.get(system) ?? new Map<string, number>()
    sums.set(system, ofSystem.set(trigger, (ofSystem.get(trigger) ?? 0) + awarded))
  }
  return sums
}
