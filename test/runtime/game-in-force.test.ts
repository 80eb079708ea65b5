import { expect, test } from 'vitest'
import { judgeGame } from '../../src/runtime/game-in-force.ts'
import type { GameCause } from '../../src/storage/storage.ts'

/** Stored games in order, each as `version cause`. */
const stored = (...games: readonly string[]) =>
  games.map((text, index) => {
    const [fingerprint = '', cause = ''] = text.split(' ')
    return { epoch: index + 1, fingerprint, cause: cause as GameCause }
  })

/** A process with this game whose first read of the stored games saw this epoch as the newest. */
const process = (fingerprint: string, firstEpoch: number) => ({ fingerprint, firstEpoch })

const SECOND = 1_000
const MINUTE = 60 * SECOND
const deployed = stored('v1 start', 'v2 start')
const rolledBack = stored('v1 start', 'v2 start', 'v1 return')

test('the first process puts its game in force', () => {
  expect(judgeGame([], process('v1', 0), 0)).toEqual({ type: 'new' })
})

test('a process with a game that was never stored puts it in force at once, however busy the others are', () => {
  expect(judgeGame(deployed, process('v3', 2), 0)).toEqual({ type: 'new' })
})

test('a process with the game in force changes nothing', () => {
  expect(judgeGame(deployed, process('v2', 1), 5 * MINUTE)).toEqual({ type: 'inForce' })
})

test('an old process that still runs after a deploy, or after a migration in a pipeline, never returns its game', () => {
  expect(judgeGame(deployed, process('v1', 1), 24 * 60 * MINUTE)).toEqual({ type: 'outdated' })
  expect(judgeGame(deployed, process('v1', 0), 24 * 60 * MINUTE)).toEqual({ type: 'outdated' })
})

test('an old process that restarts in the middle of a rolling deploy waits while it sees the new ones', () => {
  expect(judgeGame(deployed, process('v1', 2), 0)).toEqual({ type: 'waiting', forMs: MINUTE })
  expect(judgeGame(deployed, process('v1', 2), 59_999)).toEqual({ type: 'waiting', forMs: 1 })
})

test('after a rollback the earlier game returns when the other was not seen for 60 seconds', () => {
  expect(judgeGame(deployed, process('v1', 2), MINUTE)).toEqual({ type: 'returning' })
})

test('a rollback over two deploys returns as well', () => {
  expect(judgeGame(stored('v1 start', 'v2 start', 'v3 start'), process('v1', 3), MINUTE)).toEqual({ type: 'returning' })
})

test('boosts and wanted messages, given after the start of a process, are no deploy', () => {
  const changed = stored('v1 start', 'v2 start', 'v2 boosts', 'v2 messages')
  expect(judgeGame(changed, process('v1', 2), MINUTE)).toEqual({ type: 'returning' })
  expect(judgeGame(changed, process('v1', 1), MINUTE)).toEqual({ type: 'outdated' })
})

test('a game that was applied by hand is a deploy: processes that ran before it never return theirs', () => {
  expect(judgeGame(stored('v1 start', 'v2 start', 'v1 apply'), process('v2', 2), 60 * MINUTE)).toEqual({
    type: 'outdated',
  })
  expect(judgeGame(stored('v1 start', 'v2 start', 'v1 apply'), process('v2', 3), MINUTE)).toEqual({ type: 'returning' })
})

test('processes of the last deploy take back what a restarted old process took while they were idle', () => {
  expect(judgeGame(rolledBack, process('v2', 1), 2 * MINUTE)).toEqual({ type: 'returning' })
  expect(judgeGame(rolledBack, process('v2', 2), 2 * MINUTE)).toEqual({ type: 'returning' })
})

test('a process of another version that started before the return waits twice as long, so that idle ones do not alternate', () => {
  expect(judgeGame(rolledBack, process('v2', 1), MINUTE)).toEqual({ type: 'waiting', forMs: MINUTE })
  const again = stored('v1 start', 'v2 start', 'v1 return', 'v2 return')
  expect(judgeGame(again, process('v1', 2), MINUTE)).toEqual({ type: 'waiting', forMs: 3 * MINUTE })
})

test('a process that started after the return waits 60 seconds', () => {
  expect(judgeGame(rolledBack, process('v2', 3), MINUTE)).toEqual({ type: 'returning' })
})

test('no process waits for more than an hour', () => {
  const often = stored('v1 start', 'v2 start', ...Array.from({ length: 20 }, (_, at) => `v${(at % 2) + 1} return`))
  expect(judgeGame(often, process('v1', 2), 60 * MINUTE - 1)).toEqual({ type: 'waiting', forMs: 1 })
  expect(judgeGame(often, process('v1', 2), 60 * MINUTE)).toEqual({ type: 'returning' })
})
