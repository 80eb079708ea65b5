import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Request, Run } from './vitest-process.ts'

const MOST_MS = 900_000

/** Tables are gone through whole. Property tests are shortened, the same each time, and look for no smaller example. */
const ENVIRONMENT = { HEAVY: '1', HISTORIES: '300', SEED: '1', SHRINK: '0', SOAK: undefined, PATH_OF: undefined }

/** Runs test files of a copy of the project, one call at a time. */
export interface Tests {
  /** Has to be told of every file that is written. */
  changed(file: string): void
  run(wanted: Omit<Request, 'changed'>): Promise<Run>
  close(): void
}

export function openTests(copy: string): Tests {
  let child: ChildProcess | null = null
  let changed = new Set<string>()

  function start(): ChildProcess {
    const script = fileURLToPath(new URL('./vitest-process.js', import.meta.url))
    const env = { ...process.env, ...ENVIRONMENT }
    return fork(script, { cwd: copy, detached: true, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  }

  /** Ends the process with all that it started. */
  function kill(): void {
    if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    child = null
  }

  return {
    changed: (file) => void changed.add(file),
    run: (wanted) =>
      new Promise((resolve) => {
        child ??= start()
        const running = child
        const end = (run: Run): void => {
          clearTimeout(timer)
          running.removeAllListeners()
          resolve(run)
        }
        const fail = (trouble: string): void => {
          kill()
          end({ passed: 0, failures: [], troubles: [trouble] })
        }
        const timer = setTimeout(() => fail(`no end within ${MOST_MS / 1_000} s`), MOST_MS)
        running.once('message', (run: Run) => end(run))
        running.once('exit', (code) => fail(`the process of the tests ended with ${code}`))
        running.once('error', (error) => fail(String(error)))
        running.send({ ...wanted, changed: [...changed] } satisfies Request)
        changed = new Set()
      }),
    close: kill,
  }
}
