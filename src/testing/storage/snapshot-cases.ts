import { deepEqual, equal } from 'node:assert/strict'
import type { Snapshot } from '../../storage-rows.ts'
import { factsOf } from './audit-samples.ts'
import { ANN, BOB, event, eventOf, NOON, type StorageCase, store } from './samples.ts'

const snapshot = (lines: number, changes: Partial<Snapshot> = {}): Snapshot => ({
  lines,
  at: NOON + lines,
  seq: lines,
  since: 0,
  state: `{"text":"of ${lines} \\" \\u0000 lines"}`,
  ...changes,
})

const LATEST = NOON + 1_000_000

export const snapshotCases: readonly StorageCase[] = [
  {
    id: 'snapshots/newest',
    name: 'the snapshot of the most lines that end by an instant is read as it was put, and nobody else has it',
    run: async (storage) => {
      equal(await storage.readSnapshot(ANN, LATEST), null)
      const put = [snapshot(10), snapshot(20, { seq: 7, since: 3 }), snapshot(30)]
      await store(storage, ANN, { appended: [event(1)], snapshots: { after: null, put } })
      await store(storage, BOB, { appended: [eventOf(BOB, 1)], snapshots: { after: null, put: [snapshot(25)] } })
      equal(await storage.readSnapshot(ANN, NOON + 9), null)
      deepEqual(await storage.readSnapshot(ANN, NOON + 10), snapshot(10))
      deepEqual(await storage.readSnapshot(ANN, NOON + 29), snapshot(20, { seq: 7, since: 3 }))
      deepEqual(await storage.readSnapshot(ANN, LATEST), snapshot(30))
      deepEqual(await storage.readSnapshot(BOB, LATEST), snapshot(25))
      equal(await storage.readSnapshot({ ...ANN, tenant: 'other' }, LATEST), null)
    },
  },
  {
    id: 'snapshots/removed-after',
    name: 'snapshots of more lines are removed before others are put, and one that is there is replaced',
    run: async (storage) => {
      const put = [snapshot(10), snapshot(20), snapshot(30)]
      await store(storage, ANN, { appended: [event(1)], snapshots: { after: null, put } })
      await store(storage, BOB, { appended: [eventOf(BOB, 1)], snapshots: { after: null, put } })
      const other = snapshot(20, { state: 'other', at: NOON })
      await store(storage, ANN, { appended: [event(2)], snapshots: { after: 10, put: [other] } })
      deepEqual(await storage.readSnapshot(ANN, LATEST), other)
      await store(storage, ANN, { appended: [event(3)], snapshots: { after: 10, put: [] } })
      deepEqual(await storage.readSnapshot(ANN, LATEST), snapshot(10))
      await store(storage, ANN, { appended: [event(4)], snapshots: { after: null, put: [snapshot(10, { seq: 4 })] } })
      deepEqual(await storage.readSnapshot(ANN, LATEST), snapshot(10, { seq: 4 }))
      await store(storage, ANN, { appended: [event(5)], snapshots: { after: 0, put: [] } })
      equal(await storage.readSnapshot(ANN, LATEST), null)
      deepEqual(await storage.readSnapshot(BOB, LATEST), snapshot(30))
    },
  },
  {
    id: 'snapshots/audit',
    name: 'a snapshot that the facts do not have is told, one that is not stored is not, and a repair stores all',
    run: async (storage) => {
      const put = [snapshot(10), snapshot(20), snapshot(40)]
      await store(storage, ANN, { appended: [event(1)], snapshots: { after: null, put } })
      const known = await factsOf(storage, ANN)
      const right = [snapshot(10), snapshot(20), snapshot(30), snapshot(40)]
      const sound = await storage.audit(ANN, { ...known, snapshots: right })
      deepEqual([sound.drift, sound.snapshots], [[], 3])

      const facts = { ...known, snapshots: [snapshot(10), snapshot(20, { state: 'other' }), snapshot(30)] }
      const { drift, version } = await storage.audit(ANN, facts)
      const told = drift.map(({ table, key, stored, expected }) => {
        return [table, key.lines, stored?.state ?? null, expected?.state ?? null]
      })
      deepEqual(told, [
        ['snapshots', 20, snapshot(20).state, 'other'],
        ['snapshots', 40, snapshot(40).state, null],
      ])
      equal(await storage.repair(ANN, facts, version), true)
      const mended = await storage.audit(ANN, facts)
      deepEqual([mended.drift, mended.snapshots], [[], 3])
      deepEqual(await storage.readSnapshot(ANN, LATEST), snapshot(30))
    },
  },
  {
    id: 'snapshots/removed',
    name: 'a removed user has no snapshots, and who comes again under the id has none',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)], snapshots: { after: null, put: [snapshot(10)] } })
      await store(storage, BOB, { appended: [eventOf(BOB, 1)], snapshots: { after: null, put: [snapshot(10)] } })
      equal(await storage.removeUser(ANN), 'removed')
      equal(await storage.readSnapshot(ANN, LATEST), null)
      await store(storage, ANN, { appended: [event(1)] })
      equal(await storage.readSnapshot(ANN, LATEST), null)
      deepEqual(await storage.readSnapshot(BOB, LATEST), snapshot(10))
    },
  },
]
