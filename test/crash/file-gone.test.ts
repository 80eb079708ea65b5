// @heavy: It takes more than three seconds.
// A file that is taken away, replaced or damaged under a process that writes. SOAK=1: each of it more often.

import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, type Gamification, type Storage } from '../../src/index.ts'
import { limit } from '../support/busy-machine.ts'
import { checkFold } from '../support/check-fold.ts'
import { compiled } from '../support/compiled.ts'
import { times } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { runChild } from './child.ts'
import { crashGame } from './crash-game.ts'
import { expectSound } from './evidence.ts'

const NOW = '2026-06-01T12:00:00.000Z'
const CALLERS = 2
const clock = (): Date => new Date(NOW)

const nextFile = useDatabaseFiles()
let directory = ''

beforeAll(async () => {
  directory = compiled()
  for (const events of [0, 40, 4_000]) {
    const template = nextFile()
    const storage = sqlite(template, { synchronous: 'NORMAL' })
    const engine = createGamification<DefinedGame>({ game: crashGame, storage, clock })
    await engine.migrate()
    await Promise.all(times(events, (index) => send(engine, `user-${index % 40}`)))
    await engine.close()
    templates.set(events, template)
  }
}, 60_000)

type Engine = Gamification<DefinedGame>

/** An engine on the file; the test closes it, or it is closed at the end. */
async function open(file: string, storage: Storage = sqlite(file)): Promise<Engine> {
  const engine = createGamification<DefinedGame>({ game: crashGame, storage, clock })
  onTestFinished(() => engine.close())
  await engine.migrate()
  return engine
}

const send = (engine: Engine, user: string) => engine.metrics.event('words', { user: { id: user }, value: 1 })

const templates = new Map<number, string>()

/** A file in a directory of its own, with so many events of forty users in it. */
function filled(events: number): string {
  const folder = nextFile()
  mkdirSync(folder)
  const file = join(folder, 'app.db')
  copyFileSync(templates.get(events) ?? '', file)
  return file
}

interface Answer {
  readonly at: number
  /** `stored`, or the code of the error. */
  readonly outcome: string
  readonly message: string
}

/** Sends without a pause until `isOver`, as callers do who wait for their answers. */
async function sendUntil(engine: Engine, isOver: () => boolean): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const caller = async (_: unknown, index: number): Promise<void> => {
    while (!isOver()) {
      const told = await send(engine, `user-${index}`).then(
        () => ({ outcome: 'stored', message: '' }),
        (error) => ({ outcome: String(error.code), message: String(error.message) }),
      )
      answers.push({ at: performance.now(), ...told })
      // Timers get their turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(times(CALLERS, () => null).map(caller))
  return answers.sort((left, right) => left.at - right.at)
}

/** The damage to the file, and the message that the caller gets. */
type Damage = readonly [name: string, harm: (file: string) => void, says: string]

const overwrite = (file: string, start: number): void => {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(200_000, 7), 0, 200_000, start)
  closeSync(handle)
}

const replaceBy = (file: string, make: (other: string) => void): void => {
  const other = `${file}.other`
  make(other)
  renameSync(other, file)
}

/** Into the same file, as `cp` does. */
const overwriteBy = (file: string, make: (other: string) => void): void => {
  make(`${file}.other`)
  copyFileSync(`${file}.other`, file)
}

const DAMAGES: readonly Damage[] = [
  ['deleted alone', (file) => rmSync(file), 'was deleted, moved or replaced'],
  [
    'deleted with its -wal and -shm',
    (file) => ['', '-wal', '-shm'].map((end) => rmSync(file + end)),
    'was deleted, moved or replaced',
  ],
  ['left without its -wal', (file) => rmSync(`${file}-wal`), 'was deleted, moved or replaced'],
  [
    'replaced by an empty file',
    (file) => replaceBy(file, (other) => writeFileSync(other, '')),
    'was deleted, moved or replaced',
  ],
  ['replaced by another database', (file) => replaceBy(file, makeOther), 'was deleted, moved or replaced'],
  ['overwritten by another database', (file) => overwriteBy(file, makeOther), 'is damaged'],
  [
    'moved away with its directory',
    (file) => renameSync(dirname(file), `${dirname(file)}-moved`),
    'was deleted, moved or replaced',
  ],
  ['truncated to 0', (file) => truncateSync(file, 0), 'Nothing more is written'],
  ['cut in half', (file) => truncateSync(file, 80 * 4_096), 'is damaged'],
  ['overwritten over 200 kB from its beginning', (file) => overwrite(file, 0), 'is damaged'],
  ['overwritten over 200 kB after its header', (file) => overwrite(file, 4_096), 'is damaged'],
]

function makeOther(file: string): void {
  const other = new Database(file)
  other.pragma('journal_mode = wal')
  other.exec(`create table notes (text); insert into notes values ('of the other')`)
  other.close()
}

