// @heavy: It starts processes and kills them.
// Processes that send single events and are killed. SOAK=1: forty of them.

import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { compiled } from '../support/compiled.ts'
import { useEngines } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { runAndKill } from './child.ts'
import { crashGame } from './crash-game.ts'
import { EVENTS_SCRIPT } from './events-child.ts'
import { expectFolded, expectSound, keysIn, lookInto, onCopy } from './evidence.ts'
import { createRandom, seedOfSoak } from './random.ts'

const SOAK = process.env.SOAK === '1'
const KILLS = SOAK ? 20 : 2
const SEED = seedOfSoak(1)
const NOW = '2026-06-01T12:00:00.000Z'

const nextFile = useDatabaseFiles()
const start = useEngines(NOW)
let directory = ''

beforeAll(() => {
  directory = compiled()
}, 60_000)

describe.each(['NORMAL', 'FULL'] as const)('a process that sends single events with synchronous %s', (synchronous) => {
  test(`and is killed loses no event that was answered, and leaves the file sound (seed ${SEED})`, async () => {
    const random = createRandom(SEED)
    const file = nextFile()
    const answered = new Set<string>()
    for (let run = 0; run < KILLS; run += 1) {
      const args = { file, synchronous, run, now: NOW, most: Number.MAX_SAFE_INTEGER, definition: crashGame.definition }
      const enough = answered.size + random.whole(100, 500)
      const onLine = (key: string): void => void answered.add(`words ${key}`)
      const isDue = (): boolean => answered.size >= enough
      const options = { directory, script: EVENTS_SCRIPT, args, onLine }
      expect(await runAndKill(options, isDue, random.whole(0, 10))).toBe('killed')

      await onCopy(file, async (copy) => {
        expectSound(copy)
        const stored = keysIn(copy)
        expect([...answered].filter((key) => !stored.has(key))).toEqual([])
        // At most eight were under way when each process was killed.
        expect(stored.size - answered.size).toBeLessThanOrEqual(8 * (run + 1))
        expect(await expectFolded(copy)).toBe(7)
      })
    }

    const engine = await start(crashGame, sqlite(file, { synchronous }))
    const counts = lookInto(file, (database) =>
      database
        .prepare<[], { user: string; events: number }>(
          'select user_id as user, count(*) as events from laurels_view_log group by user_id order by user_id',
        )
        .all(),
    )
    expect(counts).toHaveLength(7)
    for (const { user, events } of counts) {
      expect((await engine.users.singleMetric(user, 'words')).current).toBe(2 * events)
    }
    const again = { user: { id: 'user-0' }, value: 2, idempotencyKey: '0-0' }
    expect(await engine.metrics.event('words', again)).toMatchObject({ idempotentReplayed: true })
    process.stdout.write(`processes with single events killed (${synchronous}): ${KILLS}, answered: ${answered.size}\n`)
  }, 600_000)
})
