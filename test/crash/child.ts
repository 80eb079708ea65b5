import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that runs a script over the compiled library, and says line by line how far it is. */
interface Child {
  /** Rejects when it failed by itself. */
  readonly ended: Promise<Ending>
  kill(): void
}

export type Ending = 'finished' | 'killed'

interface ChildOptions {
  /** That of `compiled()`. */
  readonly directory: string
  /** An ES module. `args` is what it finds under this name, `say(line)` how it is heard. */
  readonly script: string
  readonly args: { readonly [name: string]: unknown }
  readonly onLine: (line: string) => void
}

const PRELUDE = `
  import { createGamification } from './src/gamification.js'
  import { defineGame } from './src/game/define-game.js'
  import { sqlite } from './adapters/sqlite/index.js'
  import { writeSync } from 'node:fs'
  const args = JSON.parse(process.argv[1])
  // Written output survives the end of the process; process.stdout would buffer it for a slow reader.
  const say = (line) => void writeSync(1, line + '\\n')
`

export function startChild({ directory, script, args, onLine }: ChildOptions): Child {
  const source = `${PRELUDE}${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, JSON.stringify(args)], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    // The text after the last line break was cut off, or is incomplete.
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed')
      else if (code === 0) resolve('finished')
      else reject(new Error(`The process ended with ${code ?? signal}:\n${complaints}`))
    })
  })
  return { ended, kill: () => void child.kill('SIGKILL') }
}

/** Runs the script to its end and returns its lines. */
export async function runChild(options: Omit<ChildOptions, 'onLine'>): Promise<readonly string[]> {
  const lines: string[] = []
  await startChild({ ...options, onLine: (line) => void lines.push(line) }).ended
  return lines
}

/** Kills the process `delay` milliseconds after the first line for which `isDue` holds. */
export async function runAndKill(
  options: ChildOptions,
  isDue: (line: string) => boolean,
  delay: number,
): Promise<Ending> {
  let isKilling = false
  const child = startChild({
    ...options,
    onLine: (line) => {
      options.onLine(line)
      if (isKilling || !isDue(line)) return
      isKilling = true
      if (delay === 0) child.kill()
      else void sleep(delay).then(() => child.kill())
    },
  })
  return child.ended
}
