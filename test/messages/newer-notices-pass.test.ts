import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { GamificationError, type Storage } from '../../src/index.ts'
import { loadDocument } from '../../src/sql/outbox.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import { aroundQuery } from '../support/around-query.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { times, useEngines, usePlaces } from '../support/places.ts'
import { createWorld, DAILY, EVENING, NOON, PLAIN, write } from './newer-notices-world.ts'

// How users are gone through again, after a game whose notices differ.

const REMINDING = { ...PLAIN, streak: { ...DAILY, reminders: [EVENING] } }
const reminderOf = (id: string): string => `${id} emails.streak_reminder_due 2026-03-11T19:00`
const nameOf = (index: number): string => `user-${String(index).padStart(3, '0')}`

/** Notes which pages of users were asked for, and lets a test have something happen before or in place of a commit. */
function watched(storage: Storage, instead: Partial<Storage> = {}): { storage: Storage; pages: (string | null)[] } {
  const pages: (string | null)[] = []
  return {
    pages,
    storage: extendStorage(storage, (storage) => ({
      ...aroundQuery(
        (storage) => loadUserKeys(storage),
        async (run, { user }: UserKey) => {
          pages.push(user === '' ? null : user)
          return run()
        },
      )(storage),
      ...instead,
    })),
  }
}

describe('Users are gone through once more', () => {
  const start = useEngines(NOON)

  test('page by page, and whoever comes goes on where another has stopped', async () => {
    const shared = memory()
    const world = await createWorld(start, () => shared, PLAIN)
    for (const index of times(200, (each) => each)) await write(world.engine, nameOf(index))
    await world.sweepUntil('2026-03-10T14:00:00Z')
    let commits = 0
    const dying = watched(shared, {
      commit: async (...asked) => {
        commits += 1
        if (commits > 2) throw new GamificationError('unavailable', 'The process is about to die.')
        return shared.commit(...asked)
      },
    })
    const first = await world.deploy(REMINDING, dying.storage)
    world.at('2026-03-10T15:00:00Z')
    await expect(first.workOnce()).rejects.toMatchObject({ code: 'unavailable' })
    expect(dying.pages).toEqual([null, nameOf(63), nameOf(127)])
    const second = watched(shared)
    await world.sweepUntil('2026-03-11T20:00:00Z', await world.deploy(REMINDING, second.storage))
    expect(second.pages).toEqual([nameOf(127), nameOf(191)])
    expect([...world.told].sort()).toEqual(times(200, (index) => reminderOf(nameOf(index))))
    // Users may be deleted: no id stays behind.
    expect((await loadDocument(shared, 'clock', 'sweep'))?.text).not.toContain('user-')
  })
})

/** Has a user's time stand at another one than it should. */
async function misplace(storage: Storage, { tenant, user }: UserKey, due: number | null): Promise<void> {
  await storage.commit([{ tenant, user, lookups: [] }], (users) =>
    users.map(({ state, notices }) => {
      if (state === null || notices === null) return null
      const nothing = { remove: [], put: [] }
      return {
        before: state,
        after: state,
        appended: [],
        updatedEntries: [],
        awards: nothing,
        movements: nothing,
        periods: nothing,
        challenges: nothing,
        leaderboards: nothing,
        unlimited: [],
        ranks: [],
        counted: [],
        notices: { until: notices.until, due },
      }
    }),
  )
}

describe.each(usePlaces())('Verify and rebuild beside a newer game, on $name', ({ make }) => {
  const start = useEngines(NOON)
  const ANN = { tenant: '', user: 'ann' }

  test('know who has not been gone through yet, and find what is wrong before and after', async () => {
    const open = make()
    const storage = open()
    const world = await createWorld(start, open, PLAIN, storage)
    await write(world.engine)
    await world.sweepUntil('2026-03-10T14:00:00Z')
    const next = await world.deploy(REMINDING, storage)
    const midnight = Date.parse('2026-03-11T23:00:00Z')
    const evening = Date.parse('2026-03-11T19:00:00Z')
    const dueOf = async () => (await loadUser(storage, ANN)).notices?.due
    const drift = (stored: number, expected: number) => [
      { table: 'users', key: ANN, stored: { next_notice_at: stored }, expected: { next_notice_at: expected } },
    ]
    expect(await next.verify()).toMatchObject({ drift: [] })
    expect(await dueOf()).toBe(midnight)

    await misplace(storage, ANN, 7)
    expect((await next.verify()).drift).toEqual(drift(7, evening))
    await next.rebuild()
    expect(await dueOf()).toBe(evening)
    expect(await next.verify()).toMatchObject({ drift: [] })

    await misplace(storage, ANN, midnight)
    expect(await next.verify()).toMatchObject({ drift: [] })
    await world.sweepUntil('2026-03-10T16:00:00Z', next)
    expect(await dueOf()).toBe(evening)
    expect(await next.verify()).toMatchObject({ drift: [] })
    // All users are visited, so no later visit would repair a mistake.
    await misplace(storage, ANN, midnight)
    expect((await next.verify()).drift).toEqual(drift(midnight, evening))
    await next.rebuild()
    expect(await next.verify()).toMatchObject({ drift: [] })
    await world.sweepUntil('2026-03-11T20:00:00Z', next)
    expect(world.told).toEqual([reminderOf('ann')])
  })
})
