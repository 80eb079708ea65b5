// One user's rows are damaged: the others are looked at, mended and exported all the same.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { defineGame, type Storage } from '../../src/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { sharedPool, useEmptySchemas } from '../support/postgres.ts'

const nextSchema = useEmptySchemas()
const game = {
  metrics: { words: { name: 'Words' } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
} as const

interface World {
  readonly engine: Engine
  /**
   * Runs a statement outside of the engine; `laurels.` is replaced by the schema, or by the beginning of a table's
   * name.
   */
  change(text: string): Promise<void>
  /** An engine that remembers nothing. */
  fresh(): Promise<Engine>
}

const DATABASES = [
  {
    name: 'sqlite',
    open: async (): Promise<World> => {
      const directory = mkdtempSync(join(tmpdir(), 'laurels-damaged-'))
      onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
      const file = join(directory, 'app.db')
      return world(
        () => sqlite(file, { synchronous: 'NORMAL' }),
        async (text) => {
          const database = new Database(file)
          database.exec(text.replaceAll('laurels.', 'laurels_'))
          database.close()
        },
      )
    },
  },
  {
    name: 'postgres',
    open: async (): Promise<World> => {
      const schema = nextSchema()
      return world(
        () => postgres(sharedPool(), { schema }),
        async (text) => {
          await sharedPool().query(text.replaceAll('laurels.', `"${schema}".`))
        },
      )
    },
  },
]

async function world(create: () => Storage, change: World['change']): Promise<World> {
  const fresh = async (): Promise<Engine> => {
    const engine = await openOn(create(), { now: NOON }, game)
    onTestFinished(() => engine.close())
    return engine
  }
  const engine = await fresh()
  for (const id of ['u1', 'u2', 'u3']) {
    await engine.metrics.event('words', { user: { id, name: id }, value: 10, attributes: {} })
    await engine.metrics.event('words', { user: { id }, value: 20, occurredAt: new Date('2026-03-10T11:59:00Z') })
    await engine.metrics.event('words', { user: { id }, value: 30 })
  }
  return { engine, change, fresh }
}

const OF_U1 = `where user_id = 'u1'`

/** Damage of a row of u1, what the report says of it, and whether `rebuild` mends it. */
const DAMAGE = [
  ['data that is no JSON', `update laurels.log set data = '{' ${OF_U1} and seq = 2`, /seq 2.*JSON/],
  ['a profile that is no JSON', `update laurels.log set profile = '{' ${OF_U1} and seq = 1`, /seq 1.*JSON/],
  ['an unknown kind', `update laurels.log set kind = 999 ${OF_U1} and seq = 3`, /seq 3.*999/],
  [
    'an absurd date',
    `update laurels.log set local_date = 2000000000 ${OF_U1} and seq = 3`,
    /seq 3.*Invalid time value/,
  ],
  ['an epoch of no game', `update laurels.log set epoch = 77 ${OF_U1} and seq = 3`, /seq 3.*epoch 77/],
  ['a missing line', `delete from laurels.log ${OF_U1} and seq = 2`, /has 2 lines, but should have 3/],
] as const

async function linesOf(engine: Engine): Promise<{ lines: readonly string[]; error: unknown }> {
  const lines: string[] = []
  try {
    for await (const line of engine.export()) lines.push(line)
    return { lines, error: null }
  } catch (error) {
    return { lines, error }
  }
}

const usersIn = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => JSON.parse(line)).flatMap((line) => (line.laurels === 'user' ? [line.id] : []))

