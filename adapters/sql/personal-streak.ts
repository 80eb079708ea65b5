import type { PersonalStreak } from '../../src/rules/entry.ts'

/** As it stands in a user's row and in the log; the metrics keep the order in which they were sent. */
export interface PersonalStreakJson {
  readonly evaluationMode: PersonalStreak['evaluationMode']
  readonly metrics: readonly { readonly key: string; readonly threshold: number | null }[]
}

export function toPersonalStreakJson({ evaluationMode, metrics }: PersonalStreak): PersonalStreakJson {
  return { evaluationMode, metrics: [...metrics].map(([key, threshold]) => ({ key, threshold })) }
}

export function fromPersonalStreakJson({ evaluationMode, metrics }: PersonalStreakJson): PersonalStreak {
  return { evaluationMode, metrics: new Map(metrics.map(({ key, threshold }) => [key, threshold])) }
}
