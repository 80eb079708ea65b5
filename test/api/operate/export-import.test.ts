import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type GameDefinition, type Storage } from '../../../src/index.ts'
import { loadGames } from '../../../src/sql/games.ts'
import { loadUserKeys } from '../../../src/sql/user-lists.ts'
import { drive, openDriven } from '../../model/mechanics/drive.ts'
import { plays } from '../../model/mechanics/histories.ts'
import { dump } from '../../support/dump.ts'
import { codeOf, openOn } from '../../support/engine.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { SOAK, seedOfRun } from '../../support/zones.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 500 : 5))
const MINUTES = 60_000

async function linesOf(engine: { readonly tenants: { export(id: string): AsyncIterable<string> } }): Promise<string[]> {
  const lines: string[] = []
  for await (const line of engine.tenants.export('')) lines.push(line)
  return lines
}

/** Columns that an import sets in its own way: it publishes nothing of the past. */
const OWN = ['version', 'notices_sent_until', 'next_notice_at']

/** Every row of every table but for those columns, and for how entries are cut into blocks. */
function rowsOf(database: Database.Database): ReadonlyMap<string, readonly string[]> {
  const tables = dump(database, { everything: true })
  tables.delete('laurels_leaderboard_blocks')
  const users = tables.get('laurels_users') ?? []
  return tables.set(
    'laurels_users',
    users.map((row) =>
      JSON.stringify((JSON.parse(row) as [string, unknown][]).filter(([name]) => !OWN.includes(name))),
    ),
  )
}

