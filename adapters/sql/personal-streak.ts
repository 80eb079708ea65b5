import type { PersonalStreak } from '../../src/rules/entry.ts'
import { toMap, toObject } from './text.ts'

/** As it stands in a user's row and in the log. */
export interface PersonalStreakJson {
  readonly evaluationMode: PersonalStreak['evaluationMode']
  readonly metrics: Readonly<Record<string, number | null>>
}

export function toPersonalStreakJson({ evaluationMode, metrics }: PersonalStreak): PersonalStreakJson {
  return { evaluationMode, metrics: toObject(metrics) }
}

export function fromPersonalStreakJson({ evaluationMode, metrics }: PersonalStreakJson): PersonalStreak {
  return { evaluationMode, metrics: toMap<string, number | null>(metrics) }
}
