import { TrophyApiClient, TrophyApiError } from '@trophyso/node'
import { afterEach, describe } from 'vitest'
import type { GameDefinition, Storage } from '../../../src/index.ts'
import { type Engine, STORAGES } from '../../support/engine.ts'
import { BINDINGS, type BindingName, openServer, type Server } from '../../support/http.ts'

/*
 * The official client, `@trophyso/node` 1.0.42, unmodified, against a server on a port. It parses what it knows
 * strictly: null becomes undefined, instants become `Date`. It passes on members that it does not know (`level`,
 * `eventAttributes`, …).
 */

type Place = readonly [binding: BindingName, storage: string, create: () => Storage]

const ALL_PLACES: readonly Place[] = BINDINGS.flatMap((binding) =>
  STORAGES.map(({ name, create }): Place => [binding, name, create]),
)
/** Every binding and every storage, each with one of the others; the soak goes through every pair. */
const SOME_PLACES = [
  'node memory',
  'express memory',
  'express-4 memory',
  'express-parsed sqlite',
  'fastify postgres',
  'fetch sqlite',
]
const PLACES = ALL_PLACES.filter(
  ([binding, storage]) => process.env.SOAK !== undefined || SOME_PLACES.includes(`${binding} ${storage}`),
)

export interface Session {
  /** With an admin key. */
  readonly client: TrophyApiClient
  readonly server: Server
  readonly engine: Engine
  /** Another client of the same server. */
  withKey(apiKey: string): TrophyApiClient
}

/** Default: `GAME`. */
type Start = (definition?: GameDefinition) => Promise<Session>

/**
 * Runs the tests once on each binding and storage. An engine of `start` has no users, its clock is fixed at `NOON`, and
 * it is closed after the test.
 */
export function onEachServer(title: string, declare: (start: Start, binding: BindingName) => void): void {
  describe.each(PLACES)(`${title}, through %s, on %s`, (binding, _, create) => {
    const servers: Server[] = []
    afterEach(async () => {
      for (const server of servers.splice(0)) await server.close()
    })
    declare(async (definition = GAME) => {
      const server = await openServer({ definition, binding, storage: create() })
      servers.push(server)
      const withKey = (apiKey: string): TrophyApiClient =>
        new TrophyApiClient({ apiKey, environment: { api: `${server.base}/v1`, admin: `${server.base}/admin/v1` } })
      return { client: withKey(server.adminKey), server, engine: server.engine, withKey }
    }, binding)
  })
}

interface Refusal {
  /** The class itself. */
  readonly type: unknown
  readonly status: number | undefined
  readonly code: unknown
}

/** How the client rejects. It fails on an answer, on what the client cannot parse, and on a body without `error` and `code`. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const reason: unknown = await call.then(
    (answer) => new Error(`It was answered: ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(reason instanceof TrophyApiError) || reason.statusCode === undefined) throw reason
  const body = reason.body
  if (typeof body !== 'object' || body === null || !('error' in body) || !('code' in body)) throw reason
  if (typeof body.error !== 'string' || !/\S{2,} \S{2,}/.test(body.error)) throw reason
  if (typeof body.code !== 'string' || !/^[a-z][a-z_]+$/.test(body.code)) throw reason
  return { type: reason.constructor, status: reason.statusCode, code: body.code }
}

/** `YYYY-MM-DDTHH:MM:SS.sssZ`, as the client hands out instants. */
export const instant = (text: string): Date => new Date(text)

/** Everything that a game can have, but leaderboards. */
export const GAME: GameDefinition = {
  metrics: {
    words: { name: 'Words written' },
    pages: { name: 'Pages read' },
    hints: { name: 'Hints taken' },
    keys: { name: 'Typewriter keys', status: 'archived' },
  },
  eventAttributes: ['source', 'lang'],
  userAttributes: ['plan', 'country'],
  achievements: {
    novelist: {
      name: 'Novelist',
      description: 'A thousand words.',
      badgeUrl: 'https://example.com/novelist.png',
      trigger: 'metric',
      metric: 'words',
      value: 1000,
    },
    mobile: {
      name: 'On the road',
      trigger: 'metric',
      metric: 'words',
      value: 100,
      eventAttributes: { source: 'mobile' },
    },
    french: {
      name: 'En route',
      trigger: 'metric',
      metric: 'words',
      value: 50,
      eventAttributes: { source: 'mobile', lang: 'fr' },
    },
    scholar: { name: 'Scholar', trigger: 'metric', metric: 'pages', value: 10, userAttributes: { plan: 'pro' } },
    onboarded: {
      name: 'Onboarded',
      description: 'Took the tour.',
      badgeUrl: 'https://example.com/tour.png',
      trigger: 'api',
    },
    'pro-tour': { name: 'Pro tour', trigger: 'api', userAttributes: { plan: 'pro', country: 'fr' } },
    retired: { name: 'Retired', trigger: 'api', status: 'locked' },
    hidden: { name: 'Hidden', trigger: 'api', status: 'inactive' },
    'two-days': { name: 'Two days', trigger: 'streak', length: 2 },
    'all-rounder': { name: 'All-rounder', trigger: 'achievement', achievements: ['novelist', 'onboarded'] },
  },
  points: {
    xp: {
      name: 'XP',
      description: 'Experience',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 10_000,
      triggers: [
        { type: 'user_creation', points: 20 },
        {
          type: 'metric',
          metric: 'words',
          threshold: 100,
          points: 10,
          created: '2026-01-05T09:00:00.000Z',
          updated: '2026-02-01T10:30:00.250Z',
        },
        {
          type: 'metric',
          metric: 'words',
          threshold: 100,
          points: 5,
          eventAttributes: { source: 'mobile' },
          userAttributes: { plan: 'pro' },
        },
        { type: 'metric', metric: 'hints', threshold: 1, points: -15, blockIfOutOfPoints: true },
        { type: 'achievement', achievement: 'novelist', points: 500 },
        { type: 'achievement', achievement: 'all-rounder', points: 1000 },
        { type: 'streak', length: 2, points: 50 },
        { type: 'metric', metric: 'pages', threshold: 1, points: 7, status: 'inactive' },
      ],
      levels: {
        bronze: { name: 'Bronze', points: 50 },
        silver: {
          name: 'Silver',
          description: 'Second of two',
          badgeUrl: 'https://example.com/silver.png',
          points: 500,
        },
      },
    },
    gems: { name: 'Gems', triggers: [{ type: 'achievement', achievement: 'onboarded', points: 25 }] },
    karma: { name: 'Karma' },
  },
  streak: { frequency: 'daily', metrics: { words: { threshold: 100 } }, customization: true },
}
