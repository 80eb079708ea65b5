import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres-server.ts'
import type { Fault } from './fault.ts'
import { faults } from './faults.ts'
import { type Failure, type Run, runVitest } from './vitest.ts'

// Applies one fault after the other to a copy of the project, and expects a test to fail for each.
// npm run test:faults [-- --only <number or words of the name>]

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
  return all.filter(([number, { name }]) =>
    /^\d+$/.test(only) ? number === Number(only) : name.toLowerCase().includes(only.toLowerCase()),
  )
}

/** Names that are there twice, and texts that are not there exactly once. */
function findMistakes(): readonly string[] {
  return faults.flatMap(({ name, file, find }, index) => {
    const times = readFileSync(join(root, file), 'utf8').split(find).length - 1
    const mistakes = times === 1 ? [] : [`${index + 1} ${name}: its text is ${times} times in ${file}.`]
    return faults.findIndex((other) => other.name === name) === index
      ? mistakes
      : [...mistakes, `${name}: is there twice.`]
  })
}

/** The project without what it builds; the packages are linked, their caches are not. */
function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'laurels-faults-'))
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !NOT_COPIED.has(basename(path)) })
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '.bin' && name.startsWith('.')) continue
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return copy
}

function toFile(test: string): string {
  const [file = ''] = test.split(' > ')
  return `test/${file}.test.ts`
}

function toOptions(test: string): readonly string[] {
  const words = test.split(' > ')[1]
  return words === undefined ? [toFile(test)] : [toFile(test), '--testNamePattern', words.replace(/[^\w ]/g, '.')]
}

/**
 * A test has to say that something is not as expected, be it that a call was refused or was not. Code that cannot run
 * proves nothing.
 */
function isProof({ message }: Failure): boolean {
  if (/SyntaxError|ReferenceError|TypeError|A fault of laurels/.test(message)) return false
  return /AssertionError|promise (resolved|rejected)|GamificationError|Property failed/.test(message)
}

async function tryFault(copy: string, [number, fault]: Numbered): Promise<Verdict> {
  const path = join(copy, fault.file)
  const sound = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    sound.replace(fault.find, () => fault.replace),
  )
  const misses: string[] = []
  try {
    for (const test of fault.tests) {
      const first = await runVitest(copy, ['--bail', '1', ...toOptions(test)])
      const isDoubtful = first.failures.length > 0 && !first.failures.some(isProof)
      const run = isDoubtful ? await runVitest(copy, toOptions(test)) : first
      const caught = run.failures.find(isProof)
      if (caught !== undefined) return { number, fault, isCaught: true, by: `${toFile(test)}: ${caught.test}` }
      misses.push(describeMiss(test, run))
    }
  } finally {
    writeFileSync(path, sound)
  }
  return { number, fault, isCaught: false, by: misses.join('; ') }
}

function describeMiss(test: string, { passed, failures, troubles }: Run): string {
  const [trouble] = [
    ...troubles,
    ...failures.map((failure) => `${failure.test} failed without saying what is wrong: ${failure.message}`),
  ]
  if (trouble !== undefined) return `${test}: ${trouble.slice(0, 400)}`
  return passed === 0 ? `${test}: no such test` : `${test}: ${passed} passed`
}

/** Without a fault every test passes, else its failing would say nothing. */
async function checkSound(copy: string, chosen: readonly Numbered[]): Promise<readonly string[]> {
  const files = new Set(chosen.flatMap(([, { tests }]) => tests.map(toFile)))
  const { failures, troubles } = await runVitest(copy, [...files])
  return [...troubles, ...failures.map(({ test, message }) => `${test}: ${message}`)]
}

/** As many faults at once as there are copies. */
async function tryAll(copies: readonly string[], chosen: readonly Numbered[]): Promise<number> {
  console.log('The tests without any fault ...')
  const unsound = await checkSound(copies[0] as string, chosen)
  for (const what of unsound) console.error(`FAILS ANYWAY ${what}`)
  if (unsound.length > 0) return 1

  const verdicts: Verdict[] = []
  const left = chosen.values()
  const work = async (copy: string): Promise<void> => {
    for (const numbered of left) {
      const verdict = await tryFault(copy, numbered)
      verdicts.push(verdict)
      console.log(
        `${String(verdict.number).padStart(3)}  ${verdict.isCaught ? 'caught by' : 'NOT CAUGHT'} ${verdict.by}`,
      )
    }
  }
  await Promise.all(copies.map(work))
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
  const mistakes = findMistakes()
  for (const mistake of mistakes) console.error(mistake)
  if (mistakes.length > 0) return 1
  const chosen = choose(values.only)
  if (chosen.length === 0) {
    console.error(`There is no fault ${values.only}.`)
    return 1
  }
  const copies = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, copyProject)
  // One database for all of it: each run would start its own.
  const server = process.env.TEST_DATABASE_URL === undefined ? await startPostgres() : null
  if (server !== null) process.env.TEST_DATABASE_URL = server.url
  try {
    return await tryAll(copies, chosen)
  } finally {
    await server?.stop()
    for (const copy of copies) rmSync(copy, { recursive: true, force: true })
  }
}

process.exitCode = await main()