interface Kind {
  readonly name: string
  readonly harm: (file: string) => void
  readonly says: string
  readonly events: number
}

const SOAK = process.env.SOAK === '1'
/** Most of what matters does not depend on whether the rows are in the file or in its -wal alone. */
const BOTH = SOAK ? DAMAGES.map(([name]) => name) : ['deleted alone', 'overwritten over 200 kB from its beginning']

const kinds: readonly Kind[] = times(SOAK ? 10 : 1, () => DAMAGES)
  .flat()
  .flatMap(([name, harm, says]) => [
    { name: `${name}, written back`, harm, says, events: 4_000 },
    ...(BOTH.includes(name) && name !== 'cut in half' ? [{ name: `${name}, young`, harm, says, events: 0 }] : []),
  ])

describe('a file under load', () => {
  test.concurrent.each(kinds)(
    'that was $name: no 201 after a second, and none ever after',
    async (kind) => {
      const { harm, says, events } = kind
      const file = filled(events)
      const backup = `${dirname(file)}-backup`
      copyFileSync(file, backup)
      const engine = createGamification<DefinedGame>({ game: crashGame, storage: sqlite(file), clock })
      await engine.migrate()
      let end = Number.POSITIVE_INFINITY
      const sending = sendUntil(engine, () => performance.now() > end)
      // A busy machine may take its time for the first.
      await send(engine, 'user-0')
      await sleep(200)
      harm(file)
      const harmed = performance.now()
      end = harmed + 1_300
      const answers = await sending

      const last = answers.findLastIndex(({ outcome }) => outcome === 'stored')
      expect(last).toBeGreaterThan(0)
      expect((answers[last]?.at ?? 0) - harmed).toBeLessThan(limit(1_000))
      const after = answers.slice(last + 1)
      expect(after.length).toBeGreaterThan(2)
      expect(new Set(after.map(({ outcome }) => outcome))).toEqual(new Set(['storage_unusable']))
      expect(after.at(-1)?.message).toContain(says)
      // Whatever writes is refused.
      await expect(engine.adminKeys.create()).rejects.toMatchObject({ code: 'storage_unusable' })
      await engine.close()

      rmSync(dirname(file), { recursive: true, force: true })
      mkdirSync(dirname(file))
      copyFileSync(backup, file)
      const next = createGamification<DefinedGame>({ game: crashGame, storage: sqlite(file), clock })
      await next.migrate()
      expect((await send(next, 'user-0')).total).toBe(events / 40 + 1)
      await next.close()
      expectSound(file)
    },
    60_000,
  )
})

describe('another process', () => {
  test('goes on with a sound file that is put in the place of a damaged one, beside the one that refuses', async () => {
    const file = filled(4_000)
    const engine = await open(file)
    await send(engine, 'user-0')
    overwrite(file, 0)
    await sleep(600)
    await expect(send(engine, 'user-0')).rejects.toMatchObject({ code: 'storage_unusable' })
    for (const end of ['', '-wal', '-shm']) rmSync(file + end)
    copyFileSync(templates.get(4_000) ?? '', file)
    const script = `
      const game = defineGame(args.definition)
      const gamification = createGamification({ game, storage: sqlite(args.file), clock: () => new Date(args.now) })
      await gamification.migrate()
      const { total } = await gamification.metrics.event('words', { user: { id: 'user-0' }, value: 1 })
      say(total)
      await gamification.close()`
    const args = { file, now: NOW, definition: crashGame.definition }
    expect(await runChild({ directory, script, args })).toEqual(['101'])
    await expect(send(engine, 'user-0')).rejects.toMatchObject({ code: 'storage_unusable' })
    await engine.close()
    expectSound(file)
  })
})

describe('what is no damage', () => {
  test('a WAL that is written back, VACUUM, and another connection that comes and goes', async () => {
    const file = filled(4_000)
    const storage = sqlite(file)
    const engine = await open(file, storage)
    const other = new Database(file)
    for (const text of ['pragma wal_checkpoint(truncate)', 'vacuum', 'pragma wal_checkpoint(truncate)']) {
      await send(engine, 'user-0')
      other.exec(text)
      await sleep(550)
      await send(engine, 'user-1')
    }
    other.close()
    await sleep(550)
    expect((await send(engine, 'user-1')).total).toBe(104)
    expect(await checkFold(storage)).toBe(40)
  })

  test('a database in memory has no file that could go', async () => {
    const host = new Database(':memory:')
    for (const storage of [sqlite(':memory:'), sqlite(host)]) {
      const engine = await open('', storage)
      await send(engine, 'ann')
      await sleep(550)
      expect((await send(engine, 'ann')).total).toBe(2)
    }
  })
})