describe.each(DATABASES)('On $name', ({ open }) => {
  test.each(DAMAGE)(
    '%s is reported by verify and rebuild, which go on with the other users',
    async (_, text, reason) => {
      const { change, fresh } = await open()
      await change(text)
      await change(`update laurels.totals set total = 61 where user_id = 'u2'`)
      const engine = await fresh()
      const damaged = [{ tenant: '', user: 'u1', message: expect.stringMatching(reason) }]
      const found = await engine.verify()
      expect(found.damaged).toEqual(damaged)
      expect(found.users).toBe(3)
      expect(found.drift).toContainEqual(
        expect.objectContaining({ table: 'totals', key: { tenant_id: '', user_id: 'u2', metric: 'words' } }),
      )
      expect((await engine.rebuild()).damaged).toEqual(damaged)
      expect(await engine.users.singleMetric('u2', 'words')).toMatchObject({ current: 60 })
      expect((await engine.verify({ users: ['u1', 'u3'] })).damaged).toEqual(damaged)
      expect((await engine.verify({ users: ['u2', 'u3'] })).damaged).toEqual([])
    },
  )

  const next = defineGame({
    ...game,
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 3 }] } },
  })

  test.each(DAMAGE)('after %s, whatIf and apply name the user and go on with the others', async (_, text, reason) => {
    const { change, fresh } = await open()
    await change(text)
    const engine = await fresh()
    const isMissing = text.startsWith('delete')
    const message = expect.stringMatching(
      isMissing || /epoch/.test(text) ? /lacks lines, or a line names a game/ : reason,
    )
    const damaged = [{ tenant: '', user: 'u1', message }]
    const report = await engine.whatIf(next)
    expect(report).toMatchObject({ users: 2, changed: 2, damaged, points: [{ system: 'xp', gains: 2, minted: 24 }] })
    expect(report.largest.map(({ user }) => user)).toEqual(['u2', 'u3'])
    for (const policy of ['grant', 'recompute'] as const) {
      expect(await engine.apply(next, { policy })).toMatchObject({ policy, users: 3, changed: 2, damaged })
      expect(await engine.users.points('u2', 'xp')).toMatchObject({ total: 18 })
      expect(await engine.users.points('u3', 'xp')).toMatchObject({ total: 18 })
    }
  })

  test('the list of users leaves out who cannot be read, and says so', async () => {
    const { change, fresh } = await open()
    await change(`update laurels.users set attributes = '{' ${OF_U1}`)
    const engine = await fresh()
    const damaged = [
      { tenant: '', user: 'u1', message: expect.stringMatching(/row of the user.*JSON.*laurels rebuild/) },
    ]
    const names = ({ users }: { readonly users: readonly { readonly id: string }[] }) => users.map(({ id }) => id)
    const all = await engine.users.list()
    expect([names(all), all.damaged, all.after]).toEqual([['u2', 'u3'], damaged, null])
    const page = await engine.users.list({ limit: 1 })
    expect([names(page), page.damaged, page.after]).toEqual([[], damaged, 'u1'])
    expect(await engine.users.list({ search: 'u1' })).toEqual({ users: [], damaged, after: null })
    expect(await engine.users.list({ after: 'u1', limit: 1 })).toMatchObject({ users: [{ id: 'u2' }], damaged: [] })
  })

  test('an event of a damaged user is refused, and those of others in the same batch are stored', async () => {
    const { change, fresh } = await open()
    await change(`update laurels.users set attributes = '{' ${OF_U1}`)
    const engine = await fresh()
    const events = ['u2', 'u1', 'u3'].map((id) => engine.metrics.event('words', { user: { id }, value: 1 }))
    expect((await Promise.allSettled(events)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    await expect(events[1]).rejects.toMatchObject({ code: 'user_damaged' })
  })

  test.each([
    ...DAMAGE,
    ['a missing row of the user', `delete from laurels.users ${OF_U1}`, /own row is missing.*laurels rebuild/],
    ['a user whose attributes are no JSON', `update laurels.users set attributes = '{' ${OF_U1}`, /JSON/],
  ] as const)('export goes on after %s, and ends with an error that names the user', async (_, text, reason) => {
    const { change, fresh } = await open()
    await change(text)
    const engine = await fresh()
    const { lines, error } = await linesOf(engine)
    expect(usersIn(lines)).toEqual(['u2', 'u3'])
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ laurels: 'end', of: 'export', users: 2 })
    expect(error).toMatchObject({
      code: 'user_damaged',
      message: expect.stringMatching(/^The export is complete but for 1 damaged user\. The user "u1": /),
    })
    expect(error).toMatchObject({ message: expect.stringMatching(reason) })
    const one = async () => {
      for await (const line of engine.users.export('u1')) expect(line).toBe(null)
    }
    await expect(one()).rejects.toMatchObject({ code: 'user_damaged', message: expect.stringMatching(reason) })
    const other = await openOn(memory(), { now: NOON }, game)
    expect(await other.import(lines)).toMatchObject({ recorded: 2, refused: 0 })
  })

  test('an import refuses a user whose line names an unknown epoch, and imports the others', async () => {
    const { engine } = await open()
    const { lines } = await linesOf(engine)
    const broken = lines.map((line) => {
      const { entry, ...rest } = JSON.parse(line)
      return entry?.seq === 2 && lines.indexOf(line) < lines.findIndex((each) => each.includes('"id":"u2"'))
        ? JSON.stringify({ ...rest, entry: { ...entry, epoch: 77 } })
        : line
    })
    const other = await openOn(memory(), { now: NOON }, game)
    const refused: unknown[] = []
    const report = await other.import(broken, { onRefused: (refusal) => void refused.push(refusal) })
    expect(report).toMatchObject({ recorded: 2, refused: 1 })
    expect(refused).toEqual([
      expect.objectContaining({
        code: 'invalid_request',
        message:
          'The user "u1" has an entry (seq 2) of a game (epoch 77) that is not in the export: export again, after laurels verify.',
      }),
    ])
    expect(await other.users.singleMetric('u3', 'words')).toMatchObject({ current: 60 })
  })

  test('a stored game that is no JSON is an invalid game for an export too', async () => {
    const { engine, change } = await open()
    await change(`update laurels.games set definition = '{'`)
    expect((await linesOf(engine)).error).toMatchObject({
      code: 'invalid_game',
      message: 'The stored game of epoch 1 cannot be read: The game is not JSON. Restore it from a backup.',
    })
  })

  test.each(DAMAGE)('after %s and apply recompute, no event of the user is recorded, nor tried', async (_, text) => {
    const { change, fresh } = await open()
    await change(text)
    const engine = await fresh()
    await engine.apply(next, { policy: 'recompute' })
    for (const again of [engine, await fresh()]) {
      const event = { user: { id: 'u1' }, value: 1 }
      await expect(again.metrics.event('words', event)).rejects.toMatchObject({ code: 'user_damaged' })
      await expect(again.metrics.event('words', event, { dryRun: true })).rejects.toMatchObject({
        code: 'user_damaged',
      })
      await expect(again.users.suspend('u1')).rejects.toMatchObject({ code: 'user_damaged' })
    }
    expect(await engine.metrics.event('words', { user: { id: 'u2' }, value: 1 })).toMatchObject({ total: 61 })
  })

  const LATE = { value: 1, occurredAt: new Date('2026-03-09T12:00:00Z') }
  const REFUSED = { code: 'user_damaged', message: expect.stringMatching(/"u1".*Nothing was saved.*laurels verify/) }

  test('where a line of the log is missing, late events, voids and suspensions are refused with what to do', async () => {
    const { engine: first, change, fresh } = await open()
    const { eventId } = await first.metrics.event('words', { user: { id: 'u1' }, value: 1 })
    await change(`delete from laurels.log ${OF_U1} and seq = 2`)
    const engine = await fresh()
    await engine.rebuild()
    await expect(engine.metrics.event('words', { user: { id: 'u1' }, ...LATE })).rejects.toMatchObject(REFUSED)
    await expect(engine.events.void(eventId)).rejects.toMatchObject(REFUSED)
    await expect(engine.users.suspend('u1')).rejects.toMatchObject(REFUSED)
    await engine.metrics.event('words', { user: { id: 'u1' }, value: 1 })
    await engine.metrics.event('words', { user: { id: 'u2' }, ...LATE })
  })

  test('where the row of the user is missing, rebuild makes it again, before the user has a new event', async () => {
    const { change, fresh } = await open()
    await change(`delete from laurels.users ${OF_U1}`)
    const engine = await fresh()
    expect((await engine.verify()).damaged).toEqual([])
    await engine.rebuild()
    expect(await engine.metrics.event('words', { user: { id: 'u1' }, ...LATE })).toMatchObject({ total: 61 })
  })
})

