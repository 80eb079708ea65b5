import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { isGamificationError } from '../../src/errors.ts'
import { type CliCommand, type CommandCall, defineCommand } from './command.ts'
import {
  type Choices,
  DATABASES,
  FRAMEWORKS,
  gameFile,
  gamificationFile,
  LANGUAGES,
  mistakeOfMetric,
  nextApiRoute,
  nextEventRoute,
  nextGamificationFile,
  type Reference,
  SERVERS,
  testFile,
} from './init-templates.ts'
import { choice, flagOption, type Option, parsedOption } from './options.ts'
import { defined, type Environment, EXIT, wrongCall } from './terminal.ts'

const ANY_FRAMEWORK = choice(FRAMEWORKS, '<name>', 'express, fastify, hono, next or none')
const NEST = 'Nest runs on Express or Fastify: say --framework express, and then follow "Nest" in docs/recipes.md'

const METRIC = parsedOption('<key>', 'what users do, in a word: words, lessons, workouts', (metric) => {
  const mistake = mistakeOfMetric(metric)
  if (mistake === null) return metric
  throw wrongCall(`--metric '${metric}' cannot be the key of a metric: ${mistake}`)
})

const FRAMEWORK: typeof ANY_FRAMEWORK = {
  ...ANY_FRAMEWORK,
  read: (given, name) => {
    if (String(given).toLowerCase() === 'nest') throw wrongCall(NEST)
    return ANY_FRAMEWORK.read(given, name)
  },
}

const OPTIONS = {
  database: choice(DATABASES, '<name>', 'sqlite or postgres'),
  framework: FRAMEWORK,
  metric: METRIC,
  language: choice(LANGUAGES, '<name>', 'ts or js (default: ts if this Node runs TypeScript)'),
  yes: flagOption('do not ask: use what the folder has, else sqlite, none and words'),
}

export const init: CliCommand = defineCommand({
  name: 'init',
  summary: 'write a starter game, server and test',
  usage: ['[folder] [options]'],
  about: `Writes a game, what opens it on a database, a server or a route, and a test into a folder that has a package.json. Asks for what is not given, on a terminal. Never writes over a file: if one of them exists already, it writes none.`,
  argument: { name: '[folder]', help: 'the folder (default: the current one)' },
  options: OPTIONS,
  notes: `If package.json does not say "type": "module", the files are .mts or .mjs, so that they run unchanged.`,
  exits: { 0: 'written', 2: 'nothing was written', 130: 'interrupted' },
  run: async (call) => {
    const { values, environment } = call
    const { output, runsTypeScript } = environment
    const project = await readProject(call.argument || '.')
    const answers = await findAnswers(call, project)
    if (answers === null) {
      output.err('Nothing was written.\n')
      return EXIT.interrupted
    }
    const choices: Choices = { ...answers, language: values.language ?? (runsTypeScript ? 'ts' : 'js') }
    if (choices.framework === 'next' && project.type === 'commonjs') {
      throw wrongCall(
        'Next does not build where package.json says "type": "commonjs": say "module", or remove the line',
      )
    }
    const plan = choices.framework === 'next' ? planNext(choices, project) : planNode(choices, project)
    await writeFiles(project.directory, plan.files)
    const written = Object.keys(plan.files)
      .map((path) => `wrote ${path}\n`)
      .join('')
    const run = choices.language === 'js' || runsTypeScript ? 'node' : 'node --experimental-strip-types'
    return { value: null, text: `${written}\n${toNextSteps(choices, project, plan, run)}` }
  },
})

type Answers = Pick<Choices, 'database' | 'framework' | 'metric'>

const QUESTIONS: { readonly [Name in keyof Answers]: string } = {
  database: `Which database? ${DATABASES.join(', ')}`,
  framework: `Which framework? ${FRAMEWORKS.join(', ')}`,
  metric: 'What do users do? A word, such as words, lessons or workouts',
}

const MOST_TRIES = 5

/** Returns `null` if the terminal closed. */
async function findAnswers(call: CommandCall<typeof OPTIONS>, { packages }: Project): Promise<Answers | null> {
  const { values, environment } = call
  const given = defined({ database: values.database, framework: values.framework, metric: values.metric })
  // The project may have a database and a framework already.
  const all: Answers = {
    database: packages.has('pg') ? 'postgres' : 'sqlite',
    framework: FRAMEWORKS.find((name) => packages.has(name)) ?? 'none',
    metric: 'words',
    ...given,
  }
  if (values.yes || Object.keys(given).length === 3) return all
  const names = Object.values(all).join(', ')
  if (!environment.canAsk)
    throw wrongCall(`there is no terminal to ask on: give --database, --framework and --metric, or --yes for ${names}`)
  const database = given.database ?? (await ask('database', OPTIONS.database, all.database, environment))
  const framework =
    database && (given.framework ?? (await ask('framework', OPTIONS.framework, all.framework, environment)))
  const metric = framework && (given.metric ?? (await ask('metric', OPTIONS.metric, all.metric, environment)))
  return database && framework && metric ? { database, framework, metric } : null
}

/** Returns `null` if the terminal closed. */
async function ask<Value>(
  name: keyof Answers,
  option: Option<Value | undefined>,
  otherwise: string,
  { ask: put, output }: Environment,
): Promise<Value | null> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await put(`${QUESTIONS[name]} [${otherwise}] `)
    if (answer === null) return null
    try {
      return option.read(answer.trim() || otherwise, name) ?? null
    } catch (error) {
      if (!isGamificationError(error)) throw error
      output.err(`${error.message}\n`)
    }
  }
  return null
}

