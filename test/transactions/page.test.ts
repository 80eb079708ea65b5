// @heavy: It takes more than three seconds.
// @early: It takes long for its size.
// docs/transactions-and-orms.md, as its readers run it.

import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PrismaPg } from '@prisma/adapter-pg'
import { drizzle } from 'drizzle-orm/node-postgres'
import knexFactory from 'knex'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import postgresJs from 'postgres'
import { DataSource } from 'typeorm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame, type Gamification } from '../../src/index.ts'
import { blocksOf } from '../support/blocks.ts'
import { useHostProjects } from '../support/host-project.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { PRISMA_ENVIRONMENT } from '../support/prisma-client.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const blocks = blocksOf('transactions-and-orms.md')
const project = useHostProjects()()
const nextSchema = useSchemas()
const [schema, hostSchema] = [nextSchema(), nextSchema()]

const PRISMA_SCHEMA = `
generator client {
  provider = "prisma-client"
  output   = "./generated/prisma"
}
datasource db {
  provider = "postgresql"
}
model Order {
  id     Int    @id @default(autoincrement())
  userId String @map("user_id")
  @@map("orders")
}
`

const TSCONFIG = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    rootDir: '/',
    // As a host's: declarations of some of these libraries do not bear the strictest.
    skipLibCheck: true,
    paths: { laurels: [join(root, 'src/index.ts')], 'laurels/*': [join(root, 'adapters/*/index.ts')] },
  },
  include: ['*.ts'],
}

/** A function of the page, from the block of that name. */
async function load(file: string): Promise<{ placeOrder(...given: readonly unknown[]): Promise<void> }> {
  return import(pathToFileURL(join(project.directory, file)).href)
}

beforeAll(async () => {
  for (const { file, code } of blocks) project.write(file, code)
  project.write('schema.prisma', PRISMA_SCHEMA)
  project.write('tsconfig.json', JSON.stringify(TSCONFIG))
  for (const [name, value] of Object.entries(PRISMA_ENVIRONMENT)) vi.stubEnv(name, value)
  const generated = await project.program('prisma/build/index.js', 'generate', '--schema', 'schema.prisma')
  vi.unstubAllEnvs()
  expect(generated).toMatchObject({ code: 0 })
})

test('its programs compile', async () => {
  expect(await project.program('typescript/bin/tsc', '-p', '.')).toEqual({ code: 0, out: '', err: '' })
})

/** The address, with the host's own schema to find its tables in. */
function url(): string {
  const address = new URL(databaseUrl())
  address.searchParams.set('options', `-c search_path=${hostSchema}`)
  return address.href
}

/** The arguments of each block, and the code that closes them. */
const HOSTS: { readonly [file: string]: () => Promise<readonly [host: unknown, close: () => Promise<unknown>]> } = {
  'order-with-pg.ts': async () => {
    const pool = new pg.Pool({ connectionString: url() })
    return [pool, () => pool.end()]
  },
  'order-with-kysely.ts': async () => {
    const pool = new pg.Pool({ connectionString: url() })
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
    return [kysely, () => kysely.destroy()]
  },
  'order-with-drizzle.ts': async () => {
    const pool = new pg.Pool({ connectionString: url() })
    return [drizzle(pool), () => pool.end()]
  },
  'order-with-prisma.ts': async () => {
    const { PrismaClient } = await import(pathToFileURL(join(project.directory, 'generated/prisma/client.ts')).href)
    const adapter = new PrismaPg({ connectionString: url() }, { schema: hostSchema })
    const client = new PrismaClient({ adapter })
    return [client, () => client.$disconnect()]
  },
  'order-with-knex.ts': async () => {
    const knex = knexFactory({ client: 'pg', connection: url() })
    return [knex, () => knex.destroy()]
  },
  'order-with-typeorm.ts': async () => {
    const { Order } = await import(pathToFileURL(join(project.directory, 'order-with-typeorm.ts')).href)
    const source = new DataSource({ type: 'postgres', url: url(), entities: [Order] })
    await source.initialize()
    return [source, () => source.destroy()]
  },
  'order-with-postgres-js.ts': async () => {
    const sql = postgresJs(databaseUrl(), { connection: { search_path: hostSchema } })
    return [sql, () => sql.end()]
  },
}

describe('its functions', () => {
  let gamification: Gamification<DefinedGame> | null = null
  const admin = new pg.Pool({ connectionString: databaseUrl() })
  const told: string[] = []
  beforeAll(async () => {
    await admin.query(`create schema "${hostSchema}"`)
    await admin.query(
      `create table "${hostSchema}".orders (id serial primary key, user_id text not null check (user_id <> 'refused'))`,
    )
    const { game } = await import(pathToFileURL(join(project.directory, 'orders-game.ts')).href)
    gamification = createGamification<DefinedGame>({ game, storage: postgres(databaseUrl(), { schema }) })
    gamification.on('achievement.completed', ({ user, achievement }) => void told.push(`${user.id} ${achievement.key}`))
    await gamification.migrate()
  })
  afterAll(async () => {
    await gamification?.close()
    await admin.end()
  })

  test('are all tried here', () => {
    const files = blocks.map(({ file }) => file).filter((file) => /^order-with-/.test(file) && !/sqlite/.test(file))
    expect(Object.keys(HOSTS)).toEqual(files)
  })

  test.each(Object.keys(HOSTS))('%s commits both or nothing', async (file) => {
    const [host, close] = (await HOSTS[file]?.()) ?? expect.fail('There is no host')
    onTestFinished(async () => void (await close()))
    const { placeOrder } = await load(file)
    await placeOrder(host, gamification, file)
    await expect(placeOrder(host, gamification, 'refused')).rejects.toThrow()
    await expect(placeOrder(host, gamification, '')).rejects.toMatchObject({ code: 'invalid_request' })
    const { rows } = await admin.query(
      `select user_id from "${hostSchema}".orders where user_id in ($1, '', 'refused')`,
      [file],
    )
    expect(rows).toEqual([{ user_id: file }])
    expect(told.filter((text) => text.startsWith(file))).toEqual([`${file} first-order`])
    expect((await gamification?.users.singleMetric(file, 'orders'))?.current).toBe(1)
    await expect(gamification?.users.get('refused')).rejects.toMatchObject({ code: 'unknown_user' })
  })
})

test.each(blocks.filter(({ output }) => output !== null))('$file prints what it shows', async ({ file, output }) => {
  for (const end of ['', '-wal', '-shm']) rmSync(join(project.directory, `app.db${end}`), { force: true })
  const before = process.cwd()
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((text: unknown) => void printed.push(`${text}\n`))
  onTestFinished(() => {
    log.mockRestore()
    process.chdir(before)
  })
  process.chdir(dirname(join(project.directory, file)))
  await import(pathToFileURL(join(project.directory, file)).href)
  expect(printed.join('')).toBe(output)
})
