import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface RestartingServer {
  readonly url: string
  /** Ends the server and starts it again, on the same port: in order, or broken off as in a crash. */
  restart(how: 'in order' | 'broken off'): Promise<void>
  /** Starts it again if it has ended by itself. */
  start(): Promise<void>
  /** The server's log. */
  log(): string
  stop(): Promise<void>
}

const SETTINGS = {
  // The machine stays up, so what was written is there without; what was answered has to be written, though.
  fsync: 'off',
  synchronous_commit: 'on',
  max_connections: '100',
  shared_buffers: '32MB',
}

export async function startRestartingServer(
  settings: Readonly<Record<string, string>> = {},
  initdbFlags: readonly string[] = [],
): Promise<RestartingServer> {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-postgres-'))
  // As root the server runs as another user, who has to reach its data.
  chmodSync(directory, 0o777)
  const script = fileURLToPath(new URL('restarting-server.mjs', import.meta.url))
  const options = JSON.stringify({ directory, settings: { ...SETTINGS, ...settings }, initdbFlags })
  const child = spawn(process.execPath, [script, options], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const ended = once(child, 'exit')
  const nextLine = async (): Promise<string> => {
    const [line] = await Promise.race([
      once(lines, 'line'),
      ended.then(([code]) => Promise.reject(new Error(`The server ended with ${code}`))),
    ])
    return line
  }
  const port = await nextLine()
  const command = async (line: string): Promise<void> => {
    const up = nextLine()
    child.stdin.write(`${line}\n`)
    await up
  }
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    restart: (how) => command(how === 'in order' ? 'SIGINT' : 'SIGQUIT'),
    start: () => command('start'),
    log: () => readFileSync(join(directory, 'server.log'), 'utf8'),
    stop: async () => {
      child.stdin.end()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
