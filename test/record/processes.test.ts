// @heavy: It starts processes.
// Several processes on one SQLite file. SOAK=1 runs more of them, for longer.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { loadGames } from '../../src/sql/games.ts'
import { loadCounters } from '../../src/sql/queries.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { compiled } from '../support/compiled.ts'
import { wholeLog } from '../support/fold.ts'
import { times, useEngines } from '../support/places.ts'
import { raceGame } from '../support/race-game.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const SOAK = process.env.SOAK === '1'
const PROCESSES = SOAK ? 8 : 4
const OWN = SOAK ? 1_500 : 60
const SHARED = SOAK ? 300 : 20
const USERS = 5
let directory = ''

const nextFile = useDatabaseFiles()
const start = useEngines('2026-03-10T12:00:00.000Z')

interface Report {
  /** Keys that were new to this process. */
  readonly fresh: readonly string[]
  /** Codes and messages of what was rejected. */
  readonly errors: readonly string[]
  /** The handlers' events, as `user achievement`. */
  readonly completed: readonly string[]
  /** Sum of `added` over all answers. */
  readonly added: number
}

/** The work of every process with an engine, `send` and `report`; `args` comes from the test. */
const PRELUDE = `
  import { createGamification } from './src/gamification.js'
  import { defineGame } from './src/game/define-game.js'
  import { sqlite } from './adapters/sqlite/index.js'
  const args = JSON.parse(process.argv[1])
  const game = defineGame(args.definition)
  const storage = sqlite(args.file, { synchronous: 'NORMAL' })
  const engine = createGamification({ game, storage, clock: () => new Date('2026-03-10T12:00:00.000Z') })
  const report = { fresh: [], errors: [], completed: [], added: 0 }
  engine.on('achievement.completed', ({ user, achievement }) => report.completed.push(user.id + ' ' + achievement.key))
  async function send(user, value, idempotencyKey, more = {}) {
    try {
      const answer = await engine.metrics.event('words', { user: { id: user }, value, idempotencyKey, ...more })
      if (!answer.idempotentReplayed) report.fresh.push(user + ' ' + idempotencyKey)
      report.added += answer.points.xp?.added ?? 0
    } catch (error) {
      report.errors.push(error.code + ': ' + error.message)
    }
  }
  async function inWaves(calls) {
    while (calls.length > 0) await Promise.all(calls.splice(0, 16).map((call) => call()))
  }
  await engine.migrate()
  await new Promise((resolve) => setTimeout(resolve, args.startAt - Date.now()))
`

interface Args {
  readonly file: string
  readonly [name: string]: unknown
}

/** Runs one process for each of `args`, all starting at about the same moment. */
async function runAll(script: string, all: readonly Args[]): Promise<readonly Report[]> {
  const startAt = Date.now() + 600
  const run = promisify(execFile)
  const runs = all.map(async (args) => {
    const text = JSON.stringify({ definition: raceGame.definition, startAt, ...args })
    const options = { cwd: directory, maxBuffer: 2 ** 28 }
    const source = `${PRELUDE}${script}\nawait engine.close()\nconsole.log(JSON.stringify(report))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source, text], options)
    const report: Report = JSON.parse(stdout)
    return report
  })
  return Promise.all(runs)
}

async function eventCount(storage: Storage, user: string): Promise<number> {
  const log = await wholeLog(storage, { tenant: '', user })
  return log.filter(({ kind }) => kind === 'eventRecorded').length
}

describe('several processes on one file', () => {
  // Once: the sources may change while the tests run.
  beforeAll(() => {
    directory = compiled()
  }, 60_000)

  test('lose no event, have each key new exactly once, and never tell a caller that the file was busy', async () => {
    const file = nextFile()
    const reports = await runAll(
      `await inWaves(Array.from({ length: args.users * (args.own + args.shared) }, (_, i) => () => {
        const user = 'user-' + (i % args.users)
        const n = Math.floor(i / args.users)
        return n < args.shared ? send(user, 10, 'shared-' + n) : send(user, 1, 'own-' + args.index + '-' + n)
      }))`,
      times(PROCESSES, (index) => ({ file, index, users: USERS, own: OWN, shared: SHARED })),
    )
    expect(reports.flatMap(({ errors }) => errors)).toEqual([])

    const fresh = reports.flatMap((report) => report.fresh)
    expect(new Set(fresh).size).toBe(fresh.length)
    expect(fresh.filter((key) => key.includes('shared'))).toHaveLength(USERS * SHARED)
    expect(fresh.filter((key) => key.includes('own'))).toHaveLength(USERS * PROCESSES * OWN)

    const storage = sqlite(file)
    const engine = await start(raceGame, storage)
    const total = SOAK ? 8 * 1_500 + 300 * 10 : 4 * 60 + 20 * 10
    // 7 for the user, 5 for each ten words, 100 for the achievement.
    const points = 7 + total / 2 + 100
    for (const user of times(USERS, (index) => `user-${index}`)) {
      expect((await engine.users.singleMetric(user, 'words')).current).toBe(total)
      expect(await eventCount(storage, user)).toBe(SOAK ? 12_300 : 260)
      const view = await loadUser(storage, { tenant: '', user }, { awards: {} })
      expect(view.state?.seq).toBe(SOAK ? 12_300 : 260)
      expect(view.state?.points.get('xp')?.total).toBe(points)
      expect(view.awards.reduce((sum, { awarded }) => sum + awarded, 0)).toBe(points)
    }
    expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(points * USERS)
    const completed = reports.flatMap((report) => report.completed).sort()
    const once = times(USERS, (index) => [
      `user-${index} first`,
      `user-${index} hundred`,
      `user-${index} three-hundred`,
    ])
    expect(completed).toEqual(once.flat().sort())
    expect(await loadCounters(storage, '')).toContainEqual({ kind: 'users', key: '', count: USERS })
    expect(await loadCounters(storage, '')).toContainEqual({ kind: 'completions', key: 'hundred', count: USERS })
    expect((await loadGames(storage)).map(({ epoch }) => epoch)).toEqual([1])
  }, 300_000)
})
