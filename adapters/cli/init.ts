import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type Call, type CliCommand, defineCommand } from './command.ts'
import { type Environment, EXIT } from './database.ts'
import { isTooOld } from './doctor.ts'
import { type NewFile, type Project, planFiles, toNextSteps } from './init-files.ts'
import { type Choices, DATABASES, FRAMEWORKS, LANGUAGES, mistakeOfMetric } from './init-templates.ts'
import { choice, flag, type Option } from './options.ts'
import { defined, unknownWord, wrongCall } from './text.ts'

const METRIC: Option<string | undefined> = {
  value: '<key>',
  help: 'what users do, in a word: words, lessons, workouts',
  read: (given) => {
    if (given === undefined) return undefined
    const metric = String(given)
    const mistake = mistakeOfMetric(metric)
    if (mistake === null) return metric
    throw wrongCall(`--metric '${metric}' cannot be the key of a metric: ${mistake}`)
  },
}

const OPTIONS = {
  database: choice(DATABASES, '<name>', 'sqlite or postgres'),
  framework: choice(FRAMEWORKS, '<name>', 'express, fastify, hono, next or none'),
  metric: METRIC,
  language: choice(LANGUAGES, '<name>', 'ts or js (default: ts if this Node runs TypeScript)'),
  yes: flag('do not ask: use what the folder has, else sqlite, none and words'),
}

export const init: CliCommand = defineCommand({
  name: 'init',
  summary: 'write a starter game, server and test',
  usage: ['[folder] [options]'],
  about: `Writes a game, what opens it on a database, a server or a route, and a test into a folder that has a package.json. Asks for what is not given, on a terminal. Never writes over a file: where one of them is there already, it writes none.`,
  argument: { name: '[folder]', help: 'where (default: the current one)' },
  options: OPTIONS,
  notes: `Where package.json does not say "type": "module" the files are .mts or .mjs, so that they run as they are.`,
  exits: { 0: 'written', 2: 'nothing was written', 130: 'interrupted' },
  run: async (call) => {
    const { values, environment } = call
    const { output, node, runsTypeScript } = environment
    if (isTooOld(node))
      output.err(
        `This is Node ${node}, and laurels needs 22.13 or newer: update Node before you run what is written.\n`,
      )
    const project = await readProject(call.argument || '.')
    const answers = await answer(call, project)
    if (answers === null) {
      output.err('Nothing was written.\n')
      return EXIT.interrupted
    }
    const choices: Choices = { ...answers, language: values.language ?? (runsTypeScript ? 'ts' : 'js') }
    if (choices.framework === 'next' && project.isCommonJs) {
      throw wrongCall(
        'Next does not build where package.json says "type": "commonjs": say "module", or remove the line',
      )
    }
    const plan = planFiles(choices, project)
    await writeFiles(project.directory, plan.files)
    const written = plan.files.map(({ path }) => `wrote ${path}\n`).join('')
    const run = choices.language === 'js' || runsTypeScript ? 'node' : 'node --experimental-strip-types'
    return { value: null, text: `${written}\n${toNextSteps(choices, project, plan, run)}` }
  },
})

/** Null if the terminal closed. */
async function answer({ values, environment }: Call<typeof OPTIONS>, project: Project): Promise<Answers | null> {
  const { database, framework, metric, yes } = values
  const given = defined({ database, framework, metric })
  const all = { ...defaultsFor(project), ...given }
  if (yes || Object.keys(given).length === 3) return all
  if (environment.canAsk) return askFor(given, defaultsFor(project), environment)
  throw wrongCall(
    `there is no terminal to ask on: give --database, --framework and --metric, or --yes for ${Object.values(all).join(', ')}`,
  )
}

type Answers = Pick<Choices, 'database' | 'framework' | 'metric'>

/** The default answers: what the project has already. */
function defaultsFor({ packages }: Project): Answers {
  return {
    database: packages.has('pg') ? 'postgres' : 'sqlite',
    framework: FRAMEWORKS.find((name) => packages.has(name)) ?? 'none',
    metric: 'words',
  }
}

