// `laurels console` in a process of its own, which tells how long each request took it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface TimedRequest {
  /** With the query. */
  readonly path: string
  readonly status: number
  /** From the request to the end of the answer; others that are answered meanwhile count too. */
  readonly ms: number
  /** What the process used of the processor meanwhile. */
  readonly cpuMs: number
  /** For how long of it others had the processors; 0 where the system does not say. */
  readonly waitedMs: number
}

export interface TimedConsole {
  readonly link: string
  /** Takes those that were answered since it was called last. */
  take(): readonly TimedRequest[]
  stop(): Promise<void>
}

/** `packaged` is where `useCompiledPackage` has put the package, with the pages. */
export async function startTimedConsole(packaged: string, args: readonly string[]): Promise<TimedConsole> {
  const hook = fileURLToPath(new URL('./tell-requests.mjs', import.meta.url))
  const main = join(packaged, 'dist/cli.js')
  const child: ChildProcess = spawn(process.execPath, ['--import', hook, main, 'console', ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let requests: TimedRequest[] = []
  child.on('message', (request: TimedRequest) => void requests.push(request))
  const ended = once(child, 'exit')
  if (child.stdout === null) throw new Error('It has no output')
  const [link] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`laurels console ended with ${code}`))),
  ])
  return {
    link: String(link),
    take: () => {
      const taken = requests
      requests = []
      return taken
    },
    stop: async () => {
      child.kill('SIGINT')
      await ended
    },
  }
}
