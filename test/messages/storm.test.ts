import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { revokedMessageId } from '../../src/game/ids.ts'
import type { DefinedGame, Gamification, GamificationMessage, Storage } from '../../src/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

// Several engines on one database: all sweep, all hand over the same subscription, and users act meanwhile.

const DAY = 86_400_000
const START = Date.parse('2026-03-10T12:00:00.000Z')
const DAYS = 12
const ENGINES = 4
const USERS = Array.from({ length: 10 }, (_, index) => `user-${index}`)
const TYPES = [
  'streak.started',
  'streak.extended',
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
] as const

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 2, autoEarn: { interval: 3 } } },
})

const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()
const PLACES: readonly { readonly name: string; readonly open: () => () => Storage }[] = [
  {
    name: 'memory',
    open: () => {
      const storage = memory()
      return () => storage
    },
  },
  {
    name: 'sqlite',
    open: () => {
      const file = nextFile()
      return () => sqlite(file)
    },
  },
  {
    name: 'postgres',
    open: () => {
      const schema = nextSchema()
      return () => postgres(databaseUrl(), { schema })
    },
  },
]

test.each(PLACES)('four that sweep while users act, on $name: everything is told once, in order', async ({ open }) => {
  const create = open()
  let now = START
  const engines: Gamification<DefinedGame>[] = []
  const handed: GamificationMessage[] = []
  for (let index = 0; index < ENGINES; index += 1) {
    const engine = createGamification<DefinedGame>({ game, storage: create(), clock: () => new Date(now) })
    await engine.migrate()
    await engine.subscribe('all', { types: TYPES }, (messages) => {
      handed.push(...messages)
    })
    engines.push(engine)
  }
  const of = (index: number): Gamification<DefinedGame> => engines[index % ENGINES] as Gamification<DefinedGame>
  try {
    for (let day = 0; day < DAYS; day += 1) {
      now = START + day * DAY
      const acting = USERS.filter((_, index) => (index * 7 + day * 3) % 10 < 5)
      await Promise.all([
        ...engines.map((engine) => engine.workOnce()),
        ...acting.map((id, index) => of(index).metrics.event('words', { user: { id }, value: 1 })),
      ])
    }
    now = START + (DAYS + 30) * DAY
    await Promise.all(engines.map((engine) => engine.workOnce()))
    // Whose lease it was goes on.
    await Promise.all(engines.map((engine) => engine.workOnce()))
    const ids = handed.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => ids.includes(revokedMessageId(id)))).toEqual([])

    const again: GamificationMessage[] = []
    await of(0).subscribe('again', { types: TYPES, from: 'start' }, (messages) => {
      again.push(...messages)
    })
    await of(0).workOnce()
    const ownOf = (messages: readonly GamificationMessage[], user: string) =>
      messages.filter(({ userId }) => userId === user).map(({ type, at, id }) => [type, at, id])
    for (const user of USERS) expect(ownOf(handed, user)).toEqual(ownOf(again, user))
    expect(handed.length).toBeGreaterThan(100)
    expect(await of(0).verify()).toMatchObject({ drift: [] })
  } finally {
    for (const engine of engines) await engine.close()
  }
})
