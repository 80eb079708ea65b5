// A process that deletes users and is killed. SOAK=1: twenty of them.

import { beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { compiled } from '../support/compiled.ts'
import { useEngines } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { runAndKill } from './child.ts'
import { crashGame } from './crash-game.ts'
import { expectSound, onCopy } from './evidence.ts'
import { createRandom, seedOfSoak } from './random.ts'

const KILLS = process.env.SOAK === '1' ? 20 : 3
const SEED = seedOfSoak(1)
const NOW = '2026-06-01T12:00:00.000Z'
const USERS = 400

const nextFile = useDatabaseFiles()
const start = useEngines(NOW)
let directory = ''

beforeAll(() => {
  directory = compiled()
}, 60_000)

const SCRIPT = `
  const clock = () => new Date(args.now)
  const engine = createGamification({ game: defineGame(args.definition), storage: sqlite(args.file), clock })
  await engine.migrate()
  for (const id of args.ids) {
    say('begun ' + id)
    await engine.users.delete(id, { keep: id.endsWith('7') ? 'anonymous' : 'nothing' })
    say('done ' + id)
  }
  await engine.close()
`

test(`a process that deletes users and is killed has deleted each of them or not (seed ${SEED})`, async () => {
  const random = createRandom(SEED)
  const file = nextFile()
  const engine = await start(crashGame, sqlite(file))
  for (let n = 0; n < USERS; n += 1) {
    await engine.metrics.event('words', { user: { id: `user-${n}` }, value: 1 + (n % 9) })
    await engine.metrics.event('words', { user: { id: `user-${n}` }, value: 2 })
  }
  await engine.close()

  for (let run = 0; run < KILLS; run += 1) {
    const storage = sqlite(file)
    const ids = (await storage.listUsers()).map(({ user }) => user).filter((user) => user.startsWith('user-'))
    await storage.close()
    const heard: string[] = []
    const enough = random.whole(5, 60)
    const args = { file, now: NOW, definition: crashGame.definition, ids }
    const options = { directory, script: SCRIPT, args, onLine: (line: string) => void heard.push(line) }
    expect(await runAndKill(options, () => heard.length >= enough, random.whole(0, 5))).toBe('killed')

    await onCopy(file, async (copy) => {
      expectSound(copy)
      const looking = sqlite(copy)
      const look = await start(crashGame, looking)
      expect(await look.verify()).toMatchObject({ drift: [] })
      expect(await looking.listOwners()).toEqual(await looking.listUsers())
      const left = new Set((await looking.listUsers()).map(({ user }) => user))
      const done = heard.filter((line) => line.startsWith('done ')).map((line) => line.slice(5))
      expect(done.filter((id) => left.has(id))).toEqual([])
      // At most the one that was under way is gone without an answer.
      expect(ids.filter((id) => !left.has(id)).length - done.length).toBeLessThanOrEqual(1)
      await look.close()
    })
  }
}, 300_000)
