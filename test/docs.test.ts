import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createGamification, defineGame } from 'laurels'
import { postgres } from 'laurels/postgres'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabases } from './adapters/postgres/races-database.ts'
import { type Finished, run, useConsumer } from './support/consumer.ts'
import { pageOf, pages, readme, root, skill, TRIED_ELSEWHERE, textsOf } from './support/pages.ts'

/** The modules that the pages need besides the package. */
const PACKAGES = [
  ...[
    'better-sqlite3',
    '@types/better-sqlite3',
    'pg',
    '@types/pg',
    '@types/node',
    'pino',
    '@trophyso/node',
    'standardwebhooks',
  ],
  ...['api', 'context-async-hooks', 'sdk-trace-base'].map((name) => `@opentelemetry/${name}`),
  'better-auth',
  ...['express', '@types/express', 'fastify', 'hono'],
  ...['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
]

const TSCONFIG = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    noEmit: false,
    rootDir: 'pages',
    outDir: 'out',
    paths: {},
    // Nest has them.
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  },
  include: ['pages'],
}

/** `game.ts` and `gamification.ts`, which the pages share. */
const SHARED = pageOf('define-a-game').programs.filter(({ file }) => !file.startsWith('block-'))

const openDatabase = useDatabases()

const tried = [readme, skill, ...pages.filter(({ name }) => !TRIED_ELSEWHERE.includes(name))]
const rows = tried.flatMap(({ name, programs }) => programs.map((program) => ({ name, ...program })))

describe('the pages, for somebody who has installed the package', () => {
  const consumer = useConsumer(PACKAGES)

  beforeAll(() => {
    const { directory, write } = consumer()
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    write('package.json', JSON.stringify({ ...manifest, type: 'module' }))
    write('tsconfig.base.json', readFileSync(join(root, 'tsconfig.json'), 'utf8'))
    write('tsconfig.json', JSON.stringify(TSCONFIG))
    for (const page of tried) {
      const shared = page === readme || page === skill ? [] : SHARED
      for (const { file, code } of [...shared, ...page.programs]) write(`pages/${page.name}/${file}.ts`, code)
    }
  })

  test('have blocks that compile', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    expect(await consumer().node(tsc, '-p', '.')).toEqual({ code: 0, out: '', err: '' })
  })

  test.concurrent.each(rows)('print from $name/$file what they show', async (row) => {
    const script = join(consumer().directory, 'out', row.name, `${row.file}.js`)
    const finished = await startedAnew(script, row.code)
    expect(finished).toMatchObject({ code: 0, err: '' })
    if (row.output !== null) expect(finished.out).toBe(row.output)
  })

  test.each(pages.filter((page) => textsOf(page, 'csv').length > 0))(
    'have lines for the shell in $name that import what is beside them',
    async (page) => {
      const { write } = consumer()
      const directory = dirname(write(`pages/${page.name}/events.csv`, textsOf(page, 'csv').join('')))
      write(`pages/${page.name}/events.ndjson`, textsOf(page, 'json').join(''))
      const [line = ''] = textsOf(page, 'sh').flatMap(
        (text) => text.match(/^npx laurels import events\.csv .+$/m) ?? [],
      )
      const events = textsOf(page, 'csv').join('').trimEnd().split('\n').length - 1
      expect(events).toBeGreaterThan(0)

      const fromCsv = await run('sh', ['-c', line], directory)
      expect(fromCsv).toMatchObject({ code: 0, err: PROGRESS })
      expect(fromCsv.out.startsWith(`${events} read, ${events} recorded, 0 replayed, 0 refused`)).toBe(true)
      const verified = await run('sh', ['-c', 'npx laurels verify --db app.db'], directory)
      expect(verified).toMatchObject({ code: 0, err: '' })

      if (textsOf(page, 'json').length === 0) return
      const fromJson = await run('sh', ['-c', line.replace('.csv', '.ndjson')], directory)
      expect(fromJson).toMatchObject({ code: 0, err: PROGRESS })
      expect(fromJson.out.startsWith(`${events} read, 0 recorded, ${events} replayed, 0 refused`)).toBe(true)
    },
  )
})

/** The progress that an import prints, each second. */
const PROGRESS: string = expect.stringMatching(/^(?:\d+ %, .*, 0 refused, \d+\/s\n)*$/)

/** Runs a program in an empty folder, and with an empty database if it asks for one. */
async function startedAnew(script: string, code: string): Promise<Finished> {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-page-'))
  const start = (variables: NodeJS.ProcessEnv): Promise<Finished> =>
    run(process.execPath, [script], directory, variables)
  try {
    return await start(code.includes('DATABASE_URL') ? { DATABASE_URL: (await openDatabase()).url } : {})
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describe('the rights that the page on Postgres gives to a role', () => {
  const role = `laurels_${randomBytes(8).toString('hex')}`
  const game = defineGame({
    metrics: { words: { name: 'Words' } },
    leaderboards: {
      all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    },
  })

  test('are enough for all that a process does', async () => {
    const { url } = await openDatabase()
    const owner = new pg.Pool({ connectionString: url })
    await createGamification({ game, storage: postgres(owner) }).migrate()
    const texts = textsOf(pageOf('postgres'), 'sql').map((text) =>
      text.replaceAll(' web', ` ${role}`).replaceAll(' analyst', ` ${role}_analyst`),
    )
    const isLess = (text: string): boolean => text.startsWith('REVOKE')
    await owner.query(texts.filter((text) => !isLess(text)).join(''))

    const by = new URL(url)
    by.username = role
    by.password = 'secret'
    const gamification = createGamification({ game, storage: postgres(by.href) })
    try {
      await gamification.migrate()
      const { eventId } = await gamification.metrics.event('words', { user: { id: 'ann' }, value: 10 })
      await gamification.metrics.event('words', { user: { id: 'ann' }, value: 5, occurredAt: new Date('2026-01-01') })
      await gamification.events.void(eventId)
      await gamification.adminKeys.create()
      await gamification.apply(defineGame({ metrics: { words: { name: 'All words' } } }), { policy: 'recompute' })
      expect((await gamification.rebuild()).drift).toEqual([])
      expect((await gamification.users.singleMetric('ann', 'words')).current).toBe(5)
      await gamification.users.identify('ann', { email: 'ann@example.com', deviceTokens: ['token-1'] })

      await owner.query(texts.filter(isLess).join(''))
      await expect(gamification.adminKeys.create()).rejects.toThrow('permission denied for table api_keys')
      await gamification.metrics.event('words', { user: { id: 'ann' }, value: 1 })
      expect(await gamification.health()).toMatchObject({ status: 'ok' })

      by.username = `${role}_analyst`
      const analyst = new pg.Pool({ connectionString: by.href })
      const seen: string[] = []
      const { rows } = await owner.query("select relname from pg_class where relname like 'view\\_%' order by relname")
      for (const { relname } of rows) {
        const read = await analyst.query(`select * from laurels.${relname}`).catch(() => null)
        if (read !== null) seen.push(relname, JSON.stringify(read.rows))
      }
      await expect(analyst.query('select * from laurels.users')).rejects.toThrow('permission denied')
      await analyst.end()
      expect(seen.filter((text) => text.startsWith('view_')).length).toBe(8)
      expect(seen.filter((text) => /view_log|example\.com|token-1/.test(text))).toEqual([])
    } finally {
      await gamification.close()
      for (const each of [role, `${role}_analyst`])
        await owner.query(`drop owned by ${each} cascade; drop role ${each}`)
      await owner.end()
    }
  })
})
