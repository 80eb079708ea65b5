import { z } from 'zod'
import type { EntryBody, NotificationChannel, NotificationType, PersonalStreak } from '../../rules/entry.ts'
import { optional, parse, text } from '../input.ts'

/** A client may repeat one of the two, but not at any length. */
const MOST_CHANNELS = 10

const channels = optional(
  z
    .array(z.enum(['email', 'push']))
    .max(MOST_CHANNELS)
    .transform((given) => [...new Set(given)]),
)

const notifications = z.strictObject({
  achievement_completed: channels,
  recap: channels,
  reactivation: channels,
  streak_reminder: channels,
})

const personalMetric = z.object({
  key: text(255),
  threshold: z.number().min(0).max(1e15).nullable().optional(),
})

const MOST_METRICS = 1_000

const personalStreak = z.object({
  enabled: z.boolean().optional(),
  evaluationMode: optional(z.enum(['OR', 'AND', 'ALL'])),
  // No game's metrics can be repeated, so there are never more than it has.
  metrics: z
    .array(personalMetric)
    .min(1)
    .max(MOST_METRICS)
    .refine((metrics) => new Set(metrics.map(({ key }) => key)).size === metrics.length, 'must not repeat a metric')
    .optional(),
})

type ParsedNotifications = { readonly [Type in NotificationType]?: readonly NotificationChannel[] | undefined }

interface ParsedStreak {
  readonly enabled?: boolean | undefined
  readonly evaluationMode?: 'OR' | 'AND' | 'ALL' | undefined
  readonly metrics?: readonly { readonly key: string; readonly threshold?: number | null | undefined }[] | undefined
}

/** What a request said, as it was read. */
export interface ParsedPreferences {
  readonly notifications?: ParsedNotifications | undefined
  readonly streak?: ParsedStreak | undefined
}

export const preferencesUpdate: z.ZodType<ParsedPreferences> = z.object({
  notifications: optional(notifications),
  streak: optional(personalStreak),
})

/** What a request asks to be recorded; `userUpserted` when it names nothing. */
export function toPreferencesBody(request: unknown): EntryBody {
  const update = parse(preferencesUpdate, request, 'preferences')
  return toBody(update.notifications ?? {}, update.streak === undefined ? null : toPersonalStreak(update.streak))
}

/** null: it names nothing. */
function toPersonalStreak({ enabled, evaluationMode, metrics }: ParsedStreak): PersonalStreak | null {
  const streak: PersonalStreak = {
    ...(enabled === undefined ? {} : { enabled }),
    ...(evaluationMode === undefined ? {} : { evaluationMode: evaluationMode === 'OR' ? 'OR' : 'AND' }),
    ...(metrics === undefined
      ? {}
      : { metrics: new Map(metrics.map(({ key, threshold }) => [key, threshold || null])) }),
  }
  return Object.keys(streak).length === 0 ? null : streak
}

const TYPES = ['achievement_completed', 'recap', 'reactivation', 'streak_reminder'] as const

function toBody(update: ParsedNotifications, streak: PersonalStreak | null): EntryBody {
  const named = new Map<NotificationType, readonly NotificationChannel[]>()
  for (const type of TYPES) {
    const list = update[type]
    if (list !== undefined) named.set(type, list)
  }
  if (named.size === 0 && streak === null) return { kind: 'userUpserted' }
  return { kind: 'preferencesChanged', notifications: named, streak }
}