/** A question is given up after so many wrong answers. */
const MOST_TRIES = 5

/** Asks for what was not given. Null if the terminal closed. */
async function askFor(given: Partial<Answers>, defaults: Answers, environment: Environment): Promise<Answers | null> {
  const database = given.database ?? (await choose('Which database', DATABASES, defaults.database, environment))
  if (database === null) return null
  const framework = given.framework ?? (await choose('Which framework', FRAMEWORKS, defaults.framework, environment))
  if (framework === null) return null
  const question = `What do users do? A word, such as words, lessons or workouts [${defaults.metric}] `
  const metric = given.metric ?? (await ask(question, (answer) => readMetric(answer || defaults.metric), environment))
  return metric === null ? null : { database, framework, metric }
}

function choose<Name extends string>(
  what: string,
  names: readonly Name[],
  otherwise: Name,
  environment: Environment,
): Promise<Name | null> {
  const read = (answer: string): Read<Name> => {
    const value = names.find((name) => name === (answer.toLowerCase() || otherwise))
    return value === undefined ? { mistake: unknownWord('answer', answer, names) } : { value }
  }
  return ask(`${what}? ${names.join(', ')} [${otherwise}] `, read, environment)
}

type Read<T> = { readonly value: T } | { readonly mistake: string }

async function ask<T>(
  question: string,
  read: (answer: string) => Read<T>,
  { ask: put, output }: Environment,
): Promise<T | null> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await put(question)
    if (answer === null) return null
    const found = read(answer.trim())
    if ('value' in found) return found.value
    output.err(`${found.mistake}\n`)
  }
  return null
}

function readMetric(answer: string): Read<string> {
  const mistake = mistakeOfMetric(answer)
  return mistake === null ? { value: answer } : { mistake: `'${answer}' cannot be the key of a metric: ${mistake}` }
}

const dependencies = z.record(z.string(), z.unknown()).optional()
const manifestSchema = z.object({
  type: z.enum(['module', 'commonjs']).optional(),
  dependencies,
  devDependencies: dependencies,
})

/** Throws `invalid_request` where the folder has no package.json that can be read. */
async function readProject(given: string): Promise<Project> {
  const directory = resolve(given)
  const file = join(directory, 'package.json')
  if (!existsSync(directory)) throw wrongCall(`there is no folder ${directory}`)
  if (!existsSync(file)) throw wrongCall(`there is no package.json in ${directory}: run npm init -y there first`)
  const { type, ...lists } = await readManifest(file)
  return {
    directory,
    isModule: type === 'module',
    isCommonJs: type === 'commonjs',
    packages: new Set([...Object.keys(lists.dependencies ?? {}), ...Object.keys(lists.devDependencies ?? {})]),
    hasSrcApp: existsSync(join(directory, 'src', 'app')),
    hasTsconfig: existsSync(join(directory, 'tsconfig.json')),
  }
}

async function readManifest(file: string): Promise<z.output<typeof manifestSchema>> {
  const text = await readFile(file, 'utf8')
  try {
    // A byte order mark is no JSON.
    return manifestSchema.parse(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : ''
    throw wrongCall(`${file} cannot be read as a package.json: ${reason}`)
  }
}

/** Writes all of the files, or none: throws `invalid_request` where one of them is there already. */
async function writeFiles(directory: string, files: readonly NewFile[]): Promise<void> {
  const present = files.map(({ path }) => path).filter((path) => existsSync(join(directory, path)))
  if (present.length > 0) {
    const are = present.length === 1 ? 'is' : 'are'
    throw wrongCall(
      `${present.join(', ')} ${are} there already, and nothing was written: move what is there, or take another folder`,
    )
  }
  for (const { path, content } of files) {
    const file = join(directory, path)
    await mkdir(dirname(file), { recursive: true })
    // A file that was made meanwhile is kept.
    await writeFile(file, content, { flag: 'wx' })
  }
}
