import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import type { EntryBody, NotificationChannel, NotificationType, PersonalStreak } from '../rules/entry.ts'
import { refusePersonalStreak } from '../rules/refuse.ts'
import { toPreferences } from './answers/user.ts'
import type { Context } from './context.ts'
import { parse, text } from './input.ts'
import { perform, stateAfter } from './perform.ts'
import { readUser } from './read-user.ts'
import { parseUserId } from './user-input.ts'
import type { UserPreferences } from './wire.ts'

/** What to change; each notification type that is named is replaced (specification 4.9). */
export interface PreferencesUpdate<Metric extends string = string> {
  readonly notifications?: {
    readonly achievement_completed?: readonly NotificationChannel[]
    readonly recap?: readonly NotificationChannel[]
    readonly reactivation?: readonly NotificationChannel[]
    readonly streak_reminder?: readonly NotificationChannel[]
  }
  /** A streak of the user's own metrics. The game must have `streak.customization`. */
  readonly streak?: {
    /** Default `OR`. */
    readonly evaluationMode?: 'OR' | 'AND' | 'ALL'
    /** Without a threshold any change above 0 counts. */
    readonly metrics: readonly { readonly key: Metric; readonly threshold?: number }[]
  }
}

const channels = z
  .array(z.enum(['email', 'push']))
  .transform((list) => [...new Set(list)])
  .optional()

const notifications = z.strictObject({
  achievement_completed: channels,
  recap: channels,
  reactivation: channels,
  streak_reminder: channels,
})

const personalMetric = z.object({
  key: text(255),
  threshold: z.number().positive().max(1e15).nullable().optional(),
})

const personalStreak = z.object({
  evaluationMode: z.enum(['OR', 'AND', 'ALL']).default('OR'),
  metrics: z
    .array(personalMetric)
    .min(1)
    .refine((metrics) => new Set(metrics.map(({ key }) => key)).size === metrics.length, 'must not repeat a metric'),
})

const preferencesUpdate = z.object({ notifications: notifications.optional(), streak: personalStreak.optional() })

/** Specification 4.8. */
export async function readPreferences(context: Context, tenant: string, id: unknown): Promise<UserPreferences> {
  const { state } = await readUser(context, tenant, parseUserId(id))
  return toPreferences(state.preferences)
}

/** Specification 4.9. */
export async function updatePreferences(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown,
): Promise<UserPreferences> {
  const user = parseUserId(id)
  const body = toPreferencesBody(request)
  await checkCustomization(context, body.kind === 'preferencesChanged' ? body.streak : null)
  const outcome = await perform(context, { tenant, user, profile: null, body, createsUser: false })
  return toPreferences(stateAfter(outcome).preferences)
}

/** What a request asks to be recorded; `userUpserted` when it names nothing. */
export function toPreferencesBody(request: unknown): EntryBody {
  const update = parse(preferencesUpdate, request, 'preferences')
  return toBody(update.notifications ?? {}, update.streak === undefined ? null : toPersonalStreak(update.streak))
}

/** That personal streaks are off is said whether the user exists or not. */
async function checkCustomization(context: Context, streak: PersonalStreak | null): Promise<void> {
  if (streak === null) return
  const { game } = await context.games.current()
  const refusal = refusePersonalStreak(game, streak)
  if (refusal?.code === 'streak_customization_disabled') throw new GamificationError(refusal.code, refusal.message)
}

function toPersonalStreak({ evaluationMode, metrics }: z.output<typeof personalStreak>): PersonalStreak {
  return {
    evaluationMode: evaluationMode === 'OR' ? 'OR' : 'AND',
    metrics: new Map(metrics.map(({ key, threshold }) => [key, threshold ?? null])),
  }
}

const TYPES = ['achievement_completed', 'recap', 'reactivation', 'streak_reminder'] as const

function toBody(update: z.output<typeof notifications>, streak: PersonalStreak | null): EntryBody {
  const named = new Map<NotificationType, readonly NotificationChannel[]>()
  for (const type of TYPES) {
    const list = update[type]
    if (list !== undefined) named.set(type, list)
  }
  if (named.size === 0 && streak === null) return { kind: 'userUpserted' }
  return { kind: 'preferencesChanged', notifications: named, streak }
}
