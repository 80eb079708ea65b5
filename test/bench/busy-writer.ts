import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification } from '../../src/index.ts'
import { game } from './game.ts'

/*
 * Writes events of one user without a pause, until it is told to stop: a file of SQLite, or the address and schema of a
 * Postgres, and the user. It tells when it has begun, and at the end how many events were recorded.
 */
const [kind = '', place = '', schema = '', user = ''] = process.argv.slice(2)
const storage = kind === 'SQLite' ? sqlite(place, { synchronous: 'NORMAL' }) : postgres(place, { schema })
const library = createGamification({ game, storage })

let isOver = false
const stop = (): void => {
  isOver = true
}
process.once('message', stop).once('disconnect', stop)
let recorded = 1
await library.metrics.event('notes', { user: { id: user }, value: 1 })
process.send?.('begun')
while (!isOver) {
  await library.metrics.event('notes', { user: { id: user }, value: 1 })
  recorded += 1
}
await library.close()
if (process.connected) process.send?.(recorded, () => process.disconnect())
