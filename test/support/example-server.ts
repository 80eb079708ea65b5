import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { withoutSlowness } from './busy-machine.ts'

export interface ExampleServer {
  /** The output at its start. */
  readonly printed: string
  /** `http://localhost:port` */
  readonly address: string
  /** The admin key that it printed; empty when it printed none. */
  readonly key: string
  /** Runs the printed command in a shell. */
  paste(): Promise<{ readonly status: number; readonly total: unknown }>
  /** Asks for a user, with a key. */
  get(key: string): Promise<number>
  /** Sends a signal, and answers how the process ended. */
  stop(signal: 'SIGINT' | 'SIGTERM'): Promise<readonly [code: number | null, signal: string | null]>
  /** The status of an event whose body is sent only after the signal. */
  stopWithin(path: string, signal: 'SIGTERM'): Promise<readonly [status: number, code: number | null]>
}

type Variables = { readonly [name: string]: string }

interface Ended {
  readonly code: unknown
  readonly out: string
  readonly err: string
}

interface Examples {
  /** Resolves when it has printed its command. */
  start(name: string, variables?: Variables): Promise<ExampleServer>
  /** For one that ends by itself. */
  run(name: string, variables?: Variables): Promise<Ended>
}

/** Starts examples as processes of their own, in a directory; those that still run end after the tests of the file. */
export function useExamples(packageDirectory: () => string, directory: string): Examples {
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  const spawnExample = (name: string, variables: Variables): ChildProcess => {
    const main = join(packageDirectory(), 'dist/examples', name, 'main.js')
    const env = { PATH: process.env.PATH, PORT: '0', NODE_ENV: 'test', ...variables }
    const child = spawn(process.execPath, [main], { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }

  return {
    start: async (name, variables = {}) => {
      const child = spawnExample(name, variables)
      return toServer(child, await printedBy(child), variables)
    },
    run: async (name, variables = {}) => {
      const child = spawnExample(name, variables)
      const { stdout, stderr } = pipes(child)
      const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')])
      return { code, out, err: withoutSlowness(err) }
    },
  }
}

function pipes({ stdout, stderr }: ChildProcess): { readonly stdout: Readable; readonly stderr: Readable } {
  if (stdout === null || stderr === null) throw new Error('There are no pipes')
  return { stdout, stderr }
}

/** The last line of the command is what it prints last. */
async function printedBy(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = pipes(child)
  let printed = ''
  let errors = ''
  stderr.on('data', (chunk) => {
    errors += chunk
  })
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk
    if (/ -d '.*'\n\n$/.test(printed)) return printed
  }
  throw new Error(`It ended before it listened: ${printed}${errors}`)
}

function toServer(child: ChildProcess, printed: string, variables: Variables): ExampleServer {
  const address = /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? ''
  const key = /^The admin key, .*: (\S+)$/m.exec(printed)?.[1] ?? ''
  const stop: ExampleServer['stop'] = async (signal) => {
    const exit = once(child, 'exit')
    child.kill(signal)
    const [code, by] = await exit
    return [code, by]
  }
  return {
    printed,
    address,
    key,
    paste: async () => {
      const pasted = printed.slice(printed.indexOf('curl ')).trimEnd()
      const env = { PATH: process.env.PATH, NO_PROXY: '*', ...variables }
      const command = `${pasted} --silent --write-out '\\n%{response_code}'`
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
      const [body = '', status] = stdout.split('\n')
      return { status: Number(status), total: JSON.parse(body).total }
    },
    get: async (by) => (await fetch(`${address}/v1/users/18`, { headers: { 'X-API-KEY': by } })).status,
    stop,
    stopWithin: async (path, signal) => {
      const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json', Expect: '100-continue' }
      // Without an agent the connection is not kept for another request, for which the server would wait.
      const call = request(`${address}${path}`, { method: 'POST', headers, agent: false })
      call.flushHeaders()
      await once(call, 'continue')
      const end = stop(signal)
      await new Promise((resolve) => setTimeout(resolve, 200))
      call.end('{ "user": { "id": "19" }, "value": 1 }')
      const [response] = await once(call, 'response')
      response.resume()
      return [response.statusCode, (await end)[0]]
    },
  }
}
