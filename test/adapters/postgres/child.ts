import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A process over the compiled library that says line by line how far it is. */
export interface Child {
  /** The next line of the child. */
  nextLine(): Promise<string>
  /** Tells it something, on its standard input. */
  tell(line: string): void
  /** Tells it that nothing more will come. */
  sendEnd(): void
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** Resolves with what it ended with, and what it complained about. */
  readonly ended: Promise<{ readonly code: number | null; readonly complaints: string }>
}

const PRELUDE = `
  import { writeSync } from 'node:fs'
  import { createInterface } from 'node:readline'
  import { setTimeout as sleep } from 'node:timers/promises'
  import pg from 'pg'
  import { createGamification } from './src/gamification.js'
  import { defineGame } from './src/game/define-game.js'
  import { postgres } from './adapters/postgres/index.js'
  const args = JSON.parse(process.argv[1])
  const say = (line) => void writeSync(1, line + '\\n')
  const commands = createInterface(process.stdin)[Symbol.asyncIterator]()
  const told = async () => (await commands.next()).value
  const open = (storage) =>
    createGamification({ game: defineGame(args.game), storage, clock: () => new Date(args.now) })
`

interface ChildOptions {
  /** That of `compiled()`. */
  readonly directory: string
  /** An ES module, in which `args`, `say(line)`, `await told()` and `open(storage)` are there. */
  readonly script: string
  readonly args: { readonly [name: string]: unknown }
  readonly onLine?: (line: string) => void
}

export function startChild({ directory, script, args, onLine = () => undefined }: ChildOptions): Child {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${PRELUDE}${script}`, JSON.stringify(args)], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let waiting: ((line: string) => void)[] = []
  createInterface(child.stdout).on('line', (line) => {
    onLine(line)
    const next = waiting.shift()
    if (next === undefined) lines.push(line)
    else next(line)
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  // It may have ended before it read all of its input.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<{ code: number | null; complaints: string }>((resolve) => {
    child.once('close', (code) => {
      // No test waits for a line that never comes.
      for (const next of waiting) next(`ended with ${code}: ${complaints}`)
      waiting = []
      resolve({ code, complaints })
    })
  })
  return {
    ended,
    nextLine: () => {
      const line = lines.shift()
      return line === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(line)
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    sendEnd: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
  }
}
