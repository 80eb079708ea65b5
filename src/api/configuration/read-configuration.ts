import { anniversaryOf, toStreakKey } from '../../answers/achievements.ts'
import { NO_LIMIT, toClock } from '../../answers/leaderboards.ts'
import { toAdminBoost, toAdminFilters } from '../../answers/points.ts'
import { toInstantText } from '../../answers/users.ts'
import { type ErrorCode, GamificationError } from '../../errors.ts'
import { achievementId, attributeId, metricId, pointsSystemId } from '../../game/ids.ts'
import { parseStored, readStoredGame } from '../../game/stored-game.ts'
import { type Day, daysOffOf, type Instant, localDate, toDateText } from '../../rules/calendar.ts'
import type { AchievementRule, FreezeRule, Game, Leaderboard, Level, Trigger } from '../../rules/game.ts'
import { statusOn } from '../../rules/leaderboard.ts'
import { unknownName } from '../../rules/names.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { parse } from '../../runtime/input.ts'
import { onNewestGame } from '../../runtime/newest-game.ts'
import type * as Types from '../../shapes/configuration.ts'
import type { GamesResponse, StoredGameSummary } from '../../shapes/operate.ts'
import { loadGames } from '../../sql/games.ts'
import type { StoredGame } from '../../storage/storage.ts'
import { gamesRequest, type ParsedListRequest } from './requests.ts'

interface Item {
  readonly id: string
  readonly key?: string
}

/** How one kind is read. `System`: the argument that names the points system, if it is a kind within one. */
export interface KindReads<Item, System extends readonly string[] = []> {
  readonly list: (call: Context, ...given: [...System, request: ParsedListRequest]) => Promise<readonly Item[]>
  readonly get: (call: Context, ...given: [...System, id: string]) => Promise<Item>
}
type OfSystem<Item> = KindReads<Item, [system: string]>

const SYSTEMS = reads('unknown_points_system', 'points system', toSystems)

export const CONFIGURATION: {
  readonly attributes: KindReads<Types.AdminAttribute>
  readonly achievements: KindReads<Types.AdminAchievement>
  readonly metrics: KindReads<Types.AdminMetric>
  readonly systems: KindReads<Types.AdminPointsSystem>
  readonly levels: OfSystem<Types.AdminPointsLevel>
  readonly triggers: OfSystem<Types.AdminPointsTrigger>
  readonly leaderboards: KindReads<Types.AdminLeaderboard>
} = {
  attributes: reads('unknown_attribute', 'attribute', toAttributes),
  achievements: reads('unknown_achievement', 'achievement', toAchievements),
  metrics: reads('unknown_metric', 'metric', toMetrics),
  systems: SYSTEMS,
  levels: readsOfSystem('unknown_level', 'level', ({ levels }) => levels),
  triggers: readsOfSystem('unknown_trigger', 'trigger', ({ triggers }) => triggers),
  leaderboards: reads('unknown_leaderboard', 'leaderboard', toLeaderboards),
}

function reads<T extends Item>(
  code: ErrorCode,
  name: string,
  itemsOf: (game: Game, now: Instant) => readonly T[],
): KindReads<T> {
  const all = async ({ games, storage, now }: Context) => itemsOf((await games.current(storage)).game, now())
  return {
    list: async (call, request) => part(await all(call), request),
    get: async (call, id) => find(code, name, await all(call), id),
  }
}

function readsOfSystem<T extends Item>(
  code: ErrorCode,
  name: string,
  itemsOf: (system: Types.AdminPointsSystem) => readonly T[],
): OfSystem<T> {
  return {
    list: async (call, system, request) => part(itemsOf(await SYSTEMS.get(call, system)), request),
    get: async (call, system, id) => find(code, name, itemsOf(await SYSTEMS.get(call, system)), id),
  }
}

function part<T>(items: readonly T[], { limit, skip }: ParsedListRequest): readonly T[] {
  return items.slice(skip, skip + limit)
}

/** An id goes before a key that looks like one. */
function find<T extends Item>(code: ErrorCode, name: string, items: readonly T[], id: string): T {
  const found = items.find((item) => item.id === id) ?? items.find((item) => item.key === id)
  if (found !== undefined) return found
  const keys = items.map((item) => item.key ?? item.id)
  throw new GamificationError(code, unknownName(name, id, keys))
}

