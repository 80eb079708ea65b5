// One user to whom 32 callers of two processes write at once is never paid a point above a cap. SOAK=1: a million events.

import { beforeAll, describe, expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import { compiled, runCompiled } from '../support/compiled.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { SOAK } from '../support/zones.ts'

const EVENTS = SOAK ? 1_000_000 : 6_000
const CALLERS = 16
const AT = '2026-03-10T12:00:00.000Z'
const HOUR = 3_600_000
/** A late event at the beginning of a long log, to which another process writes all the time, keeps others waiting. */
const DEADLINE_MS = 120_000

const definition = {
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  points: {
    xp: {
      name: 'XP',
      cap: { points: 1_000, per: 'week' },
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 3, cap: { points: 100, per: 'day' } },
        { type: 'metric', metric: 'laps', threshold: 1, points: 7, cooldown: { minutes: 60 } },
      ],
    },
  },
} as const

/** Both kinds of event in turns; three of each process are of an earlier hour. */
const script = `
  import { sqlite } from './adapters/sqlite/index.js'
  import { postgres } from './adapters/postgres/index.js'
  import { createGamification, defineGame } from './src/index.js'

  const [url, place, count, which] = process.argv.slice(1)
  const storage = url === '' ? sqlite(place) : postgres(url, { schema: place, deadlineMs: ${DEADLINE_MS} })
  const game = defineGame(${JSON.stringify(definition)})
  const engine = createGamification({ game, storage, clock: () => new Date('${AT}') })
  let sent = 0
  await Promise.all(Array.from({ length: ${CALLERS} }, async () => {
    while (sent < Number(count)) {
      sent += 1
      const hours = sent % Math.ceil(count / 3.5) === 0 ? 1 + (sent + Number(which)) % 9 : 0
      const occurredAt = new Date(Date.parse('${AT}') - hours * ${HOUR})
      await engine.metrics.event(sent % 4 === 0 ? 'laps' : 'words', { user: { id: 'ann' }, value: 1, ...(hours > 0 && { occurredAt }) })
    }
  }))
  await engine.close()
  process.stdout.write(String(sent))
`

const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()

beforeAll(() => void compiled(), 60_000)

describe.each([
  ['SQLite', () => ['', nextFile()] as const],
  ['Postgres', () => [databaseUrl(), nextSchema()] as const],
])('On %s', (_, open) => {
  test(
    `${EVENTS} events of one user are paid up to the caps`,
    async () => {
      const [url, place] = open()
      const storage = url === '' ? sqlite(place) : postgres(url, { schema: place })
      const clock = (): Date => new Date(AT)
      const engine = createGamification({ game: defineGame(definition), storage, clock })
      await engine.migrate()
      const began = performance.now()
      const each = String(EVENTS / 2)
      const finished = await Promise.all(['0', '1'].map((which) => runCompiled(script, url, place, each, which)))
      const seconds = (performance.now() - began) / 1_000
      process.stdout.write(`${Math.round(EVENTS / seconds)} events a second\n`)

      expect(finished.map(({ stdout }) => Number(stdout))).toEqual([EVENTS / 2, EVENTS / 2])
      const [words, laps] = await Promise.all(
        ['words', 'laps'].map((key) => engine.users.singleMetric('ann', key as 'words')),
      )
      expect((words?.current ?? 0) + (laps?.current ?? 0)).toBe(EVENTS)
      const { total, awards } = await engine.users.points('ann', 'xp', { awards: 100 })
      const paid = { Words: 0, Laps: 0 }
      for (const { awarded, trigger } of awards) paid[trigger.metricName as keyof typeof paid] += awarded
      // Laps are paid an hour apart: at most once in each of the hours from three to twelve.
      expect(paid.Words).toBe(100)
      expect(paid.Laps % 7).toBe(0)
      expect(paid.Laps).toBeLessThanOrEqual(70)
      expect(total).toBe(paid.Words + paid.Laps)
      expect(await engine.verify()).toMatchObject({ drift: [] })
      await engine.close()
    },
    SOAK ? 3_000_000 : 1_200_000,
  )
})
