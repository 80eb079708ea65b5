import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface PostgresServer {
  readonly url: string
  readonly directory: string
  stop(): Promise<void>
}

const SETTINGS = {
  // A test's database never loses power; tests of their own check the settings that are off here.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
}

// Found from the sources also if this file was compiled into a directory of its own.
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/node_modules\/\.cache\/[^/]+\/$/, '')

/** A Postgres of our own in a directory of its own. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-postgres-'))
  // As root the server runs as another user, who has to reach its data.
  chmodSync(directory, 0o777)
  const script = join(root, 'test/support/postgres-process.mjs')
  const options = JSON.stringify({ directory, settings: { ...SETTINGS, ...settings } })
  const child = spawn(process.execPath, [script, options], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [port] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`Postgres could not be started (exit code ${code})`))),
  ])
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    directory,
    stop: async () => {
      child.stdin.end()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
