import type { Choices } from './choices.ts'
import type { Project } from './project.ts'
import { expressFile, fastifyFile, honoFile, nextApiRoute, nextEventRoute, scriptFile } from './servers.ts'
import { gameFile, gamificationFile, nextGamificationFile, type Reference, testFile } from './templates.ts'

export interface NewFile {
  /** From the folder on, with `/`. */
  readonly path: string
  readonly content: string
}

export interface Plan {
  readonly files: readonly NewFile[]
  /** What is run: the server, or the script. */
  readonly main: string
  readonly test: string
}

type Frame = Pick<Project, 'isModule' | 'hasSrcApp' | 'hasTsconfig'>

export function planFiles(choices: Choices, project: Frame): Plan {
  return choices.framework === 'next' ? planNext(choices, project) : planNode(choices, project)
}

const SERVERS = { express: expressFile, fastify: fastifyFile, hono: honoFile, none: scriptFile } as const

/** Node takes a file for what its extension says, whatever package.json says of the others. */
function planNode(choices: Choices, { isModule, hasTsconfig }: Frame): Plan {
  const { framework, language } = choices
  if (framework === 'next') throw new RangeError('Next has a plan of its own')
  const extension = isModule ? language : `m${language}`
  const refer: Reference = (name) => `./${name}.${extension}`
  const main = `${framework === 'none' ? 'main' : 'server'}.${extension}`
  const test = `game.test.${extension}`
  return {
    files: [
      { path: `game.${extension}`, content: gameFile(choices) },
      { path: `gamification.${extension}`, content: gamificationFile(choices, refer) },
      { path: main, content: SERVERS[framework](choices, refer) },
      { path: test, content: testFile(choices, refer) },
      ...(language === 'ts' && !hasTsconfig ? [{ path: 'tsconfig.json', content: TSCONFIG }] : []),
    ],
    main,
    test,
  }
}

/** Next names modules without an extension; Node, which runs the test, with it. */
function planNext(choices: Choices, { hasSrcApp, isModule }: Frame): Plan {
  const { language, metric } = choices
  const base = hasSrcApp ? 'src/' : ''
  const refer: Reference = (name) => `./${name}`
  const fromRoute: Reference = (name) => `../../../${name}`
  const event = `${base}app/events/${metric}/route.${language}`
  // Not in TypeScript: Next would check it, and refuse the extension that Node demands.
  const test = `${base}game.test.${isModule ? 'js' : 'mjs'}`
  return {
    files: [
      { path: `${base}game.${language}`, content: gameFile(choices) },
      { path: `${base}gamification.${language}`, content: nextGamificationFile(choices, refer) },
      { path: event, content: nextEventRoute(choices, fromRoute) },
      { path: `${base}app/v1/[...path]/route.${language}`, content: nextApiRoute(choices, fromRoute) },
      { path: test, content: testFile(choices, (name) => `./${name}.${language}`) },
    ],
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
