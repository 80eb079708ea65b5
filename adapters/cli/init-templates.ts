export const DATABASES = ['sqlite', 'postgres'] as const
export const FRAMEWORKS = ['express', 'fastify', 'hono', 'next', 'none'] as const
export const LANGUAGES = ['ts', 'js'] as const

type Framework = (typeof FRAMEWORKS)[number]

export interface Choices {
  readonly database: (typeof DATABASES)[number]
  readonly framework: Framework
  readonly metric: string
  readonly language: (typeof LANGUAGES)[number]
}

const MOST_CHARACTERS = 40

/** The mistake in the key of the metric, or `null`. The key becomes part of a path and of other keys. */
export function mistakeOfMetric(metric: string): string | null {
  if (metric === '') return 'it is empty'
  if (metric.length > MOST_CHARACTERS) return `it is longer than ${MOST_CHARACTERS} characters`
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(metric)) return null
  return 'it must be of a-z, 0-9 and single hyphens, and begin with a letter'
}

export type Reference = (name: string) => string

const titleOf = (metric: string): string => metric.charAt(0).toUpperCase() + metric.slice(1).replaceAll('-', ' ')

const toKey = (name: string): string => (/^[a-z0-9]+$/.test(name) ? name : `'${name}'`)

export function gameFile({ metric }: Choices): string {
  const title = titleOf(metric)
  return `import { defineGame } from 'laurels'

export const game = defineGame({
  metrics: { ${toKey(metric)}: { name: '${title}' } },
  achievements: {
    'first-${metric}': { name: 'First ${title.toLowerCase()}', trigger: 'metric', metric: '${metric}', value: 1 },
    'week-in-a-row': { name: 'A week in a row', trigger: 'streak', length: 7 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: '${metric}', threshold: 1, points: 10 }],
      levels: { beginner: { name: 'Beginner', points: 0 }, regular: { name: 'Regular', points: 100 } },
    },
  },
  // Days in a row, in each user's own time zone.
  streak: { frequency: 'daily', metrics: { ${toKey(metric)}: {} } },
})
`
}

export function testFile({ metric }: Choices, refer: Reference): string {
  return `import { test } from 'node:test'
import { createScenario, event, repeat, wait } from 'laurels/testing'
import { game } from '${refer('game')}'

const start = createScenario(game, { now: '2026-03-01T09:00:00Z', user: { tz: 'Europe/London' } })

test('the first ${titleOf(metric).toLowerCase()} pay 10 XP', () => {
  start
    .when(event('${metric}', 1))
    .thenExpect({ achievements: ['first-${metric}'], added: { xp: 10 }, levels: { xp: 'beginner' }, streak: 1 })
})

test('seven days in a row are an achievement, and a day without any ends the streak', () => {
  start
    .given(repeat(6, event('${metric}', 1), wait({ days: 1 })))
    .when(event('${metric}', 1))
    .thenExpect({ streak: 7, achievements: ['week-in-a-row'] })
    .when(wait({ days: 2 }))
    .thenExpect({ streak: 0 })
})
`
}

const STORAGES: Readonly<Record<Choices['database'], { readonly head: string; readonly storage: string }>> = {
  sqlite: { head: '', storage: `sqlite('app.db')` },
  postgres: {
    head: `
const { DATABASE_URL } = process.env
if (!DATABASE_URL) throw new Error('Set DATABASE_URL, such as postgres://user:password@localhost:5432/app')
`,
    storage: 'postgres(DATABASE_URL)',
  },
}

export function gamificationFile({ database }: Choices, refer: Reference): string {
  const { head, storage } = STORAGES[database]
  return `import { createGamification } from 'laurels'
import { ${database} } from 'laurels/${database}'
import { game } from '${refer('game')}'
${head}
export const gamification = createGamification({ game, storage: ${storage}, logger: console })
// Makes the tables. Safe at every start, by any number of processes.
await gamification.migrate()
`
}