const dependencies = z.record(z.string(), z.unknown()).optional()
const manifestSchema = z.object({
  type: z.enum(['module', 'commonjs']).optional(),
  dependencies,
  devDependencies: dependencies,
})

interface Project {
  readonly directory: string
  /** The type of `.js` and `.ts` files according to package.json. */
  readonly type: 'module' | 'commonjs' | undefined
  readonly packages: ReadonlySet<string>
  readonly hasSrcApp: boolean
  readonly hasTsconfig: boolean
}

/** Throws `invalid_request` if the folder has no package.json, or an unreadable one. */
async function readProject(given: string): Promise<Project> {
  const directory = resolve(given)
  const file = join(directory, 'package.json')
  if (!existsSync(directory)) throw wrongCall(`there is no folder ${directory}`)
  if (!existsSync(file)) throw wrongCall(`there is no package.json in ${directory}: run npm init -y there first`)
  const { type, ...lists } = await readManifest(file)
  return {
    directory,
    type,
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

/** Writes all of the files, or none: throws `invalid_request` if one of them is there already. */
async function writeFiles(directory: string, files: NewFiles): Promise<void> {
  const present = Object.keys(files).filter((path) => existsSync(join(directory, path)))
  if (present.length > 0) {
    const are = present.length === 1 ? 'is' : 'are'
    throw wrongCall(
      `${present.join(', ')} ${are} there already, and nothing was written: move what is there, or take another folder`,
    )
  }
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory, path)
    await mkdir(dirname(file), { recursive: true })
    // A file that appeared in the meantime is kept.
    await writeFile(file, content, { flag: 'wx' })
  }
}

/** Contents by path. */
type NewFiles = Readonly<Record<string, string>>

interface Plan {
  readonly files: NewFiles
  readonly main: string
  readonly test: string
}

/** Node takes a file for what its extension says, whatever package.json says of the others. */
function planNode(choices: Choices, { type, hasTsconfig }: Project): Plan {
  const { framework, language } = choices
  const extension = type === 'module' ? language : `m${language}`
  const refer: Reference = (name) => `./${name}.${extension}`
  const main = `${framework === 'none' ? 'main' : 'server'}.${extension}`
  const test = `game.test.${extension}`
  return {
    files: {
      [`game.${extension}`]: gameFile(choices),
      [`gamification.${extension}`]: gamificationFile(choices, refer),
      [main]: SERVERS[framework].file(choices, refer),
      [test]: testFile(choices, refer),
      ...(language === 'ts' && !hasTsconfig && { 'tsconfig.json': TSCONFIG }),
    },
    main,
    test,
  }
}

/** Next names modules without an extension; Node, which runs the test, with it. */
function planNext(choices: Choices, { hasSrcApp, type }: Project): Plan {
  const { language, metric } = choices
  const base = hasSrcApp ? 'src/' : ''
  const refer: Reference = (name) => `./${name}`
  const fromRoute: Reference = (name) => `../../../${name}`
  const event = `${base}app/events/${metric}/route.${language}`
  // Not in TypeScript: Next would check it, and refuse the extension that Node demands.
  const test = `${base}game.test.${type === 'module' ? 'js' : 'mjs'}`
  return {
    files: {
      [`${base}game.${language}`]: gameFile(choices),
      [`${base}gamification.${language}`]: nextGamificationFile(choices, refer),
      [event]: nextEventRoute(choices, fromRoute),
      [`${base}app/v1/[...path]/route.${language}`]: nextApiRoute(choices, fromRoute),
      [test]: testFile(choices, (name) => `./${name}.${language}`),
    },
    main: event,
    test,
  }
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "skipLibCheck": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true
  }
}
`

/** The next steps for a person, one command a line. `run` is how this Node runs a file. */
function toNextSteps(
  { database, framework, metric, language }: Choices,
  { packages, type }: Project,
  { main, test }: Plan,
  run: string,
): string {
  const isNext = framework === 'next'
  const install = (flags: string, names: readonly string[]): readonly string[] => {
    const missing = names.filter((name) => !packages.has(name))
    return missing.length === 0 ? [] : [`npm install ${flags}${missing.join(' ')}`]
  }
  // For editors and the compiler; nothing that is run needs them.
  const types = language === 'js' || isNext ? [] : ['typescript', '@types/node']
  const url = 'export DATABASE_URL=postgres://user:password@localhost:5432/app'
  const commands = [
    ...install('', ['laurels', ...SERVERS[framework].packages, ...(database === 'postgres' ? ['pg'] : [])]),
    ...install('--save-dev ', [...types, ...(types.length > 0 && framework === 'express' ? ['@types/express'] : [])]),
    // Node warns when it has to find out what kind of module a file is.
    `${run}${isNext && type !== 'module' ? ' --disable-warning=MODULE_TYPELESS_PACKAGE_JSON' : ''} --test ${test}`,
    ...(database === 'postgres' ? [url] : []),
    isNext ? 'npx next dev' : `${run} ${main}`,
    ...(framework === 'none' ? [] : [`curl -X POST http://localhost:3000/events/${metric}`]),
    `npx laurels info${database === 'postgres' ? '' : ' --db app.db'}`,
  ]
  return `Next:\n${commands.map((command) => `  ${command}\n`).join('')}`
}
