import type { DefinedGame } from '../../src/game/define-game.ts'
import type {
  AchievementCompletionResponse,
  CompletionRequest,
  GamificationApi,
  HostTransaction,
  MetricEventRequest,
  MetricEventResponse,
  PreferencesUpdate,
  User,
  UserPreferences,
  UserUpdate,
  UserUpsert,
} from '../../src/index.ts'

type Soon<T> = T | Promise<T>

/** The calls that record, in each of the ways to make them: through the queue, with `tx`, or within a database. */
export interface Writer {
  readonly metrics: { event(metric: string, request: MetricEventRequest): Soon<MetricEventResponse> }
  readonly achievements: {
    complete(achievement: string, request: CompletionRequest): Soon<AchievementCompletionResponse>
  }
  readonly users: {
    create(user: UserUpsert): Soon<User>
    identify(id: string, update: UserUpdate): Soon<User>
    update(id: string, update: UserUpdate): Soon<User>
    updatePreferences(id: string, update: PreferencesUpdate): Soon<UserPreferences>
  }
}

/** Every call with this transaction. */
export function joined({ metrics, achievements, users }: GamificationApi<DefinedGame>, tx: HostTransaction): Writer {
  return {
    metrics: { event: (metric, request) => metrics.event(metric, request, { tx }) },
    achievements: { complete: (key, request) => achievements.complete(key, request, { tx }) },
    users: {
      create: (user) => users.create(user, { tx }),
      identify: (id, update) => users.identify(id, update, { tx }),
      update: (id, update) => users.update(id, update, { tx }),
      updatePreferences: (id, update) => users.updatePreferences(id, update, { tx }),
    },
  }
}