describe('An export that is imported again', () => {
  const nextSchema = useEmptySchemas()

  test(
    `gives the same tables, from SQLite to Postgres and back (seed ${SEED})`,
    async () => {
      await fc.assert(
        fc.asyncProperty(plays(25), async ({ game, calls }) => {
          const [source, target] = [new Database(':memory:'), new Database(':memory:')]
          const played = await openDriven(game, sqlite(source))
          for (const call of calls) {
            played.clock.now = call.now
            await drive(played, call)
          }
          const [first] = await loadUserKeys(played.storage)
          // An import stores games with the users who need them.
          fc.pre(first !== undefined)
          await played.engine.users.suspend(first.user)
          const end = { game: played.engine.game, clock: () => new Date(played.clock.now + 1_000) }
          const [middle, last] = [postgres(databaseUrl(), { schema: nextSchema() }), sqlite(target)]
          const between = createGamification({ ...end, storage: middle })
          const back = createGamification({ ...end, storage: last })
          try {
            const lines = await linesOf(played.engine)
            const before = rowsOf(source)
            await middle.migrate()
            await between.import(lines)
            expect((await between.verify()).drift).toEqual([])
            const copied = await linesOf(between)
            expect(copied).toEqual(lines)
            await last.migrate()
            await back.import(copied)
            for (const [table, rows] of before) expect([table, rowsOf(target).get(table)]).toEqual([table, rows])
            expect((await back.verify()).drift).toEqual([])
          } finally {
            for (const engine of [played.engine, between, back]) await engine.close()
            source.close()
            target.close()
          }
        }),
        { numRuns: RUNS, seed: SEED },
      )
    },
    60 * MINUTES,
  )

  const game = {
    metrics: { words: { name: 'Words' } },
    achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } },
  } as const
  const other = { ...game, achievements: { twenty: { ...game.achievements.ten, value: 20 } } } as const
  const NOON = { now: '2026-03-10T12:00:00.000Z' }
  const on = (storage: Storage, definition: GameDefinition = game) => openOn(storage, { ...NOON }, definition)

  async function annAndBob(): Promise<string[]> {
    const engine = await on(memory())
    const odd = { plan: 'a "quoted" \u2028 line', ['__proto__']: 'x' }
    const asked = { ...game, userAttributes: ['plan', '__proto__'] }
    const written = await engine.redefine(asked)
    await written.metrics.event('words', { user: { id: 'ann', attributes: odd }, value: 0.1, idempotencyKey: 'k' })
    await written.metrics.event('words', { user: { id: 'bob' }, value: 1e-7 })
    return linesOf(written)
  }

  test('of one user is that user, wherever the game is stored', async () => {
    const engine = await on(memory())
    await engine.metrics.event('words', { user: { id: 'ann', tz: 'Asia/Tokyo' }, value: 12, idempotencyKey: 'k' })
    const lines: string[] = []
    for await (const line of engine.users.export('ann')) lines.push(line)

    const target = await on(memory(), other)
    expect(await codeOf(target.import(lines))).toBe('storage_unusable')
    await target.apply(defineGame(game))
    expect(await target.import(lines)).toMatchObject({ read: 1, recorded: 1, replayed: 0, refused: 0 })
    expect(await target.users.get('ann')).toEqual(await engine.users.get('ann'))
    expect(await target.users.achievements('ann')).toEqual(await engine.users.achievements('ann'))
    expect((await target.verify()).drift).toEqual([])
  })

  test('says which entries the user made, for they count as activity', async () => {
    const engine = await on(memory())
    await engine.users.create({ id: 'ann' })
    await engine.forRequest(performance.now(), { isClient: true }).users.update('ann', { name: 'Ann' })
    const target = await on(memory())
    await target.import(await linesOf(engine))
    const { entries } = await target.users.events('ann')
    expect(entries.map(({ kind, own = false }) => [kind, own])).toEqual([
      ['userUpserted', true],
      ['userUpserted', false],
    ])
  })

  test('has what a user chose, and what support gave to streaks', async () => {
    const metrics = { words: {} }
    const definition: GameDefinition = {
      ...game,
      streak: { frequency: 'daily', metrics, customization: true },
      streaks: { gym: { frequency: 'daily', metrics, freezes: { max: 2 } } },
    }
    const engine = await on(memory(), definition)
    const { streaks } = engine.admin
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    await engine.users.updatePreferences('ann', {
      notifications: { recap: ['email'] },
      streak: { evaluationMode: 'AND', on: ['mon', 'tue'], metrics: [{ key: 'words', threshold: 2 }] },
    })
    engine.at('2026-03-12T12:00:00.000Z')
    expect(await streaks.restore({ streak: 'gym', users: [{ id: 'ann' }] })).toMatchObject({ restoredUsers: ['ann'] })
    await streaks.freezes.create({ streak: 'gym', freezes: [{ userId: 'ann' }] })
    const { created } = await streaks.pauses.create({
      pauses: [{ userId: 'ann', start: '2026-03-13', end: '2026-03-14' }],
    })
    await streaks.pauses.delete(created.map(({ id }) => id))
    const lines = await linesOf(engine)

    const target = await on(memory(), definition)
    expect(await target.import(lines)).toMatchObject({ recorded: 1, refusals: [] })
    expect(await linesOf(target)).toEqual(lines)
  })

  test('of one user brings no games that are not stored yet', async () => {
    const engine = await on(memory())
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 12 })
    const later = await engine.redefine(other)
    await later.metrics.event('words', { user: { id: 'ann' }, value: 12 })
    const lines: string[] = []
    for await (const line of later.users.export('ann')) lines.push(line)

    const storage = memory()
    const target = await on(storage)
    expect(await codeOf(target.import(lines))).toBe('storage_unusable')
    expect(await loadGames(storage)).toHaveLength(1)
  })

  test('is imported once, and resumed where it was cut off', async () => {
    const lines = await annAndBob()
    const target = await on(memory())
    const cut = lines.findIndex((line) => line.includes('"end"')) + 1
    expect(await codeOf(target.import(lines.slice(0, cut)))).toBe('invalid_request')
    expect((await target.users.list()).users.map(({ id }) => id)).toEqual(['ann'])
    expect(await target.import(lines)).toMatchObject({ recorded: 1, replayed: 1 })
    expect(await target.import(lines)).toMatchObject({ recorded: 0, replayed: 2 })
    expect(await linesOf(target)).toHaveLength(lines.length)
  })

  test.each([
    ['what is cut off in the midst of a user', (lines: string[]) => lines.slice(0, 5)],
    ['a line that is left out', (lines: string[]) => lines.filter((line) => !line.includes('"entry"'))],
    ['a log with a gap', (lines: string[]) => lines.map((line) => line.replace('"seq":1', '"seq":2'))],
    ['a line that is no JSON', (lines: string[]) => [...lines.slice(0, 3), '{', ...lines.slice(3)]],
    ['a line of something else', (lines: string[]) => [...lines.slice(0, 3), '{"metric":"words"}', ...lines.slice(3)]],
    ['an instant that is none', (lines: string[]) => lines.map((line) => line.replace('2026-03-10T', '2026-13-10T'))],
    ['a kind that nobody knows', (lines: string[]) => lines.map((line) => line.replace('eventRecorded', 'eventMade'))],
    ['a zone that is none', (lines: string[]) => lines.map((line) => line.replace('"zone":"UTC"', '"zone":"../etc"'))],
    ['a value without bounds', (lines: string[]) => lines.map((line) => line.replace('"value":0.1', '"value":1e300'))],
  ])('is refused with %s', async (_, change) => {
    const target = await on(memory())
    const imported = target.import(change(await annAndBob()))
    const report = await imported.catch((error: { code: string }) => error.code)
    expect(report === 'invalid_request' || (typeof report === 'object' && report.refused === 2)).toBe(true)
    expect(await target.users.get('ann').catch(({ code }: { code: string }) => code)).toBe('unknown_user')
  })
})