export async function listGames({ storage }: Context, request: unknown = {}): Promise<GamesResponse> {
  const { before = Number.POSITIVE_INFINITY, limit } = parse(gamesRequest, request, 'request')
  // Without epochs of the same game that only changed boosts, or which messages are wanted.
  const inForce = (await loadGames(storage)).filter(({ fingerprint, policy }, index, games) => {
    return policy !== 'forward' || fingerprint !== games[index - 1]?.fingerprint
  })
  const stored = inForce.filter(({ epoch }) => epoch < before).reverse()
  const page = stored.slice(0, limit)
  return { games: page.map(toGameSummary), before: stored.length > limit ? (page.at(-1)?.epoch ?? null) : null }
}

export function toGameSummary({ epoch, fingerprint, policy, createdAt, definition }: StoredGame): StoredGameSummary {
  // Without the boosts and the types of messages that are stored beside it, so that it can be defined again.
  const { definition: plain } = readStoredGame(parseStored(definition))
  return { epoch, fingerprint, policy, createdAt: toInstantText(createdAt), definition: { ...Object(plain) } }
}

/**
 * The newest stored game, even if another process stored it a moment ago, so that boosts given there are seen here. The
 * storage reports its epoch with every user it reads; all games are read only if that epoch is a new one.
 */
export function newestGame(context: Context): Promise<CurrentGame> {
  // No user has an empty id.
  return onNewestGame(context, { tenant: '', user: '' }, {}, 'the game was read', (_, current) => current)
}

function toAttributes({ userAttributes, eventAttributes }: Game): readonly Types.AdminAttribute[] {
  const toItems = (type: 'user' | 'event', keys: Iterable<string>): readonly Types.AdminAttribute[] =>
    [...keys].map((key) => ({ id: attributeId(type, key), name: key, key, type }))
  return [...toItems('user', userAttributes), ...toItems('event', eventAttributes)]
}

function toMetrics({ metrics }: Game): readonly Types.AdminMetric[] {
  const active = [...metrics.values()].filter(({ status }) => status === 'active')
  return active.map(({ id, name, key, unit }) => ({ id, name, key, unitType: 'number', units: unit ?? '' }))
}

function toAchievements({ achievements }: Game): readonly Types.AdminAchievement[] {
  return [...achievements.values()].map((achievement) => {
    const { id, key, name, description, status, badgeUrl, userAttributes, trigger } = achievement
    const base = { id, name, description, status, badge: toBadge(badgeUrl), key }
    const kind = trigger === 'criteria' ? { trigger: 'api' as const, kind: trigger } : { trigger }
    return { ...base, ...kind, userAttributes: toAdminFilters('user', userAttributes), ...toGoal(achievement) }
  })
}

function toGoal(achievement: AchievementRule): Partial<Types.AdminAchievement> {
  switch (achievement.trigger) {
    case 'metric': {
      const { metric, value, eventAttributes } = achievement
      return {
        metricId: metricId(metric),
        metricValue: value,
        eventAttributes: toAdminFilters('event', eventAttributes),
      }
    }
    case 'streak':
      return { streakLength: achievement.length, ...toStreakKey(achievement) }
    case 'achievement':
      return { achievementIds: achievement.achievements.map(achievementId) }
    case 'anniversary':
      return { anniversaryYears: anniversaryOf(achievement) }
    case 'api':
    case 'criteria':
      return {}
    default:
      return achievement satisfies never
  }
}

const NO_STREAK_SETTINGS: Types.StreakSettings = {
  frequency: 'daily',
  evaluationMode: 'OR',
  customizationEnabled: false,
  daysOff: [],
  metrics: [],
  freezes: null,
}

/** In days: retention counts up to the thirtieth. */
const ACTIVATION_WINDOW = 30

export async function readSettings({ games, storage }: Context): Promise<Types.AdminSettings> {
  const { controlRatio, emails } = (await games.current(storage)).game
  const recap = emails?.recap ?? null
  return {
    branding: { appName: '', appUrl: '', brandColor: '#000000', font: 'MODERN_SANS', logo: null, appIcon: null },
    experimentation: { controlRatio: Math.round(controlRatio * 100), userActivationWindow: ACTIVATION_WINDOW },
    aggregationPeriod: recap === 'monthly' || recap === 'yearly' ? 'monthly' : 'weekly',
  }
}

