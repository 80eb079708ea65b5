import { type ErrorCode, GamificationError } from '../../../errors.ts'
import { splitGame } from '../../../game/given-boosts.ts'
import { configurationId, configurationListRequest } from '../../../requests/configuration.ts'
import { parse } from '../../../requests/input.ts'
import { gamesRequest } from '../../../requests/overview.ts'
import type { ConfigurationListRequest } from '../../../requests/types/configuration.ts'
import { localDate } from '../../../rules/calendar.ts'
import { unknownName } from '../../../rules/names.ts'
import type { StoredGame } from '../../../storage.ts'
import { toAttributes, toLeaderboards, toMetrics, toSystems } from '../../answers/configuration.ts'
import { toInstantText } from '../../answers/user.ts'
import type {
  AdminAttribute,
  AdminLeaderboard,
  AdminMetric,
  AdminPointsLevel,
  AdminPointsSystem,
  AdminPointsTrigger,
} from '../../answers/wire/configuration.ts'
import type { GamesResponse, StoredGameSummary } from '../../answers/wire/status.ts'
import { onNewestGame } from '../../game-book.ts'
import type { Context, CurrentGame } from '../../types.ts'

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
  /** Of users, then of events. By a key that both have, `get` answers that of users. */
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

type Read = <T>(operation: string, use: (call: Context) => Promise<T>) => Promise<T>

interface Kind {
  readonly code: ErrorCode
  readonly name: string
}
interface Item {
  readonly id: string
  readonly key?: string
}

const ATTRIBUTE: Kind = { code: 'unknown_attribute', name: 'attribute' }
const METRIC: Kind = { code: 'unknown_metric', name: 'metric' }
const SYSTEM: Kind = { code: 'unknown_points_system', name: 'points system' }
const LEVEL: Kind = { code: 'unknown_level', name: 'level' }
const TRIGGER: Kind = { code: 'unknown_trigger', name: 'trigger' }
const LEADERBOARD: Kind = { code: 'unknown_leaderboard', name: 'leaderboard' }

/** `read` begins a call of the name that it is told, as `metrics.list`. */
export function configurationApi(read: Read): ConfigurationApi {
  const reads = <T extends Item>(
    group: string,
    kind: Kind,
    itemsOf: (call: Context) => Promise<readonly T[]>,
  ): ConfigurationReads<T> => ({
    list: (request) => read(`${group}.list`, async (call) => part(await itemsOf(call), request)),
    get: (id) => read(`${group}.get`, async (call) => find(kind, await itemsOf(call), id)),
  })
  const within = <T extends Item>(
    group: string,
    kind: Kind,
    itemsOf: (system: AdminPointsSystem) => readonly T[],
  ): SystemReads<T> => ({
    list: (system, request) =>
      read(`${group}.list`, async (call) => part(itemsOf(await findSystem(call, system)), request)),
    get: (system, id) => read(`${group}.get`, async (call) => find(kind, itemsOf(await findSystem(call, system)), id)),
  })
  return {
    attributes: reads('attributes', ATTRIBUTE, async (call) => toAttributes(await gameOf(call))),
    metrics: reads('metrics', METRIC, async (call) => toMetrics(await gameOf(call))),
    points: {
      systems: reads('points.systems', SYSTEM, systemsOf),
      levels: within('points.levels', LEVEL, ({ levels }) => levels),
      triggers: within('points.triggers', TRIGGER, ({ triggers }) => triggers),
    },
    leaderboards: reads('leaderboards', LEADERBOARD, async (call) =>
      toLeaderboards(await gameOf(call), localDate('UTC', call.now())),
    ),
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
  const id = parse(configurationId, given, `${name} id`)
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

/** Every game that was put in force, the newest first. */
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
  const { definition: plain } = splitGame(JSON.parse(definition))
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
