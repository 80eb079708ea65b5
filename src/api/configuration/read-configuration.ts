import { type ErrorCode, GamificationError } from '../../errors.ts'
import { achievementId, attributeId, metricId, pointsSystemId } from '../../game/ids.ts'
import { readStoredGame } from '../../game/stored-game.ts'
import { type Day, type Instant, localDate, toDateText } from '../../rules/calendar.ts'
import type { Filters, Game, Leaderboard, Level, Metric, PointsSystem, Trigger } from '../../rules/game.ts'
import { statusOn } from '../../rules/leaderboard.ts'
import { unknownName } from '../../rules/names.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { onNewestGame } from '../../runtime/game-registry.ts'
import type { StoredGame } from '../../storage/storage.ts'
import { gameKey, parse } from '../input.ts'
import { NO_LIMIT, toClock } from '../leaderboards/answer.ts'
import { gamesRequest } from '../operate/requests.ts'
import type { GamesResponse, StoredGameSummary } from '../operate/types.ts'
import { toAdminBoost } from '../points/answer.ts'
import { toInstantText } from '../users/answer.ts'
import { type ConfigurationListRequest, configurationListRequest } from './requests.ts'
import type {
  AdminAttribute,
  AdminAttributeFilter,
  AdminBadge,
  AdminLeaderboard,
  AdminMetric,
  AdminPointsLevel,
  AdminPointsSystem,
  AdminPointsTrigger,
} from './types.ts'

/** One kind of thing that the game has. */
export interface ConfigurationReads<Item> {
  /** A part of them in the game's order: `limit` (1 to 100, default 10) items after the first `skip` (default 0). */
  list(request?: ConfigurationListRequest): Promise<readonly Item[]>
  /** By id or key. Rejects with the `unknown_…` of its kind. */
  get(id: string): Promise<Item>
}

/**
 * One kind of thing within a points system, which is named by its id or key. All reject with `unknown_points_system`.
 */
export interface SystemReads<Item> {
  list(system: string, request?: ConfigurationListRequest): Promise<readonly Item[]>
  get(system: string, id: string): Promise<Item>
}

/** What the newest game in force has, for dashboards. Nothing of it can be changed by a call. */
export interface ConfigurationApi {
  /** User attributes, then event attributes. If both have a key, `get` answers the user attribute. */
  readonly attributes: ConfigurationReads<AdminAttribute>
  /** Those that are not archived. */
  readonly metrics: ConfigurationReads<AdminMetric>
  readonly points: {
    readonly systems: ConfigurationReads<AdminPointsSystem>
    /** The lowest first. */
    readonly levels: SystemReads<AdminPointsLevel>
    /** In the order in which they apply, inactive ones too; named by their ids alone. */
    readonly triggers: SystemReads<AdminPointsTrigger>
  }
  /** Private and finished ones too. */
  readonly leaderboards: ConfigurationReads<AdminLeaderboard>
}

interface Kind {
  readonly code: ErrorCode
  readonly name: string
}
interface Item {
  readonly id: string
  readonly key?: string
}

const SYSTEM: Kind = { code: 'unknown_points_system', name: 'points system' }

/** How one kind is read. `System`: the argument that names the points system, if it is a kind within one. */
export interface ConfigurationCalls<Item, System extends readonly unknown[] = []> {
  readonly list: (call: Context, ...given: [...System, request?: unknown]) => Promise<readonly Item[]>
  readonly get: (call: Context, ...given: [...System, id: unknown]) => Promise<Item>
}
type OfSystem<Item> = ConfigurationCalls<Item, [system: unknown]>

export const CONFIGURATION: {
  readonly attributes: ConfigurationCalls<AdminAttribute>
  readonly metrics: ConfigurationCalls<AdminMetric>
  readonly systems: ConfigurationCalls<AdminPointsSystem>
  readonly levels: OfSystem<AdminPointsLevel>
  readonly triggers: OfSystem<AdminPointsTrigger>
  readonly leaderboards: ConfigurationCalls<AdminLeaderboard>
} = {
  attributes: reads({ code: 'unknown_attribute', name: 'attribute' }, async (call) => toAttributes(await gameOf(call))),
  metrics: reads({ code: 'unknown_metric', name: 'metric' }, async (call) => toMetrics(await gameOf(call))),
  systems: reads(SYSTEM, systemsOf),
  levels: readsOfSystem({ code: 'unknown_level', name: 'level' }, ({ levels }) => levels),
  triggers: readsOfSystem({ code: 'unknown_trigger', name: 'trigger' }, ({ triggers }) => triggers),
  leaderboards: reads({ code: 'unknown_leaderboard', name: 'leaderboard' }, async (call) =>
    toLeaderboards(await gameOf(call), localDate('UTC', call.now())),
  ),
}

function reads<T extends Item>(kind: Kind, itemsOf: (call: Context) => Promise<readonly T[]>): ConfigurationCalls<T> {
  return {
    list: async (call, request) => part(await itemsOf(call), request),
    get: async (call, id) => find(kind, await itemsOf(call), id),
  }
}

function readsOfSystem<T extends Item>(kind: Kind, itemsOf: (system: AdminPointsSystem) => readonly T[]): OfSystem<T> {
  return {
    list: async (call, system, request) => part(itemsOf(await findSystem(call, system)), request),
    get: async (call, system, id) => find(kind, itemsOf(await findSystem(call, system)), id),
  }
}

