// A guest's key while another process merges the guest.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/index.ts'
import { compiled, runCompiled } from '../support/compiled.ts'
import { openServer } from '../support/http.ts'
import { databaseUrl, sharedPool, useEmptySchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { game } from './authorization-table.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()

interface Shared {
  readonly storage: Storage
  /** The module, and the call that opens the same database in another process. */
  readonly other: readonly [module: string, call: string]
}

const SHARED: readonly { readonly name: string; readonly open: () => Shared }[] = [
  {
    name: 'one SQLite file',
    open: () => {
      const file = nextFile()
      return { storage: sqlite(file), other: ['sqlite', `sqlite(${JSON.stringify(file)})`] }
    },
  },
  {
    name: 'Postgres',
    open: () => {
      const options = { schema: nextSchema(), deadlineMs: 60_000 }
      const call = `postgres(${JSON.stringify(databaseUrl())}, ${JSON.stringify(options)})`
      return { storage: postgres(sharedPool(), options), other: ['postgres', call] }
    },
  },
]

const mergeBy = ([module, call]: Shared['other']): string => `
  import { createGamification, defineGame } from './src/index.js'
  import { ${module} } from './adapters/${module}/index.js'
  const game = defineGame(${JSON.stringify(game)})
  const engine = createGamification({ game, storage: ${call}, clock: () => new Date('2026-03-10T12:00:00.000Z') })
  await engine.users.merge({ from: 'guest', into: 'vera' })
  await engine.close()
`

// It blocks this process, in which connections would be idle for too long.
beforeAll(() => void compiled(), 120_000)

describe.each(SHARED)("A guest's key, with two processes on $name", ({ open }) => {
  test('reads and writes nothing of the account while and after the other process merges the guest', async () => {
    const { storage, other } = open()
    const server = await openServer({ definition: game, storage })
    onTestFinished(() => server.close())
    const { engine, call } = server
    await engine.users.create({ id: 'guest' })
    await engine.users.create({ id: 'vera', name: 'Vera', email: 'vera@example.com' })
    const key = await server.applicationKey('guest')
    expect((await call('GET', '/v1/users/guest', { key })).status).toBe(200)

    let isMerged = false
    const merging = runCompiled(mergeBy(other)).finally(() => {
      isMerged = true
    })
    const answers: { readonly status: number; readonly text: string }[] = []
    while (!isMerged) {
      answers.push(await call('GET', '/v1/users/guest', { key }))
      answers.push(await call('PATCH', '/v1/users/guest', { key, body: { attributes: { plan: 'pro' } } }))
    }
    await merging
    answers.push(await call('GET', '/v1/users/guest', { key }))

    expect(answers.filter(({ text }) => text.includes('vera'))).toEqual([])
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200, 401])
    expect(await engine.authenticate(key)).toBeNull()
    expect((await engine.users.get('guest')).id).toBe('vera')
  })
})
