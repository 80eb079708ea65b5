/*
 * Mails for achievements, by a subscription: `npm run build && node dist/examples/mailer/main.js`.
 *
 * DATABASE  the file; its tables are made at the first start. Default: mailer.db
 *
 * The handler writes each mail into a table, in the transaction that saves the checkpoint of the subscription. So each mail
 * is in the table exactly once, even if the process crashes. Another part of the backend sends the mails from there.
 */

import Database from 'better-sqlite3'
import { createGamification, defineGame } from 'laurels'
import { sqlite } from 'laurels/sqlite'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: {
    writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 100 },
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50_000 },
  },
})

const file = process.env.DATABASE || 'mailer.db'
const gamification = createGamification({ game, storage: sqlite(file), logger: console })
await gamification.migrate()
const database = new Database(file)
database.exec('create table if not exists mails (id text primary key, address text not null, subject text not null)')

await gamification.subscribe('mailer', { types: ['achievement.completed'] }, async (messages, { tx }) => {
  for (const { id, data } of messages) {
    const { user, achievement } = data
    if (user.email === null || !user.subscribeToEmails) continue
    await tx.query('insert into mails (id, address, subject) values (?, ?, ?)', [
      id,
      user.email,
      `You are a ${achievement.name}, ${user.name}`,
    ])
  }
})

const event = (id: string, name: string, value: number): Promise<unknown> =>
  gamification.metrics.event('words', { user: { id, name, email: `${id}@example.com` }, value })
await event('ann', 'Ann', 60_000)
await event('bob', 'Bob', 120)
await gamification.metrics.event('words', { user: { id: 'cat', name: 'Cat' }, value: 120 })

// A backend runs this instead, until it stops: await gamification.work({ signal })
await gamification.workOnce()

const mails = database.prepare('select address, subject from mails order by rowid').all() as readonly {
  address: string
  subject: string
}[]
for (const { address, subject } of mails) process.stdout.write(`to ${address}: ${subject}\n`)
database.close()
await gamification.close()
