import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { run } from '../../adapters/cli/run.ts'
import type { Environment } from '../../adapters/cli/terminal.ts'
import { withoutSlowness } from './busy-machine.ts'

export interface Called {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The lines on standard error, in alphabetical order: refusals come in no fixed order. */
  readonly errLines: readonly string[]
}

export interface CallOptions {
  readonly input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Standard error is a terminal of this width. */
  readonly terminal?: number
  /** Milliseconds that pass each time the time is asked for. */
  readonly tick?: number
  readonly signal?: AbortSignal
  /** The clock, as an instant. */
  readonly now?: string
  /** The answers that are typed at questions, line by line, as at a terminal. If null, the terminal is closed. */
  readonly answers?: readonly (string | null)[]
  /** True if Node runs TypeScript without a flag. */
  readonly node?: string
  readonly runsTypeScript?: boolean
  /** The variables of the environment. Default: none. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Runs the command line in this process, with everything of a process faked. */
export async function laurels(args: readonly string[], options: CallOptions = {}): Promise<Called> {
  const {
    input = [],
    terminal,
    tick = 0,
    signal = new AbortController().signal,
    now,
    variables = {},
    answers,
    node = '24.21.0',
    runsTypeScript = true,
  } = options
  const lines = [...(answers ?? [])]
  let out = ''
  let err = ''
  let time = 0
  const environment: Environment = {
    output: {
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += withoutSlowness(text)
      },
      isTerminal: terminal !== undefined,
      columns: terminal ?? 0,
    },
    canAsk: answers !== undefined,
    ask: async (question) => {
      err += `${question}\n`
      return lines.shift() ?? null
    },
    node,
    runsTypeScript,
    variable: (name) => variables[name],
    input: () => toAsync(input),
    interruption: () => signal,
    now: () => (now === undefined ? Date.now() : Date.parse(now)),
    elapsed: () => {
      time += tick
      return time
    },
  }
  const code = await run(args, environment)
  return { code, out, err, errLines: err.trimEnd().split('\n').sort() }
}

async function* toAsync(input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* input
}

/** Writes files into a directory that goes away after the tests of the file, and answers their paths. */
export function useFiles(): (name: string, content?: string | Uint8Array) => string {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-cli-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  return (name, content) => {
    const file = join(directory, name)
    mkdirSync(dirname(file), { recursive: true })
    if (content !== undefined) writeFileSync(file, content)
    return file
  }
}
