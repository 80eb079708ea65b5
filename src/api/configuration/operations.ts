import { gameKey } from '../../runtime/input.ts'
import type {
  AdminAchievement,
  AdminAttribute,
  AdminEnvironment,
  AdminLeaderboard,
  AdminMetric,
  AdminPointsLevel,
  AdminPointsSystem,
  AdminPointsTrigger,
  AdminSettings,
  StreakSettings,
} from '../../shapes/configuration.ts'
import type { SchemaName } from '../../shapes/schema-names.ts'
import { CONFIGURATION_TAG, type Endpoint, listOf } from '../endpoint.ts'
import { adminSystemArg, arg, defineOperation, type Operation, type OperationsOf, optionalArg } from '../operation.ts'
import { CONFIGURATION, type KindReads, readSettings, readStreakSettings } from './read-configuration.ts'
import { type ConfigurationListRequest, configurationListRequest } from './requests.ts'

/** The reads of one kind of rule, such as the metrics or the achievements of a game. */
export interface ConfigurationReads<Item> {
  /** Returns `limit` items (1 to 100, default 10) in the game's order, after the first `skip` (default 0). */
  list(request?: ConfigurationListRequest): Promise<readonly Item[]>
  /** Returns the item with an id or a key. Rejects with the code of its kind, such as `unknown_metric`. */
  get(id: string): Promise<Item>
}

/**
 * The reads of the levels or the triggers of one points system. `system` is its id or key. Both reject with
 * `unknown_points_system` if there is none.
 */
export interface SystemReads<Item> {
  /** Returns `limit` items (1 to 100, default 10) in the game's order, after the first `skip` (default 0). */
  list(system: string, request?: ConfigurationListRequest): Promise<readonly Item[]>
  /** Returns the item with an id or a key. Rejects with `unknown_level` or `unknown_trigger`. */
  get(system: string, id: string): Promise<Item>
}

