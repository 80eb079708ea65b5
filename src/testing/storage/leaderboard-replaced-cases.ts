import { deepEqual } from 'node:assert/strict'
import { enter, idsOf, row } from './leaderboard-samples.ts'
import type { StorageCase } from './samples.ts'

export const leaderboardReplacedCases: readonly StorageCase[] = [
  {
    id: 'leaderboard/replaced',
    name: 'an entry that one save removes and puts is counted once',
    run: async (storage) => {
      const unlimited = ['weekly']
      await enter(storage, {
        ann: { put: [row(3)], unlimited },
        bob: { put: [row(4)], unlimited },
        cid: { put: [row(1)], unlimited },
      })
      await enter(storage, { ann: { remove: [row(3)], put: [row(5)], unlimited } })
      deepEqual(await idsOf(storage, {}), ['ann', 'bob', 'cid'])
      for (const group of await storage.listBlockGroups()) deepEqual(await storage.auditBlocks(group), [])
    },
  },
]
