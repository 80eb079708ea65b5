import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { isTooOld } from './doctor/process-checks.ts'
import type { Environment } from './environment.ts'
import { planFiles } from './init/files.ts'
import { toNextSteps } from './init/next-steps.ts'
import { type Project, readProject } from './init/project.ts'
import { askFor, defaultsFor } from './init/questions.ts'
import { type InitSettings, readInitSettings } from './init/settings.ts'
import { writeFiles } from './init/write.ts'
import { wrongCall } from './text.ts'

const help = `Usage: laurels init [folder] [options]

Writes a game, what opens it on a database, a server or a route, and a test into
a folder that has a package.json. Asks for what is not given, on a terminal.
Never writes over a file: where one of them is there already, it writes none.

  [folder]            where (default: the current one)
  --database <name>   sqlite or postgres
  --framework <name>  express, fastify, hono, next or none
  --metric <key>      what users do, in a word: words, lessons, workouts
  --language <name>   ts or js (default: ts where this Node runs TypeScript)
  --yes               ask nothing: take what the folder has, else sqlite, none
                      and words
  -h, --help          print this

Where package.json does not say "type": "module" the files are .mts or .mjs, so
that they run as they are.

Exit codes: 0 written, 2 nothing was written, 130 interrupted.
`

export const initCommand: CliCommand = {
  name: 'init',
  help,
  run: async (args, environment) => {
    const settings = readInitSettings(args)
    if (settings !== null) return init(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

async function init(settings: InitSettings, environment: Environment): Promise<ExitCode> {
  const { output, node, runsTypeScript } = environment
  if (isTooOld(node))
    output.err(`This is Node ${node}, and laurels needs 22.13 or newer: update Node before you run what is written.\n`)
  const project = await readProject(settings.directory)
  const answers = await answer(settings, project, environment)
  if (answers === null) {
    output.err('Nothing was written.\n')
    return EXIT.interrupted
  }
  const choices = { ...answers, language: settings.language ?? (runsTypeScript ? 'ts' : 'js') }
  if (choices.framework === 'next' && project.isCommonJs) {
    throw wrongCall('Next does not build where package.json says "type": "commonjs": say "module", or remove the line')
  }
  const plan = planFiles(choices, project)
  await writeFiles(project.directory, plan.files)
  const written = plan.files.map(({ path }) => `wrote ${path}\n`).join('')
  const run = choices.language === 'js' || runsTypeScript ? 'node' : 'node --experimental-strip-types'
  output.out(`${written}\n${toNextSteps(choices, project, plan, run)}`)
  return EXIT.ok
}

/** null: whoever was asked has gone. */
async function answer({ yes, given }: InitSettings, project: Project, environment: Environment) {
  const defaults = defaultsFor(project)
  const { database, framework, metric } = given
  if (yes) return { ...defaults, ...given }
  if (database !== undefined && framework !== undefined && metric !== undefined) return { database, framework, metric }
  if (environment.canAsk) return askFor(given, defaults, environment)
  throw wrongCall(
    'there is no terminal to ask on: give --database, --framework and --metric, or --yes for ' +
      `${Object.values({ ...defaults, ...given }).join(', ')}`,
  )
}
