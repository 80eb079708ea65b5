import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface PgBouncer {
  /** The same database through the PgBouncer. */
  through(url: string): string
  stop(): Promise<void>
}

/** Debian installs it beside the programs of the administrator, if not everybody looks. */
const PLACES = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

/** If the program is, or `null` if it is not installed. */
export function findPgBouncer(): string | null {
  return PLACES.map((place) => join(place, 'pgbouncer')).find((file) => existsSync(file)) ?? null
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

/** In transaction mode, with fewer connections to the server than it has clients. */
function configuration(url: URL, port: number): string {
  const server = `host=${url.hostname} port=${url.port === '' ? 5432 : url.port}`
  const user = `user=${decodeURIComponent(url.username)} password=${decodeURIComponent(url.password)}`
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 6,
    max_client_conn: 500,
    server_tls_sslmode: 'disable',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  return ['[databases]', `* = ${server} ${user}`, '[pgbouncer]', ...lines, ''].join('\n')
}

/** A PgBouncer of our own before the server of the database. */
export async function startPgBouncer(program: string, url: string): Promise<PgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-pgbouncer-'))
  chmodSync(directory, 0o755)
  const port = await freePort()
  const file = join(directory, 'pgbouncer.ini')
  writeFileSync(file, configuration(new URL(url), port), { mode: 0o644 })
  // It refuses to be root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  let isOver = false
  const over = new Promise<void>((resolve) =>
    child.once('close', () => {
      isOver = true
      resolve()
    }),
  )
  const through = (of: string): string => {
    const changed = new URL(of)
    changed.hostname = '127.0.0.1'
    changed.port = String(port)
    return changed.href
  }
  while (!(await answers(through(url)))) {
    if (isOver) throw new Error(`PgBouncer did not start:\n${complaints}`)
    await sleep(20)
  }
  return {
    through,
    stop: async () => {
      child.kill('SIGTERM')
      await Promise.race([over, sleep(2_000)])
      if (!isOver) child.kill('SIGKILL')
      await over
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
