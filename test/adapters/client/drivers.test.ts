// The official client, unmodified, gets the same answers whatever the database is.

import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import { TrophyApiClient } from '@trophyso/node'
import Database from 'better-sqlite3'
import Libsql from 'libsql'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { type SqliteDatabase, sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Storage } from '../../../src/index.ts'
import { listen } from '../../support/bindings.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  achievements: {
    first: { name: 'First', trigger: 'metric', metric: 'words', value: 10 },
    tour: { name: 'Tour', trigger: 'api' },
    both: { name: 'Both', trigger: 'achievement', achievements: ['first', 'tour'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 5, points: 2 }],
      levels: { bronze: { name: 'Bronze', points: 2 } },
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
})

/** Everything that the client's calls answered, one after the other. */
async function play(storage: Storage): Promise<string> {
  let made = 0
  let now = Date.parse('2026-03-10T12:00:00Z')
  const ids = (): string => {
    made += 1
    return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
  }
  const engine = createGamification<DefinedGame>({ game, storage, ids, clock: () => new Date(now) })
  await engine.migrate()
  const server = await listen('node', engine)
  onTestFinished(async () => {
    await server.close()
    await engine.close()
  })
  const { key } = await engine.adminKeys.create()
  const client = new TrophyApiClient({
    apiKey: key,
    environment: { api: `${server.base}/v1`, admin: `${server.base}/admin/v1` },
  })
  const answers: unknown[] = []
  for (const [id, tz] of [
    ['ann', 'Europe/Berlin'],
    ['bob', 'America/Los_Angeles'],
  ] as const) {
    answers.push(await client.users.create({ id, name: 'Zoë 😀', tz, attributes: { plan: 'pro' } }))
    for (let day = 0; day < 3; day += 1) {
      const event = { user: { id }, value: 3.3 + day }
      answers.push(await client.metrics.event('words', { ...event, idempotencyKey: `${id} ${day}`.replace(' ', '-') }))
      answers.push(await client.metrics.event('words', { ...event, idempotencyKey: `${id} ${day}`.replace(' ', '-') }))
      now += 86_400_000
    }
    answers.push(await client.achievements.complete('tour', { user: { id } }))
  }
  answers.push(await client.users.get('ann'), await client.users.allMetrics('ann'), await client.achievements.all())
  answers.push(await client.users.singleMetric('bob', 'words'))
  const dates = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-18' } as const
  answers.push(await client.users.metricEventSummary('bob', 'words', dates))
  answers.push(await client.users.get('nobody').catch(({ statusCode, body }) => [statusCode, body]))
  return JSON.stringify(answers, null, 1)
}

const STORAGES: readonly (readonly [name: string, create: () => Storage])[] = [
  ['better-sqlite3', () => sqlite(new Database(nextFile()))],
  ['node:sqlite', () => sqlite(new DatabaseSync(nextFile()) as unknown as SqliteDatabase)],
  ['libsql', () => sqlite(new Libsql(nextFile()) as unknown as SqliteDatabase)],
  ['Postgres', () => postgres(databaseUrl(), { schema: nextSchema() })],
  ['PGlite', () => postgres(new PGlite())],
]

describe('The official client', () => {
  test.each(STORAGES)('gets the answers on %s that it gets on memory', { timeout: 120_000 }, async (_, create) => {
    const [expected, answers] = [await play(memory()), await play(create())]
    expect(answers).toBe(expected)
    expect(expected.match(/"idempotentReplayed": true/g)).toHaveLength(6)
    expect(expected.length).toBeGreaterThan(10_000)
  })
})
