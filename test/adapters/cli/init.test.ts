import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

let folders = 0
function folder(manifest: string = '{ "name": "app", "type": "commonjs" }'): string {
  folders += 1
  return dirname(file(`${folders}/package.json`, manifest))
}

const written = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((name) => name !== 'package.json')
    .sort()

const flags = ['--database', 'sqlite', '--framework', 'express', '--metric', 'words']

test('asks three things on a terminal, and takes what the folder has where nothing is answered', async () => {
  const directory = folder('{ "dependencies": { "fastify": "^5.0.0", "laurels": "*" } }')
  const { code, out, err } = await laurels(['init', directory], { answers: ['', '', ''] })
  expect(err).toBe(
    'Which database? sqlite, postgres [sqlite] \n' +
      'Which framework? express, fastify, hono, next, none [fastify] \n' +
      'What do users do? A word, such as words, lessons or workouts [words] \n',
  )
  expect(written(directory)).toEqual(['game.mts', 'game.test.mts', 'gamification.mts', 'server.mts', 'tsconfig.json'])
  expect(out).toBe(`wrote game.mts
wrote gamification.mts
wrote server.mts
wrote game.test.mts
wrote tsconfig.json

Next:
  npm install --save-dev typescript @types/node
  node --test game.test.mts
  node server.mts
  curl -X POST http://localhost:3000/events/words
  npx laurels info --db app.db
`)
  expect(code).toBe(0)
})

test('sends a host on Nest to Express, and to the recipe', async () => {
  const { code, err } = await laurels([
    'init',
    folder(),
    '--database',
    'sqlite',
    '--framework',
    'nest',
    '--metric',
    'words',
  ])
  expect(err).toContain(
    'Nest runs on Express or Fastify: say --framework express, and then follow "Nest" in docs/recipes.md\n',
  )
  expect(code).toBe(2)
})

test('asks again after what is no answer, and not for ever', async () => {
  const directory = folder()
  const answers = ['sqllite', 'sqlite', 'none', 'Long Runs', 'runs']
  const { err, code } = await laurels(['init', directory], { answers })
  expect(err).toContain("unknown value of --database 'sqllite'; did you mean 'sqlite'?\n")
  expect(err).toContain("'Long Runs' cannot be the key of a metric: it must be of a-z, 0-9 and single hyphens")
  expect(code).toBe(0)
  expect(readFileSync(join(directory, 'game.mts'), 'utf8')).toContain(`metrics: { runs: { name: 'Runs' } }`)

  const stubborn = folder()
  const gone = await laurels(['init', stubborn], { answers: Array(9).fill('what?') })
  expect([gone.code, written(stubborn)]).toEqual([130, []])
})

test('without a terminal it says what to give', async () => {
  const directory = folder()
  expect(await laurels(['init', directory, '--database', 'postgres'])).toMatchObject({
    code: 2,
    out: '',
    err:
      'laurels: there is no terminal to ask on: give --database, --framework and --metric, or --yes for postgres, none, words\n' +
      'See laurels init --help\n',
  })
  expect(written(directory)).toEqual([])
})

test.each([
  ['{ "type": "module" }', true, ['game.test.ts', 'game.ts', 'gamification.ts', 'server.ts', 'tsconfig.json'], 'node'],
  ['{ "type": "module" }', false, ['game.js', 'game.test.js', 'gamification.js', 'server.js'], 'node'],
  ['{}', false, ['game.mjs', 'game.test.mjs', 'gamification.mjs', 'server.mjs'], 'node'],
])('in a folder of %s, where Node runs TypeScript: %s', async (manifest, runsTypeScript, names, run) => {
  const directory = folder(`\ufeff${manifest}`)
  const { out } = await laurels(['init', directory, ...flags], { runsTypeScript })
  expect(written(directory)).toEqual(names)
  expect(out).toContain(`  ${run} server.`)
})

test('for Next it writes routes where the folder has its own, and refuses what Next does not build', async () => {
  const next = ['--database', 'sqlite', '--framework', 'next', '--metric', 'words']
  const directory = folder('{ "type": "module" }')
  file(`${folders}/src/app/page.tsx`, '')
  expect((await laurels(['init', directory, ...next])).code).toBe(0)
  expect(written(directory)).toEqual([
    'src/app/events/words/route.ts',
    'src/app/page.tsx',
    'src/app/v1/[...path]/route.ts',
    'src/game.test.js',
    'src/game.ts',
    'src/gamification.ts',
  ])
  const route = readFileSync(join(directory, 'src/app/events/words/route.ts'), 'utf8')
  expect(
    existsSync(join(directory, 'src/app/events/words', /from '([^']+)'/.exec(route)?.[1]?.concat('.ts') ?? '-')),
  ).toBe(true)

  const common = folder()
  expect((await laurels(['init', common, ...next])).err).toContain('Next does not build where package.json says "type"')
  expect(written(common)).toEqual([])
})

test('for Next the engine is the one that the recipe shows, and a build does not open the database', async () => {
  const directory = folder('{ "name": "app" }')
  const { out } = await laurels(['init', directory, '--database', 'sqlite', '--framework', 'next', '--metric', 'words'])
  const engine = readFileSync(join(directory, 'gamification.ts'), 'utf8')
  expect(engine).toContain("if (process.env.NEXT_PHASE === 'phase-production-build') {")
  expect(readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8')).toContain(engine)
  expect(readFileSync(join(directory, 'app/v1/[...path]/route.ts'), 'utf8')).toContain('await connection()')
  expect(out).toContain('  node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test game.test.mjs\n')
})

test('never writes over a file, and then writes none', async () => {
  const directory = folder()
  const game = file(`${folders}/game.mts`, '// mine')
  file(`${folders}/server.mts`, '')
  expect(await laurels(['init', directory, ...flags])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('laurels: game.mts, server.mts are there already, and nothing was written:'),
  })
  expect(readFileSync(game, 'utf8')).toBe('// mine')
  expect(written(directory)).toEqual(['game.mts', 'server.mts'])
})

test.each([
  ['', 'it is empty'],
  ['x'.repeat(41), 'it is longer than 40 characters'],
  ["it's", 'it must be of a-z, 0-9 and single hyphens, and begin with a letter'],
  ['Words', 'it must be of a-z, 0-9 and single hyphens, and begin with a letter'],
  ['a/../b', 'it must be of a-z, 0-9 and single hyphens, and begin with a letter'],
  ['1st', 'it must be of a-z, 0-9 and single hyphens, and begin with a letter'],
])('--metric %j is refused', async (metric, mistake) => {
  const directory = folder()
  const { code, err } = await laurels(['init', directory, '--yes', '--metric', metric])
  expect(err).toContain(`laurels: --metric '${metric}' cannot be the key of a metric: ${mistake}\n`)
  expect([code, written(directory)]).toEqual([2, []])
})
