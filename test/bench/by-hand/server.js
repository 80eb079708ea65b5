/*
 * What a team would write by hand for `POST /v1/metrics/{key}/event`, with Express and Sequelize on SQLite
 * or on Postgres, whose URL then stands in place of the file.
 *
 *   node server.js <file> [port] [NORMAL | FULL]           serves, and prints { port, key } with a new admin key
 *   node server.js <file> seed <users> <instant>           puts users there before
 */
import express from 'express'
import { openDatabase } from './database.js'
import { answerError, HttpError } from './errors.js'
import { authenticate, createAdminKey } from './keys.js'
import { readEvent } from './read-event.js'
import { createRecorder } from './record-event.js'
import { seed } from './seed.js'

const [file, port = '0', ...options] = process.argv.slice(2)

if (port === 'seed') {
  const [users, instant] = options.map(Number)
  const database = await openDatabase(file, 'OFF')
  await seed(database, users, new Date(instant))
  if (database.sequelize.getDialect() === 'sqlite') await database.sequelize.query('PRAGMA wal_checkpoint(TRUNCATE)')
  await database.sequelize.close()
} else {
  const [synchronous = 'NORMAL'] = options
  await serve(await openDatabase(file, synchronous))
}

async function serve(database) {
  const recordEvent = createRecorder(database)
  const app = express()
  app.disable('x-powered-by')
  app.post('/v1/metrics/:key/event', authenticate(database), express.json({ limit: '256kb' }), async (req, res) => {
    const { status, body } = await recordEvent(readEvent(req))
    res.status(status).json(body)
  })
  app.use((_req, _res, next) => next(new HttpError(404, 'not_found', 'Not found.')))
  app.use(answerError)

  const key = await createAdminKey(database)
  const server = app.listen(Number(port), '127.0.0.1', () => {
    console.log(JSON.stringify({ port: server.address().port, key }))
  })
}
