import { join } from 'node:path'
import { createVitest, type TestModule } from 'vitest/node'

// Runs tests of the project that is its working directory whenever it is told to. It stays, so that only what was changed
// is read and compiled again; each run has a new process for the tests themselves.

/** What to run. Paths are from the root of the project. */
export interface Request {
  readonly file: string
  /** Of the tests whose names it matches; null: all of the file. */
  readonly pattern: string | null
  readonly stopsAtFirst: boolean
  /** Files whose text is not what it was in the run before. */
  readonly changed: readonly string[]
}

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

const root = process.cwd()
const vitest = await createVitest('test', { root, watch: false, maxWorkers: 1, reporters: [{}] })

async function run({ file, pattern, stopsAtFirst, changed }: Request): Promise<Run> {
  vitest.config.bail = stopsAtFirst ? 1 : 0
  for (const path of changed) vitest.invalidateFile(join(root, path))
  if (pattern === null) vitest.resetGlobalTestNamePattern()
  else vitest.setGlobalTestNamePattern(new RegExp(pattern))
  const path = join(root, file)
  const found = await vitest.globTestSpecifications([file])
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    found.filter(({ moduleId }) => moduleId === path),
  )
  // Those of earlier runs are among them.
  return toRun(
    testModules.filter(({ moduleId }) => moduleId === path),
    unhandledErrors,
  )
}

interface Told {
  readonly name?: string
  readonly stack?: string
  readonly message?: string
}

/** With its name, which the stack of what was waited for in vain does not say. */
function textOf(errors: readonly Told[]): string {
  const toText = ({ name = '', stack, message }: Told): string | undefined =>
    stack === undefined || stack.startsWith(name) ? stack || message : `${name}: ${stack || message}`
  return errors.map(toText).join('\n')
}

function toRun(modules: readonly TestModule[], unhandled: readonly unknown[]): Run {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const failures = tests.flatMap((test): Failure[] => {
    const result = test.result()
    return result.state === 'failed' ? [{ test: test.fullName, message: textOf(result.errors) }] : []
  })
  const unloaded = modules
    .filter((module) => !module.ok() && [...module.children.allTests('failed')].length === 0)
    .map((module) => {
      const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
      return `${module.relativeModuleId}: ${textOf([...module.errors(), ...suites])}`
    })
  const passed = tests.filter((test) => test.result().state === 'passed').length
  return { passed, failures, troubles: [...unloaded, ...unhandled.map((error) => textOf([error as Told]))] }
}

process.on('message', (request: Request) => {
  run(request).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ passed: 0, failures: [], troubles: [String(error)] } satisfies Run),
  )
})
// With the processes of the tests: nobody waits for them any more.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