/** Reads the newest game in force, for dashboards. No call can change it. */
export interface ConfigurationApi {
  /** User attributes, then event attributes. If both have a key, `get` answers the user attribute. */
  readonly attributes: ConfigurationReads<AdminAttribute>
  /** Inactive and locked ones too. */
  readonly achievements: ConfigurationReads<AdminAchievement>
  readonly streaks: {
    readonly settings: {
      /** The game's `streak`. */
      get(): Promise<StreakSettings>
    }
  }
  readonly environments: {
    /** Always the same one: a deployment of the game is an environment. */
    list(): Promise<readonly AdminEnvironment[]>
  }
  readonly settings: {
    /** The share of the control group, and how often recaps are due. */
    get(): Promise<AdminSettings>
  }
  /** Metrics that are not archived. */
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

/** The configuration, in the groups of the API. */
export interface ConfigurationCalls {
  readonly admin: ConfigurationApi
}

/** One kind in routes and messages. */
interface Kind {
  readonly path: `/${string}`
  readonly schema: SchemaName
  readonly many: string
  readonly one: string
  readonly name: string
}

/** An endpoint without `status`, whose parameter is an answer of one kind. */
type SharedEndpoint = Omit<Endpoint, 'status'>

const request = optionalArg('request', configurationListRequest)

function endpointsOf({ path, schema, many, one }: Kind): {
  readonly list: SharedEndpoint
  readonly get: SharedEndpoint
} {
  return {
    list: {
      at: `GET ${path}`,
      tag: CONFIGURATION_TAG,
      summary: `List ${many} of the game`,
      answers: { 200: ["A page of them, in the game's order.", listOf(schema)] },
    },
    get: {
      at: `GET ${path}/{id}`,
      tag: CONFIGURATION_TAG,
      summary: `Get ${one}`,
      answers: { 200: ["The game's configuration.", schema] },
      // Other routes answer 422, because their body or query contains the attribute.
      statuses: { unknown_attribute: 404 },
    },
  }
}

function readsOf<Item>(
  kind: Kind,
  { list, get }: KindReads<Item>,
): { readonly list: Operation<1, readonly Item[]>; readonly get: Operation<1, Item> } {
  const endpoints = endpointsOf(kind)
  const id = arg('id', gameKey, `${kind.name} id`)
  return {
    list: defineOperation({ kind: 'read', takes: [request], endpoint: endpoints.list, run: list }),
    get: defineOperation({ kind: 'read', takes: [id], endpoint: endpoints.get, run: get }),
  }
}

function readsOfSystem<Item>(
  kind: Kind,
  { list, get }: KindReads<Item, [system: string]>,
): { readonly list: Operation<2, readonly Item[]>; readonly get: Operation<2, Item> } {
  const endpoints = endpointsOf(kind)
  const id = arg('id', gameKey, `${kind.name} id`)
  return {
    list: defineOperation({ kind: 'read', takes: [adminSystemArg, request], endpoint: endpoints.list, run: list }),
    get: defineOperation({ kind: 'read', takes: [adminSystemArg, id], endpoint: endpoints.get, run: get }),
  }
}

const ATTRIBUTE: Kind = {
  path: '/attributes',
  schema: 'AdminAttribute',
  many: 'the attributes of users and events',
  one: 'an attribute',
  name: 'attribute',
}
const ACHIEVEMENT: Kind = {
  path: '/achievements',
  schema: 'AdminAchievement',
  many: 'the achievements',
  one: 'an achievement',
  name: 'achievement',
}
const METRIC: Kind = {
  path: '/metrics',
  schema: 'AdminMetric',
  many: 'the metrics',
  one: 'a metric',
  name: 'metric',
}
const SYSTEM: Kind = {
  path: '/points',
  schema: 'AdminPointsSystem',
  many: 'the points systems, with levels and triggers,',
  one: 'a points system',
  name: 'points system',
}
const LEVEL: Kind = {
  path: '/points/{systemId}/levels',
  schema: 'AdminPointsLevel',
  many: 'the levels of a points system',
  one: 'a level',
  name: 'level',
}
const TRIGGER: Kind = {
  path: '/points/{systemId}/triggers',
  schema: 'AdminPointsTrigger',
  many: 'the triggers of a points system',
  one: 'a trigger',
  name: 'trigger',
}
const LEADERBOARD: Kind = {
  path: '/leaderboards',
  schema: 'AdminLeaderboard',
  many: 'the leaderboards',
  one: 'a leaderboard',
  name: 'leaderboard',
}

export const configurationOperations: OperationsOf<ConfigurationCalls> = {
  admin: {
    attributes: readsOf(ATTRIBUTE, CONFIGURATION.attributes),
    achievements: readsOf(ACHIEVEMENT, CONFIGURATION.achievements),
    streaks: {
      settings: {
        get: defineOperation({
          kind: 'read',
          takes: [],
          endpoint: {
            at: 'GET /streaks/settings',
            tag: CONFIGURATION_TAG,
            summary: "Get the settings of the game's streak",
            answers: { 200: ["The game's configuration.", 'StreakSettings'] },
          },
          run: readStreakSettings,
        }),
      },
    },
    environments: {
      list: defineOperation({
        kind: 'read',
        takes: [],
        endpoint: {
          at: 'GET /environments',
          tag: CONFIGURATION_TAG,
          summary: 'List the environments: there is one',
          answers: { 200: ['The environment.', listOf('AdminEnvironment')] },
        },
        run: async () => [{ name: 'Production', key: 'production', priority: 1 }],
      }),
    },
    settings: {
      get: defineOperation({
        kind: 'read',
        takes: [],
        endpoint: {
          at: 'GET /settings',
          tag: CONFIGURATION_TAG,
          summary: 'Get the settings of the experiment and of recaps',
          answers: { 200: ["The game's configuration.", 'AdminSettings'] },
        },
        run: readSettings,
      }),
    },
    metrics: readsOf(METRIC, CONFIGURATION.metrics),
    points: {
      systems: readsOf(SYSTEM, CONFIGURATION.systems),
      levels: readsOfSystem(LEVEL, CONFIGURATION.levels),
      triggers: readsOfSystem(TRIGGER, CONFIGURATION.triggers),
    },
    leaderboards: readsOf(LEADERBOARD, CONFIGURATION.leaderboards),
  },
}
