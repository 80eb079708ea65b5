import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const MOST_MS = 900_000

/** Property tests are shortened, and the same each time. */
const ENVIRONMENT = { HISTORIES: '300', SEED: '1', SOAK: undefined, PATH_OF: undefined }

export interface Failure {
  readonly test: string
  readonly message: string
}

/** What running some tests came to. */
export interface Run {
  readonly passed: number
  readonly failures: readonly Failure[]
  /** Why tests could not be run: a file that could not be loaded, or no end in time. */
  readonly troubles: readonly string[]
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Runs test files of a copy of the project. `options` are those of vitest's command line. */
export async function runVitest(copy: string, options: readonly string[]): Promise<Run> {
  const output = join(copy, 'vitest.json')
  rmSync(output, { force: true })
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
  const outcome = await end(copy, [vitest, 'run', '--reporter=json', `--outputFile=${output}`, ...options])
  if (outcome.isStopped) return { passed: 0, failures: [], troubles: [`no end within ${MOST_MS / 1_000} s`] }
  if (!existsSync(output)) return { passed: 0, failures: [], troubles: [`vitest said: ${outcome.said.trim()}`] }
  return toRun(JSON.parse(readFileSync(output, 'utf8')) as Report)
}

function toRun({ testResults }: Report): Run {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failures = results
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ test: fullName, message: failureMessages.join('\n') }))
  const troubles = testResults
    .filter(({ status, assertionResults }) => {
      return status === 'failed' && assertionResults.every((result) => result.status !== 'failed')
    })
    .map(({ name, message }) => `${name}: ${message}`)
  return { passed: results.filter(({ status }) => status === 'passed').length, failures, troubles }
}

/** Waits for the process and, when it does not end, ends it with all it started. */
function end(cwd: string, args: readonly string[]): Promise<{ readonly said: string; readonly isStopped: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, detached: true, env: { ...process.env, ...ENVIRONMENT } })
    let said = ''
    let isStopped = false
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString()
    })
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString()
    })
    const timer = setTimeout(() => {
      isStopped = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, MOST_MS)
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      resolve({ said, isStopped })
    })
  })
}
