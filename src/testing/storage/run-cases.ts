import { deepEqual, equal } from 'node:assert/strict'
import type { Storage } from '../../storage.ts'
import { enter, RUN, row } from './leaderboard-samples.ts'
import { NAMES, ORDERED } from './names.ts'
import { NOON, type StorageCase } from './samples.ts'

const LONG = 'x'.repeat(900)
const EVERYTHING = { limit: 1_000, at: NOON, most: 100 }

const groupsOf = async (storage: Storage, options: Partial<typeof EVERYTHING> & { readonly after?: string } = {}) =>
  (await storage.leaderboardGroups('', 'weekly', RUN, { ...EVERYTHING, ...options })).map(({ group, users }) => [
    group,
    users,
  ])

export const runCases: readonly StorageCase[] = [
  {
    id: 'overview/runs',
    name: 'runs of a leaderboard are those with an entry, each once, the highest first and below the given text',
    run: async (storage) => {
      const in_ = (run: string, changes = {}) => row(1, { run, ...changes })
      await enter(storage, {
        ann: {
          put: [
            in_('2026-01-05 a'),
            in_('2026-01-12 a'),
            in_('2026-01-19 b'),
            in_('2026-02-01 z', { leaderboard: 'other' }),
          ],
        },
        bob: { put: [in_('2026-01-12 a', { group: 'g' }), in_('2026-01-19 b')] },
        eve: { tenant: 'acme', put: [in_('2026-03-01 a')] },
      })
      const runs = ['2026-01-19 b', '2026-01-12 a', '2026-01-05 a']
      deepEqual(await storage.leaderboardRuns('', 'weekly'), runs)
      deepEqual(await storage.leaderboardRuns('', 'weekly', { limit: 2 }), runs.slice(0, 2))
      deepEqual(await storage.leaderboardRuns('', 'weekly', { before: '2026-01-19' }), runs.slice(1))
      deepEqual(await storage.leaderboardRuns('', 'weekly', { before: '2026-01-19 b', limit: 1 }), ['2026-01-12 a'])
      deepEqual(await storage.leaderboardRuns('', 'weekly', { before: '2026-01-05 a' }), [])
      deepEqual(await storage.leaderboardRuns('acme', 'weekly'), ['2026-03-01 a'])
      deepEqual(await storage.leaderboardRuns('', 'none'), [])
    },
  },
  {
    id: 'overview/groups',
    name: 'groups of a run are counted without who has expired, no further than asked for, and known by their whole text',
    run: async (storage) => {
      await enter(storage, {
        ann: { put: [row(1, { group: 'a' }), row(1, { group: 'old', run: '2025-01-01 a' })] },
        bob: { put: [row(2, { group: 'a', until: NOON })] },
        cid: { put: [row(3, { group: LONG, until: NOON + 1 })] },
        dan: { put: [row(3, { group: LONG })] },
        eve: { put: [row(3, { group: LONG })] },
        fay: { tenant: 'acme', put: [row(3, { group: 'b' })] },
      })
      deepEqual(
        new Map((await groupsOf(storage)) as [string, number][]),
        new Map([
          ['a', 1],
          [LONG, 3],
        ]),
      )
      deepEqual(
        new Map((await groupsOf(storage, { most: 2 })) as [string, number][]),
        new Map([
          ['a', 1],
          [LONG, 2],
        ]),
      )
      deepEqual(await storage.leaderboardGroups('', 'weekly', 'none', EVERYTHING), [])
      equal(await storage.countEntries('', 'weekly', RUN, { at: NOON, most: 100 }), 4)
      equal(await storage.countEntries('', 'weekly', RUN, { at: NOON + 1, most: 100 }), 3)
      equal(await storage.countEntries('', 'weekly', RUN, { at: NOON, most: 2 }), 2)
      equal(await storage.countEntries('', 'weekly', 'none', { at: NOON, most: 2 }), 0)
    },
  },
  {
    id: 'overview/groups-pages',
    name: 'groups come page by page in order of the bytes of their places, the empty one first',
    run: async (storage) => {
      const groups = ['', ...ORDERED]
      await enter(
        storage,
        Object.fromEntries(groups.map((group, index) => [`u-${index}`, { put: [row(1, { group })] }])),
      )
      const found: string[] = []
      for (let after: string | undefined; ; ) {
        const options = { ...EVERYTHING, limit: 4, ...(after === undefined ? {} : { after }) }
        const page = await storage.leaderboardGroups('', 'weekly', RUN, options)
        found.push(...page.map(({ group }) => group))
        after = page.at(-1)?.place
        if (after === undefined) break
      }
      deepEqual(found, groups)
    },
  },
  {
    id: 'overview/groups-names',
    name: 'groups and leaderboards of any name are told apart',
    run: async (storage) => {
      await enter(storage, {
        ...Object.fromEntries(NAMES.map((group, index) => [`u-${index}`, { put: [row(1, { group })] }])),
        ann: { put: [row(1, { leaderboard: LONG, run: '2026-01-05 a', group: LONG })] },
      })
      deepEqual(new Set((await groupsOf(storage)).map(([group]) => group)), new Set(NAMES))
      deepEqual(await storage.leaderboardRuns('', LONG), ['2026-01-05 a'])
      const [group] = await storage.leaderboardGroups('', LONG, '2026-01-05 a', EVERYTHING)
      deepEqual([group?.group, group?.users], [LONG, 1])
      equal(await storage.countEntries('', LONG, '2026-01-05 a', { at: NOON, most: 9 }), 1)
    },
  },
]
