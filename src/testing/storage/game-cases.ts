import { deepEqual, equal } from 'node:assert/strict'
import type { StoredGame } from '../../storage.ts'
import { ANN, NOON, rejectsWith, type StorageCase } from './samples.ts'

const game = (epoch: number, changes: Partial<StoredGame> = {}): StoredGame => ({
  epoch,
  fingerprint: `fingerprint-${epoch}`,
  definition: `{"metrics":{"words":{"name":"Wörter 🎉 ${epoch}"}}}`,
  policy: 'forward',
  createdAt: NOON + epoch,
  ...changes,
})

export const gameCases: readonly StorageCase[] = [
  {
    id: 'game/migrate-again',
    name: 'migrating again changes nothing and says so',
    run: async (storage) => {
      await storage.addGame(game(1))
      deepEqual(await storage.migrate(), { applied: [] })
      deepEqual(await storage.games(), [game(1)])
    },
  },
  {
    id: 'game/order',
    name: 'games come back in order of their epochs as they were stored',
    run: async (storage) => {
      deepEqual(await storage.games(), [])
      const games = [game(1), game(2, { policy: 'grant' }), game(3, { policy: 'recompute', fingerprint: 'other' })]
      for (const each of games) equal(await storage.addGame(each), true)
      deepEqual(await storage.games(), games)
    },
  },
  {
    id: 'game/epoch-known',
    name: 'an epoch that is there already is not replaced',
    run: async (storage) => {
      await storage.addGame(game(1))
      equal(await storage.addGame(game(1, { definition: '{}' })), false)
      deepEqual(await storage.games(), [game(1)])
    },
  },
  {
    id: 'game/epoch-gap',
    name: 'an epoch that does not follow the newest one rejects',
    run: async (storage) => {
      await rejectsWith('internal', storage.addGame(game(2)))
      deepEqual(await storage.games(), [])
    },
  },
  {
    id: 'game/epoch-race',
    name: 'of sixteen callers with the same epoch exactly one stores its game',
    run: async (storage) => {
      const callers = Array.from({ length: 16 }, (_, index) => game(1, { definition: `{"caller":${index}}` }))
      const answers = await Promise.all(callers.map((each) => storage.addGame(each)))
      equal(answers.filter(Boolean).length, 1)
      deepEqual(await storage.games(), [callers[answers.indexOf(true)]])
    },
  },
  {
    id: 'game/newest-epoch',
    name: 'the newest epoch is told when users are loaded and read',
    run: async (storage) => {
      await storage.addGame(game(1))
      await storage.addGame(game(2))
      equal((await storage.readUser(ANN)).epoch, 2)
      await storage.commit([{ ...ANN, lookups: [] }], (_, epoch) => {
        equal(epoch, 2)
        return [null]
      })
    },
  },
]
