#!/usr/bin/env node
import type { Environment } from './terminal.ts'

const { stdin, stdout, stderr } = process

async function ask(question: string): Promise<string | null> {
  const { createInterface } = await import('node:readline')
  const terminal = createInterface({ input: stdin, output: stderr })
  return new Promise((resolve) => {
    // The end of the input, or Ctrl-C.
    terminal.once('close', () => resolve(null))
    terminal.question(question, (answer) => {
      resolve(answer)
      terminal.close()
    })
  })
}

const environment: Environment = {
  output: {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isTerminal: stderr.isTTY === true,
    get columns() {
      return stderr.columns
    },
  },
  variable: (name) => process.env[name],
  input: () => stdin,
  canAsk: stdin.isTTY === true && stderr.isTTY === true,
  ask,
  node: process.versions.node,
  runsTypeScript: Boolean(process.features.typescript),
  interruption: () => {
    const controller = new AbortController()
    // Once: a second interruption ends the process.
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort())
    return controller.signal
  },
  now: Date.now,
  elapsed: () => performance.now(),
}

// node:sqlite prints a warning that it is experimental.
const emitWarning = process.emitWarning.bind(process) as (...warning: unknown[]) => void
process.emitWarning = (...warning: unknown[]): void => {
  if (!/^SQLite is an experimental/.test(String(warning[0]))) emitWarning(...warning)
}

// The reader of the output has closed the pipe.
for (const stream of [stdout, stderr]) stream.on('error', () => undefined)

const args = process.argv.slice(2)
// Not before the warnings of node:sqlite are filtered.
const { run } = await import('./run.ts')
const code = await run(args, environment)
// Not before everything is written, and not later: a module that was loaded may keep the process alive.
stdout.write('', () => stderr.write('', () => process.exit(code)))