export async function readStreakSettings({ games, storage }: Context): Promise<Types.StreakSettings> {
  const { streak } = (await games.current(storage)).game
  if (streak === null) return NO_STREAK_SETTINGS
  const { frequency, evaluationMode, customization, on, metrics, freezes } = streak
  return {
    frequency,
    evaluationMode,
    customizationEnabled: customization,
    daysOff: on === null ? [] : daysOffOf(on),
    // The shape has whole thresholds from 1 only.
    metrics: [...metrics].map(([key, threshold]) => ({ key, threshold: Math.max(1, Math.ceil(threshold ?? 1)) })),
    freezes: freezes === null ? null : toFreezeSettings(freezes),
  }
}

function toFreezeSettings({ initial, max, autoEarn }: FreezeRule): Types.StreakFreezeSettings {
  const earned = { autoEarnInterval: autoEarn?.interval ?? null, autoEarnAmount: autoEarn?.amount ?? null }
  return { startCount: initial, maxCount: max, ...earned }
}

function toSystems({ points }: Game, now: Instant): readonly Types.AdminPointsSystem[] {
  return [...points.values()].map(({ id, name, key, description, badgeUrl, maxPoints, levels, triggers, boosts }) => ({
    id,
    name,
    key,
    description: description ?? '',
    status: 'active',
    badge: toBadge(badgeUrl),
    maxPoints,
    levels: levels.map(toLevel),
    boosts: boosts.map((boost) => toAdminBoost(boost, now)),
    triggers: triggers.map(toTrigger),
  }))
}

function toLevel({ id, name, key, points, description, badgeUrl }: Level): Types.AdminPointsLevel {
  return { id, name, key, points, description: description ?? '', badge: toBadge(badgeUrl) }
}

function toBadge(url: string | null): Types.AdminBadge | null {
  return url === null ? null : { url }
}

function toTrigger(trigger: Trigger): Types.AdminPointsTrigger {
  const { id, type, points, status, blockIfOutOfPoints } = trigger
  const base = { id, type, points, status, userAttributes: toAdminFilters('user', trigger.userAttributes) }
  return { ...base, ...toCondition(trigger), blockIfOutOfPoints }
}

function toCondition(trigger: Trigger): Partial<Types.AdminPointsTrigger> {
  switch (trigger.type) {
    case 'metric': {
      const { metric, threshold, eventAttributes } = trigger
      const filters = toAdminFilters('event', eventAttributes)
      return { metricId: metricId(metric), metricThreshold: threshold, eventAttributes: filters }
    }
    case 'achievement':
      return { achievementId: achievementId(trigger.achievement) }
    case 'streak':
      return { streakLength: trigger.length, ...(trigger.streak === null ? {} : { streakKey: trigger.streak }) }
    case 'user_creation':
      return {}
    case 'time': {
      const { unit, count } = trigger.every
      return { timeUnit: `${unit}s`, timeInterval: count }
    }
    default:
      return trigger satisfies never
  }
}

function toLeaderboards({ leaderboards }: Game, now: Instant): readonly Types.AdminLeaderboard[] {
  const today = localDate('UTC', now)
  return [...leaderboards.values()].map((leaderboard) => toLeaderboard(leaderboard, today))
}

function toLeaderboard(leaderboard: Leaderboard, today: Day): Types.AdminLeaderboard {
  const { id, name, key, description, rankBy, metric, system, streak, start, end, run, startTime, endTime } =
    leaderboard
  return {
    id,
    name,
    key,
    ...(description === null ? {} : { description }),
    status: statusOn(leaderboard, today),
    rankBy,
    ...(metric === null ? {} : { metricId: metricId(metric) }),
    ...(system === null ? {} : { pointsSystemId: pointsSystemId(system) }),
    ...(streak === null ? {} : { streakKey: streak }),
    maxParticipants: leaderboard.maxParticipants ?? NO_LIMIT,
    start: toDateText(start),
    ...(end === null ? {} : { end: toDateText(end) }),
    ...(startTime === null ? {} : { startTime: toClock(startTime) }),
    ...(endTime === null ? {} : { endTime: toClock(endTime) }),
    breakdownAttributes: leaderboard.breakdown.map((attribute) => attributeId('user', attribute)),
    ...(run === null ? {} : { runUnit: run.unit, runInterval: run.interval }),
  }
}