async function gameOf({ games, storage }: Context) {
  return (await games.current(storage)).game
}

async function systemsOf(call: Context): Promise<readonly AdminPointsSystem[]> {
  return toSystems(await gameOf(call), call.now())
}

async function findSystem(call: Context, system: unknown): Promise<AdminPointsSystem> {
  return find(SYSTEM, await systemsOf(call), system)
}

function part<T>(items: readonly T[], request: unknown = {}): readonly T[] {
  const { limit, skip } = parse(configurationListRequest, request, 'request')
  return items.slice(skip, skip + limit)
}

/** An id goes before a key that looks like one. */
function find<T extends Item>({ code, name }: Kind, items: readonly T[], given: unknown): T {
  const id = parse(gameKey, given, `${name} id`)
  const found = items.find((item) => item.id === id) ?? items.find((item) => item.key === id)
  if (found !== undefined) return found
  throw new GamificationError(
    code,
    unknownName(
      name,
      id,
      items.map((item) => item.key ?? item.id),
    ),
  )
}

export async function listGames({ storage }: Context, request: unknown = {}): Promise<GamesResponse> {
  const { before = Number.POSITIVE_INFINITY, limit } = parse(gamesRequest, request, 'request')
  const stored = putInForce(await storage.games())
    .filter(({ epoch }) => epoch < before)
    .reverse()
  const page = stored.slice(0, limit)
  return { games: page.map(toGameSummary), before: stored.length > limit ? (page.at(-1)?.epoch ?? null) : null }
}

/** Without epochs of the same game that only changed boosts, or which messages are wanted. */
function putInForce(games: readonly StoredGame[]): readonly StoredGame[] {
  return games.filter(({ fingerprint, policy }, index) => {
    return policy !== 'forward' || fingerprint !== games[index - 1]?.fingerprint
  })
}

export function toGameSummary({ epoch, fingerprint, policy, createdAt, definition }: StoredGame): StoredGameSummary {
  // Without the boosts and the types of messages that are stored beside it, so that it can be defined again.
  const { definition: plain } = readStoredGame(JSON.parse(definition))
  return { epoch, fingerprint, policy, createdAt: toInstantText(createdAt), definition: { ...Object(plain) } }
}

/** An id that no user has. */
const NOBODY = ''

/**
 * The newest game that is stored, even where another process stored it a moment ago, so that boosts given there are
 * seen here. The storage says its epoch with any user that it is asked for; all games are read only where that is
 * another one.
 */
export function newestGame(context: Context): Promise<CurrentGame> {
  const options = {}
  return onNewestGame(context, { tenant: NOBODY, user: NOBODY }, options, 'the game was read', (_, current) => current)
}

type AttributeType = AdminAttribute['type']

export function toAttributes({ userAttributes, eventAttributes }: Game): readonly AdminAttribute[] {
  const to =
    (type: AttributeType) =>
    (key: string): AdminAttribute => ({ id: attributeId(type, key), name: key, key, type })
  return [...[...userAttributes].map(to('user')), ...[...eventAttributes].map(to('event'))]
}

/** The metrics that are not archived, as in answers about a user. */
export function toMetrics({ metrics }: Game): readonly AdminMetric[] {
  return [...metrics.values()].filter(({ status }) => status === 'active').map(toMetric)
}

function toMetric({ id, name, key, unit }: Metric): AdminMetric {
  return { id, name, key, unitType: 'number', units: unit ?? '' }
}

export function toSystems({ points }: Game, now: Instant): readonly AdminPointsSystem[] {
  return [...points.values()].map((system) => toSystem(system, now))
}

function toSystem(system: PointsSystem, now: Instant): AdminPointsSystem {
  const { id, name, key, description, badgeUrl, maxPoints, levels, triggers, boosts } = system
  return {
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
  }
}

function toLevel({ id, name, key, points, description, badgeUrl }: Level): AdminPointsLevel {
  return { id, name, key, points, description: description ?? '', badge: toBadge(badgeUrl) }
}

function toBadge(url: string | null): AdminBadge | null {
  return url === null ? null : { url }
}

function toFilters(type: AttributeType, filters: Filters): readonly AdminAttributeFilter[] {
  return filters.map(([key, attributeValue]) => ({ attributeId: attributeId(type, key), attributeValue }))
}

function toTrigger(trigger: Trigger): AdminPointsTrigger {
  const { id, type, points, status, blockIfOutOfPoints } = trigger
  const base = { id, type, points, status, userAttributes: toFilters('user', trigger.userAttributes) }
  return { ...base, ...toCondition(trigger), blockIfOutOfPoints }
}

function toCondition(trigger: Trigger): Partial<AdminPointsTrigger> {
  switch (trigger.type) {
    case 'metric': {
      const { metric, threshold, eventAttributes } = trigger
      const filters = toFilters('event', eventAttributes)
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

/** `today`: the date that decides the status. */
export function toLeaderboards({ leaderboards }: Game, today: Day): readonly AdminLeaderboard[] {
  return [...leaderboards.values()].map((leaderboard) => toLeaderboard(leaderboard, today))
}

function toLeaderboard(leaderboard: Leaderboard, today: Day): AdminLeaderboard {
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
