/*
 * An engine, and a receiver of its webhooks, in one process: `npm run build && node dist/examples/webhooks/main.js`.
 *
 * The receiver rejects the first message as too busy, so it comes again after five seconds. Everything is kept in memory.
 * Both run on this machine, so internal addresses are allowed.
 */
import { randomBytes } from 'node:crypto'
import { createGamification, defineGame } from 'laurels'
import { memory } from 'laurels/memory'
import { openReceiver } from './receiver.ts'

const game = defineGame({
  metrics: { lessons: { name: 'Lessons' } },
  achievements: { 'first-lesson': { name: 'First lesson', trigger: 'metric', metric: 'lessons', value: 1 } },
  streak: { frequency: 'daily', metrics: { lessons: {} } },
})

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const receiver = await openReceiver(say)
const gamification = createGamification({
  game,
  storage: memory(),
  logger: console,
  // A backend reads it from its secrets. It is the same in all processes.
  webhooks: { secretKey: randomBytes(32).toString('base64'), allowInternal: true },
})
await gamification.migrate()

const webhook = await gamification.webhooks.create({
  url: receiver.url,
  types: ['user.created', 'achievement.completed', 'streak.started'],
})
receiver.use(webhook.secret)

const ending = new AbortController()
const working = gamification.work({ signal: ending.signal, pollMs: 100 })
for (const id of ['ann', 'bob']) await gamification.metrics.event('lessons', { user: { id }, value: 1 })

for (;;) {
  const { deliveries } = await gamification.webhooks.get(webhook.id)
  if (deliveries.done === 6) break
  await new Promise((resolve) => setTimeout(resolve, 100))
}
ending.abort()
await working

const { deliveries } = await gamification.webhooks.deliveries(webhook.id)
const attempts = deliveries.reduce((sum, { attempts: each }) => sum + each, 0)
say(`${deliveries.length} messages, ${attempts} attempts`)
await gamification.close()
await receiver.close()
