import { deepEqual, equal, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../errors.ts'
import type { HeldStorage, Storage, UserView } from '../../storage.ts'
import { ANN, BOB, event, NOON, readState, rejectsWith, type StorageCase, saveOf, store } from './samples.ts'

/** Goes on when it is known, at once where it is known at once. */
function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Appends an entry to the log of ann on what is read there. */
function append(held: HeldStorage, name: string): UserView | Promise<UserView> {
  return then(held.lockUser(ANN), (view) => {
    const seq = (view.state?.seq ?? 0) + 1
    const save = saveOf(view, { appended: [event(seq, { id: `${name}-${seq}`, at: NOON + seq })] })
    return then(held.save(ANN, view, save), (ranks) => {
      deepEqual(ranks, [])
      return view
    })
  })
}

/** Appends an entry once nobody holds ann; bob is only read. */
async function write(storage: Storage): Promise<void> {
  const requests = [ANN, BOB].map((key) => ({ ...key, lookups: [] }))
  for (;;) {
    const { failures } = await storage.commit(requests, (users) =>
      users.map((user) => {
        const seq = (user.state?.seq ?? 0) + 1
        return user.user === 'ann' ? saveOf(user, { appended: [event(seq, { at: NOON + seq })] }) : null
      }),
    )
    const [failure] = failures
    if (failure === undefined) return
    if (failure.held === undefined) throw failure.error
    await sleep(5)
  }
}

export const holdCases: readonly StorageCase[] = [
  {
    id: 'hold/stored',
    name: 'what is saved while a user is held is stored when it is done, and what was asked is answered',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)] })
      const view = await storage.hold((held) => append(held, 'held'))
      equal(view.state?.seq, 1)
      equal((await readState(storage, ANN)).seq, 2)
      const lines = await storage.hold((held) => held.readLog(ANN))
      deepEqual(
        lines.map(({ seq }) => seq),
        [1, 2],
      )
      await store(storage, ANN, { appended: [event(3)] })
      equal((await readState(storage, ANN)).seq, 3)
    },
  },
  {
    id: 'hold/undone',
    name: 'nothing is stored where what is done while a user is held throws, and a refusal is thrown on',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)] })
      const own = new GamificationError('limit_exceeded', 'No.')
      const failing = storage.hold((held) =>
        then(append(held, 'held'), () => {
          throw own
        }),
      )
      await rejects(failing, own)
      equal((await readState(storage, ANN)).seq, 1)
      await store(storage, ANN, { appended: [event(2)] })
      equal((await readState(storage, ANN)).seq, 2)
    },
  },
  {
    id: 'hold/waits',
    name: 'where the storage answers at once, what waits while a user is held is refused, and nothing of it is stored',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)] })
      const isAtOnce = await storage.hold((held) => {
        const locked = held.lockUser(ANN)
        return then(locked, () => !(locked instanceof Promise))
      })
      const waiting = storage.hold(async (held) => {
        const view = await held.lockUser(ANN)
        await held.save(ANN, view, saveOf(view, { appended: [event(2)] }))
      })
      if (isAtOnce) await rejectsWith('internal', waiting)
      else await waiting
      await sleep(5)
      equal((await readState(storage, ANN)).seq, isAtOnce ? 1 : 2)
    },
  },
  {
    id: 'hold/rejects',
    name: 'nothing is stored where the promise of what is done while a user is held rejects',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)] })
      const failing = storage.hold(async (held) => {
        await append(held, 'held')
        throw new GamificationError('limit_exceeded', 'No.')
      })
      await rejects(failing)
      await sleep(5)
      equal((await readState(storage, ANN)).seq, 1)
    },
  },
  {
    id: 'hold/alone',
    name: 'nobody else writes to a user who is held, and everybody does after that',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)] })
      const holding = Array.from({ length: 8 }, (_, index) => storage.hold((held) => append(held, `held-${index}`)))
      const writing = Array.from({ length: 8 }, () => write(storage))
      const [views] = [await Promise.all(holding), await Promise.all(writing)]
      equal(new Set(views.map(({ state }) => state?.seq)).size, 8)
      equal((await readState(storage, ANN)).seq, 17)
      deepEqual(
        (await storage.readLog(ANN)).map(({ seq }) => seq),
        Array.from({ length: 17 }, (_, index) => index + 1),
      )
    },
  },
  {
    id: 'hold/removed',
    name: 'a user who is removed while held is gone when it is done, and stays where it throws',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)] })
      const failing = storage.hold((held) =>
        then(held.lockUser(ANN), ({ version }) =>
          then(held.removeUser(ANN, { version }), (outcome) => {
            equal(outcome, 'removed')
            throw new GamificationError('limit_exceeded', 'No.')
          }),
        ),
      )
      await rejectsWith('limit_exceeded', failing)
      equal((await readState(storage, ANN)).seq, 1)
      const outcomes = await storage.hold((held) =>
        then(held.lockUser(ANN), ({ version }) =>
          then(held.removeUser(ANN, { version: version + 1 }), (other) =>
            then(held.removeUser(ANN, { version }), (own) => [other, own]),
          ),
        ),
      )
      deepEqual(outcomes, ['changed', 'removed'])
      equal((await storage.readUser(ANN)).state, null)
      deepEqual(await storage.readLog(ANN), [])
    },
  },
]
