import type { Choices } from './choices.ts'
import type { Reference } from './templates.ts'

/** What a route of one's own does, at the given depth. */
const record = (metric: string, indent: string): string =>
  [
    '// Here everybody is user 18: take the id from your session, never from what the caller sends.',
    `const user = { id: '18', tz: 'Europe/London' }`,
    `const answer = await gamification.metrics.event('${metric}', { user, value: 1 })`,
    'const { total, points, achievements, currentStreak } = answer',
  ]
    .map((line) => `${indent}${line}`)
    .join('\n')

const ANSWER =
  '{ total, xp: points.xp?.total, streak: currentStreak.length, achievements: achievements.map(({ name }) => name) }'

const API =
  '// For apps of single users, with application keys: gamification.admin.applicationApiKeys.create([{ userId }])'

export function expressFile({ metric }: Choices, refer: Reference): string {
  return `import express from 'express'
import { applicationApi } from 'laurels/express'
import { gamification } from '${refer('gamification')}'

const app = express()

app.post('/events/${metric}', async (_request, response) => {
${record(metric, '  ')}
  response.status(201).json(${ANSWER})
})

${API}
app.use('/v1', applicationApi(gamification))

const port = Number(process.env.PORT || 3000)
const server = app.listen(port, () => console.log(\`http://localhost:\${port}\`))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close(() => gamification.close()))
`
}

export function fastifyFile({ metric }: Choices, refer: Reference): string {
  return `import { fastify } from 'fastify'
import { applicationApi } from 'laurels/fastify'
import { gamification } from '${refer('gamification')}'

const app = fastify()

app.post('/events/${metric}', async (_request, reply) => {
${record(metric, '  ')}
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

export function honoFile({ metric }: Choices, refer: Reference): string {
  return `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { applicationApi } from 'laurels/fetch'
import { gamification } from '${refer('gamification')}'

const app = new Hono()

app.post('/events/${metric}', async (context) => {
${record(metric, '  ')}
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

export function scriptFile({ metric }: Choices, refer: Reference): string {
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
${record(metric, '  ')}
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
