/*
 * A server of /v1 and /admin/v1, of the console, and of a reader's page, with Express and SQLite: `npm start`.
 *
 * PORT               where it listens; 0 takes any free port. Default: 3000
 * DATABASE           the SQLite file, made at the first start. Default: laurels.db
 * LAURELS_ADMIN_KEY  The first admin key. Without it, the first start makes and prints one. It has
 *                    adm_, 4 of 0-9a-z, a dot, and 32 random bytes as base64url.
 * DEMO               no: a new database stays empty, without made-up readers.
 *
 * Ctrl-C or SIGTERM stops it after it has answered the requests under way.
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createGamification } from 'laurels'
import { consoleApp, oneTimeLink } from 'laurels/console'
import { adminApi, applicationApi } from 'laurels/express'
import { sqlite } from 'laurels/sqlite'
import { ensureFirstKey, type FirstKey, readGivenKey } from './admin-key.ts'
import { isEmpty, makeReaders } from './demo-data.ts'
import { game } from './game.ts'
import { readersPage } from './page.ts'

const { PORT, DATABASE, LAURELS_ADMIN_KEY, DEMO } = process.env
const database = DATABASE || 'laurels.db'

async function main(): Promise<void> {
  const given = readGivenKey(LAURELS_ADMIN_KEY)
  const storage = sqlite(database)
  const gamification = createGamification({ game, storage, logger: console })
  try {
    await gamification.migrate()
    if (DEMO !== 'no' && (await isEmpty(gamification))) await gamification.import(makeReaders(new Date()))

    // Anyone who sees this output may open the console. Your app asks its sessions instead.
    const link = oneTimeLink({ access: 'write' })
    const app = express()
    app.use('/console', consoleApp(gamification, { authorize: link }))
    app.use('/v1', applicationApi(gamification))
    app.use('/admin/v1', adminApi(gamification))
    app.use(readersPage(gamification))

    const server = app.listen(Number(PORT || 3000))
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    // Only once the server listens: if the start fails, the key would be lost.
    const address = `http://localhost:${port}`
    const first = await ensureFirstKey(gamification, given)
    process.stdout.write(welcome(address, link.url(`${address}/console`), first))
    await closed(server)
  } finally {
    await gamification.close()
  }
}

function welcome(address: string, console: string, first: FirstKey): string {
  return `laurels answers at ${address}/v1 and ${address}/admin/v1
The console, by a link that opens once, within ten minutes: ${console}
The page of a reader, who is signed in there: ${address}/

${describe(first)}

  curl -X POST ${address}/v1/metrics/pages/event \\
    -H ${toHeader(first)} -H 'Content-Type: application/json' \\
    -d '{ "user": { "id": "18", "tz": "Europe/London" }, "value": 40 }'

`
}

function describe(first: FirstKey): string {
  const another = `To make another: npx laurels keys create --db ${database}`
  if (first.type === 'made') return `The admin key, made now and not shown again: ${first.key}\nTry it:`
  if (first.type === 'given') return 'The admin key is that of LAURELS_ADMIN_KEY. Try it:'
  if (first.type === 'earlier') return `The admin key was shown at the first start. ${another}\nTry it with yours:`
  return `LAURELS_ADMIN_KEY is no key of this database, which has others. ${another}\nTry it with yours:`
}

function toHeader(first: FirstKey): string {
  if (first.type === 'given') return '"X-API-KEY: $LAURELS_ADMIN_KEY"'
  return `'X-API-KEY: ${first.type === 'made' ? first.key : '<admin key>'}'`
}

/** Resolves after SIGINT or SIGTERM, when the requests under way are answered, or after five seconds. */
async function closed(server: Server): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      server.close()
      setTimeout(() => server.closeAllConnections(), 5_000).unref()
    })
  }
  await once(server, 'close')
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
