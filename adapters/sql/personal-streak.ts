import type { PersonalStreak } from '../../src/rules/entry.ts'

/** A personal streak in a user's row and in the log; the metrics keep the order in which they were sent. */
export interface PersonalStreakJson extends Omit<PersonalStreak, 'metrics'> {
  readonly metrics?: readonly { readonly key: string; readonly threshold: number | null }[]
}

export function toPersonalStreakJson({ enabled, evaluationMode, metrics }: PersonalStreak): PersonalStreakJson {
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(evaluationMode === undefined ? {} : { evaluationMode }),
    ...(metrics === undefined ? {} : { metrics: [...metrics].map(([key, threshold]) => ({ key, threshold })) }),
  }
}

export function fromPersonalStreakJson({ metrics, ...rest }: PersonalStreakJson): PersonalStreak {
  if (metrics === undefined) return rest
  return { ...rest, metrics: new Map(metrics.map(({ key, threshold }) => [key, threshold])) }
}
