import type { Choices } from './choices.ts'
import type { Plan } from './files.ts'
import type { Project } from './project.ts'

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