test('on postgres a value that is no number is reported too', async () => {
  const { change, fresh } = (await (DATABASES[1] ?? DATABASES[0])?.open()) ?? never()
  await change(`update laurels.log set value = 'NaN' ${OF_U1} and seq = 3`)
  const engine = await fresh()
  const damaged = [{ tenant: '', user: 'u1', message: expect.stringMatching(/seq 3.*NaN/) }]
  expect((await engine.verify()).damaged).toEqual(damaged)
  expect((await engine.rebuild()).damaged).toEqual(damaged)
  const late = { user: { id: 'u1' }, value: 1, occurredAt: new Date('2026-03-09T12:00:00Z') }
  await expect(engine.metrics.event('words', late)).rejects.toMatchObject({
    code: 'user_damaged',
    message: expect.stringMatching(/seq 3.*NaN/),
  })
})

function never(): never {
  throw new RangeError('There is a database')
}

test('On node:sqlite, a number beyond the safe integers in a log is reported, and other users are verified', async () => {
  const database = new DatabaseSync(':memory:')
  const { engine } = await world(
    () => sqlite(database),
    async (text) => database.exec(text),
  )
  database.exec(`update laurels_log set at = 9007199254740995 ${OF_U1} and seq = 2`)
  database.exec(`update laurels_totals set total = 61 where user_id = 'u2'`)
  const { damaged, users, drift } = await engine.verify()
  expect({ damaged: damaged.map(({ user }) => user), users }).toEqual({ damaged: ['u1'], users: 3 })
  expect(drift.map(({ key }) => key)).toContainEqual({ tenant_id: '', user_id: 'u2', metric: 'words' })
})
