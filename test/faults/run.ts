import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres-server.ts'
import type { Fault } from './fault.ts'
import { faults } from './faults.ts'
import { findMistakes, toNamed } from './mistakes.ts'
import { openTests, type Tests } from './vitest.ts'
import type { Failure, Run } from './vitest-process.ts'

// Applies one fault after the other to a copy of the project, and expects a test to fail for each.
// npm run test:faults [-- --only <number, 3-7 for several, or words of the name>]

const root = process.cwd()
const NOT_COPIED = new Set(['node_modules', 'dist', 'coverage', '.git'])

/** How a fault ended: `by` is the test that caught it, or why none did. */
interface Verdict {
  readonly number: number
  readonly fault: Fault
  readonly isCaught: boolean
  readonly by: string
}

type Numbered = readonly [number: number, fault: Fault]

function choose(only: string | undefined): readonly Numbered[] {
  const all = faults.map((fault, index): Numbered => [index + 1, fault])
  if (only === undefined) return all
  const range = /^(\d+)(?:-(\d+))?$/.exec(only)
  if (range === null) return all.filter(([, { name }]) => name.toLowerCase().includes(only.toLowerCase()))
  const [, from, to = from] = range
  return all.filter(([number]) => number >= Number(from) && number <= Number(to))
}

/** The project without what it builds; the packages are linked, their caches are not. */
function copyProject(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'laurels-faults-')))
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !NOT_COPIED.has(basename(path)) })
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '.bin' && name.startsWith('.')) continue
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return copy
}

/**
 * A test has to say that something is not as expected, be it that a call was refused or was not. Code that cannot run
 * proves nothing.
 */
function isProof({ message }: Failure): boolean {
  if (/SyntaxError|ReferenceError|TypeError|A fault of laurels/.test(message)) return false
  return /AssertionError|promise (resolved|rejected)|GamificationError|Property failed/.test(message)
}

/** A copy of the project, and what runs its tests. */
interface Place {
  readonly copy: string
  readonly tests: Tests
}

/** What one of the fault's tests says: the one that failed, or why nothing was shown. */
type Finding = { readonly file: string; readonly caughtBy: string } | { readonly miss: string }

/** Matches the name of a test in which these words are; it says nothing of the signs between them. */
const toPattern = (words: string): string => words.replace(/[^\w ]/g, '.')

async function tryTest({ tests }: Place, test: string): Promise<Finding> {
  const { file, words } = toNamed(test)
  const request = { file, pattern: words === null ? null : toPattern(words) }
  const first = await tests.run({ ...request, stopsAtFirst: true })
  const isDoubtful = first.failures.length > 0 && !first.failures.some(isProof)
  const run = isDoubtful ? await tests.run({ ...request, stopsAtFirst: false }) : first
  const caught = run.failures.find(isProof)
  return caught === undefined ? { miss: describeMiss(test, run) } : { file, caughtBy: caught.test }
}

async function plant(place: Place, { file, find, replace, tests }: Fault): Promise<readonly Finding[]> {
  const path = join(place.copy, file)
  const sound = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    sound.replace(find, () => replace),
  )
  place.tests.changed(file)
  const findings: Finding[] = []
  try {
    for (const test of tests) {
      const finding = await tryTest(place, test)
      findings.push(finding)
      if ('caughtBy' in finding) break
    }
  } finally {
    writeFileSync(path, sound)
    place.tests.changed(file)
  }
  return findings
}

/**
 * Tests that passed after a fault of theirs was taken back. Until then their failing says nothing: something else may be
 * wrong, or the fault before may still be there.
 */
const sound = new Set<string>()

async function findUnsound({ tests }: Place, file: string, test: string): Promise<string | null> {
  const id = `${file}: ${test}`
  if (sound.has(id)) return null
  const pattern = `^${test.split(' > ').map(toPattern).join('.+')}$`
  const run = await tests.run({ file, pattern, stopsAtFirst: true })
  if (run.passed === 0 || run.failures.length > 0) return `without the fault too: ${describeMiss(id, run)}`
  sound.add(id)
  return null
}

async function tryFault(place: Place, [number, fault]: Numbered): Promise<Verdict> {
  const findings = await plant(place, fault)
  const caught = findings.find((finding) => 'caughtBy' in finding)
  if (caught === undefined) {
    const by = findings.map((finding) => ('miss' in finding ? finding.miss : '')).join('; ')
    return { number, fault, isCaught: false, by }
  }
  const { file, caughtBy } = caught
  const unsound = await findUnsound(place, file, caughtBy)
  return { number, fault, isCaught: unsound === null, by: unsound ?? `${file}: ${caughtBy}` }
}

function describeMiss(test: string, { passed, failures, troubles }: Run): string {
  const [trouble] = [
    ...troubles,
    ...failures.map((failure) => `${failure.test} failed without saying what is wrong: ${failure.message}`),
  ]
  if (trouble !== undefined) return `${test}: ${trouble.slice(0, 400)}`
  return passed === 0 ? `${test}: no such test, or this machine lacks what it needs` : `${test}: ${passed} passed`
}

/** As many faults at once as there are places. */
async function tryAll(places: readonly Place[], chosen: readonly Numbered[]): Promise<number> {
  const verdicts: Verdict[] = []
  const left = chosen.values()
  const tell = (verdict: Verdict): void => {
    verdicts.push(verdict)
    const { number, isCaught, by } = verdict
    console.log(`${String(number).padStart(3)}  ${isCaught ? 'caught by' : 'NOT CAUGHT'} ${by}`)
  }
  const work = async (place: Place): Promise<void> => {
    for (const numbered of left) tell(await tryFault(place, numbered))
  }
  await Promise.all(places.map(work))
  console.log()
  for (const { number, fault, isCaught } of verdicts.toSorted((left, right) => left.number - right.number)) {
    console.log(
      `${String(number).padStart(3)}  ${isCaught ? 'caught    ' : 'NOT CAUGHT'}  ${fault.file}  ${fault.name}`,
    )
  }
  const caught = verdicts.filter(({ isCaught }) => isCaught).length
  console.log(`\n${caught} caught, ${verdicts.length - caught} not caught`)
  return caught === verdicts.length ? 0 : 1
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const mistakes = findMistakes(root, faults)
  for (const mistake of mistakes) console.error(mistake)
  if (mistakes.length > 0) return 1
  const chosen = choose(values.only)
  if (chosen.length === 0) {
    console.error(`There is no fault ${values.only}.`)
    return 1
  }
  // One database for all of it: each run would start its own.
  const server = process.env.TEST_DATABASE_URL === undefined ? await startPostgres() : null
  if (server !== null) process.env.TEST_DATABASE_URL = server.url
  const places = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, (): Place => {
    const copy = copyProject()
    return { copy, tests: openTests(copy) }
  })
  try {
    return await tryAll(places, chosen)
  } finally {
    for (const { tests } of places) tests.close()
    await server?.stop()
    for (const { copy } of places) rmSync(copy, { recursive: true, force: true })
  }
}

process.exitCode = await main()
