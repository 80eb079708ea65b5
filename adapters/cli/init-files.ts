import {
  type Choices,
  expressFile,
  fastifyFile,
  gameFile,
  gamificationFile,
  honoFile,
  nextApiRoute,
  nextEventRoute,
  nextGamificationFile,
  type Reference,
  scriptFile,
  testFile,
} from './init-templates.ts'

/** The folder that the files are for. */
export interface Project {
  readonly directory: string
  /** Its `.js` and `.ts` files are ES modules. */
  readonly isModule: boolean
  /** Its package.json says that they are not. */
  readonly isCommonJs: boolean
  /** Names of the packages that its package.json lists. */
  readonly packages: ReadonlySet<string>
  /** Next has its routes below `src`. */
  readonly hasSrcApp: boolean
  readonly hasTsconfig: boolean
}

export interface NewFile {
  /** From the folder on, with `/`. */
  readonly path: string
  readonly content: string
}

export interface Plan {
  readonly files: readonly NewFile[]
  /** The file to run: the server, or the script. */
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

/** What a person does next, a command a line. `run` is how this Node runs a file. */
export function toNextSteps(
  choices: Choices,
  { packages, isModule }: Project,
  { main, test }: Plan,
  run: string,
): string {
  const { database, framework, metric } = choices
  const needed = packagesFor(choices).filter((name) => !packages.has(name))
  const types = typesFor(choices).filter((name) => !packages.has(name))
  const url = database === 'postgres' ? ['export DATABASE_URL=postgres://user:password@localhost:5432/app'] : []
  const db = database === 'postgres' ? '' : ' --db app.db'
  const curl = `curl -X POST http://localhost:3000/events/${metric}`
  const start =
    framework === 'next' ? ['npx next dev', curl] : framework === 'none' ? [`${run} ${main}`] : [`${run} ${main}`, curl]
  // Node warns when it has to find out what kind of module a file is.
  const isTypeless = framework === 'next' && !isModule
  const commands = [
    ...(needed.length === 0 ? [] : [`npm install ${needed.join(' ')}`]),
    ...(types.length === 0 ? [] : [`npm install --save-dev ${types.join(' ')}`]),
    `${run}${isTypeless ? ' --disable-warning=MODULE_TYPELESS_PACKAGE_JSON' : ''} --test ${test}`,
    ...url,
    ...start,
    `npx laurels info${db}`,
  ]
  return `Next:\n${commands.map((command) => `  ${command}\n`).join('')}`
}

const SERVER_PACKAGES: Readonly<Record<Choices['framework'], readonly string[]>> = {
  express: ['express'],
  fastify: ['fastify'],
  hono: ['hono', '@hono/node-server'],
  next: ['next', 'react', 'react-dom'],
  none: [],
}

function packagesFor({ database, framework }: Choices): readonly string[] {
  return ['laurels', ...SERVER_PACKAGES[framework], ...(database === 'postgres' ? ['pg'] : [])]
}

/** For editors and the compiler; nothing that is run needs them. */
function typesFor({ language, framework }: Choices): readonly string[] {
  if (language === 'js' || framework === 'next') return []
  return ['typescript', '@types/node', ...(framework === 'express' ? ['@types/express'] : [])]
}