/** `next build` loads modules and runs pages and routes: the database must not be opened then. A change loads modules again. */
export function nextGamificationFile({ database, language }: Choices, refer: Reference): string {
  const { head, storage } = STORAGES[database]
  const kept =
    language === 'js' ? '' : ' as typeof globalThis & { gamification?: ReturnType<typeof start> | undefined }'
  const body = `${head.trim().replace(/^/gm, '  ')}
  const gamification = createGamification({ game, storage: ${storage}, logger: console })
  // Makes the tables. Safe at every start, by any number of processes.
  await gamification.migrate()
  return gamification`
  return `import { createGamification } from 'laurels'
import { ${database} } from 'laurels/${database}'
import { game } from '${refer('game')}'

async function start() {
${body.replace(/^\s*\n/, '')}
}

// One engine for the process: Next loads this module again after a change.
const kept = globalThis${kept}

export function getGamification() {
  // A build must not put a new game in force: the old servers still run.
  if (process.env.NEXT_PHASE === 'phase-production-build') {
    throw new Error('The database is not opened by a build: call await connection() of next/server before getGamification().')
  }
  kept.gamification ??= start().catch((error) => {
    kept.gamification = undefined
    throw error
  })
  return kept.gamification
}
`
}

const record = (metric: string, indent = '  '): string =>
  `// Here everybody is user 18: take the id from your session, never from what the caller sends.
const user = { id: '18', tz: 'Europe/London' }
const answer = await gamification.metrics.event('${metric}', { user, value: 1 })
const { total, points, achievements, currentStreak } = answer`.replace(/^/gm, indent)

const ANSWER =
  '{ total, xp: points.xp?.total, streak: currentStreak.length, achievements: achievements.map(({ name }) => name) }'

const API =
  '// For apps of single users, with application keys: gamification.admin.applicationApiKeys.create([{ userId }])'

function expressFile({ metric }: Choices, refer: Reference): string {
  return `import express from 'express'
import { applicationApi } from 'laurels/express'
import { gamification } from '${refer('gamification')}'

const app = express()

app.post('/events/${metric}', async (_request, response) => {
${record(metric)}
  response.status(201).json(${ANSWER})
})

${API}
app.use('/v1', applicationApi(gamification))

const port = Number(process.env.PORT || 3000)
const server = app.listen(port, () => console.log(\`http://localhost:\${port}\`))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close(() => gamification.close()))
`
}

function fastifyFile({ metric }: Choices, refer: Reference): string {
  return `import { fastify } from 'fastify'
import { applicationApi } from 'laurels/fastify'
import { gamification } from '${refer('gamification')}'

const app = fastify()

app.post('/events/${metric}', async (_request, reply) => {
${record(metric)}
  reply.code(201)
  return ${ANSWER}
})

${API}
await app.register(applicationApi, { gamification, prefix: '/v1' })
app.addHook('onClose', () => gamification.close())

const port = Number(process.env.PORT || 3000)
await app.listen({ port })
console.log(\`http://localhost:\${port}\`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void app.close())
`
}

function honoFile({ metric }: Choices, refer: Reference): string {
  return `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { applicationApi } from 'laurels/fetch'
import { gamification } from '${refer('gamification')}'

const app = new Hono()

app.post('/events/${metric}', async (context) => {
${record(metric)}
  return context.json(
    ${ANSWER},
    201,
  )
})

${API}
const api = applicationApi(gamification)
app.all('/v1/*', (context) => api(context.req.raw))

const port = Number(process.env.PORT || 3000)
const server = serve({ fetch: app.fetch, port }, () => console.log(\`http://localhost:\${port}\`))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close(() => gamification.close()))
`
}

function scriptFile({ metric }: Choices, refer: Reference): string {
  return `import { gamification } from '${refer('gamification')}'

${record(metric, '').replace(/^.*\n/, '')}
console.log(${ANSWER})
await gamification.close()
`
}

export function nextEventRoute({ metric }: Choices, refer: Reference): string {
  return `import { getGamification } from '${refer('gamification')}'

export async function POST() {
  const gamification = await getGamification()
${record(metric)}
  return Response.json(
    ${ANSWER},
    { status: 201 },
  )
}
`
}

export function nextApiRoute({ language }: Choices, refer: Reference): string {
  const type = language === 'js' ? '' : ': Request'
  return `import { applicationApi } from 'laurels/fetch'
import { connection } from 'next/server'
import { getGamification } from '${refer('gamification')}'

${API}
async function handle(request${type}) {
  // Not while Next builds.
  await connection()
  return applicationApi(await getGamification())(request)
}

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
`
}

export const SERVERS: {
  readonly [Name in Framework]: {
    readonly file: (choices: Choices, refer: Reference) => string
    readonly packages: readonly string[]
  }
} = {
  express: { file: expressFile, packages: ['express'] },
  fastify: { file: fastifyFile, packages: ['fastify'] },
  hono: { file: honoFile, packages: ['hono', '@hono/node-server'] },
  next: { file: nextEventRoute, packages: ['next', 'react', 'react-dom'] },
  none: { file: scriptFile, packages: [] },
}
