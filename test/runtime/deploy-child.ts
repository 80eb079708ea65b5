import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { compiled } from '../support/compiled.ts'

/** The answer of a process: `ok`, or the message of an error. */
export type Reply = string

/** A process of Node in which one engine after the other is started. It has no clock but the time of each command. */
export interface Child {
  /** Starts an engine with the metric that names its version. */
  start(place: Place, version: string, now: number): Promise<Reply>
  /** Records an event of the metric. */
  call(now: number): Promise<Reply>
  stop(now: number): Promise<Reply>
  /** Kills the process, perhaps in the middle of a call. */
  kill(callAt?: number): Promise<void>
}

export type Place = { readonly file: string } | { readonly url: string; readonly schema: string }

const SCRIPT = `
  import { createInterface } from 'node:readline'
  import { setImmediate as nextTurn } from 'node:timers/promises'
  import { createGamification } from './src/gamification.js'
  import { defineGame } from './src/game/define-game.js'
  import pg from 'pg'
  import { postgres } from './adapters/postgres/index.js'
  import { sqlite } from './adapters/sqlite/index.js'
  let now = 0
  let engine = null
  let version = ''
  let pool
  const notes = new Set()
  const open = ({ file, url, schema }) => {
    const storage = file === undefined ? postgres((pool ??= new pg.Pool({ connectionString: url, max: 2 })), { schema }) : sqlite(file, { synchronous: 'NORMAL' })
    const change = (...given) => {
      const note = storage.change(...given).finally(() => notes.delete(note))
      notes.add(note)
      return note
    }
    return { ...storage, change }
  }
  const commands = {
    start: async (place, given) => {
      version = given
      const game = defineGame({ metrics: { [version]: { name: version } } })
      engine = createGamification({ game, storage: open(place), clock: () => new Date(now) })
      await engine.migrate()
    },
    call: () => engine.metrics.event(version, { user: { id: 'ann' }, value: 1 }),
    stop: () => engine.close(),
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line)
    now = command.now
    let reply = 'ok'
    try {
      await commands[command.name](...command.given)
    } catch (error) {
      reply = error.code + ': ' + error.message
    }
    // The process is noted beside its calls.
    await nextTurn()
    await nextTurn()
    await Promise.allSettled(notes)
    process.stdout.write(JSON.stringify(reply) + '\\n')
  }
`

export function startChild(): Child {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: compiled(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = (name: string, now: number, ...given: readonly unknown[]): void => {
    child.stdin.write(`${JSON.stringify({ name, now, given })}\n`)
  }
  const ask = async (name: string, now: number, ...given: readonly unknown[]): Promise<Reply> => {
    send(name, now, ...given)
    const { value, done } = await replies.next()
    if (done === true) throw new Error(`The process ended during ${name}`)
    return JSON.parse(value)
  }
  return {
    start: (place, version, now) => ask('start', now, place, version),
    call: (now) => ask('call', now),
    stop: (now) => ask('stop', now),
    kill: async (callAt) => {
      if (callAt !== undefined) send('call', callAt)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
