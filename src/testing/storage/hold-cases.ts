import { deepEqual, equal, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../errors.ts'
import type { Entry } from '../../rules/entry.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { HeldStorage, Storage, UserView } from '../../storage/storage.ts'
import { column, range, readState, rejectsWith, request, type StorageCase, saveOf, store, test } from './case.ts'
import { ANN, BOB, event, eventOf, NOON, ORDERED } from './samples.ts'

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
  const requests = [ANN, BOB].map(request)
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
  test('hold/stored: what is saved while a user is held is stored when it is done, and what was asked is answered', async (storage) => {
    await store(storage, ANN, { appended: [event(1)] })
    const view = await storage.hold((held) => append(held, 'held'))
    equal(view.state?.seq, 1)
    equal((await readState(storage, ANN)).seq, 2)
    const lines = await storage.hold((held) => held.readLog(ANN))
    deepEqual(column(lines, 'seq'), [1, 2])
    await store(storage, ANN, { appended: [event(3)] })
    equal((await readState(storage, ANN)).seq, 3)
  }),
  test('hold/undone: nothing is stored where what is done while a user is held throws, and a refusal is thrown on', async (storage) => {
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
  }),
  test('hold/waits: where the storage answers at once, what waits while a user is held is refused, and nothing of it is stored', async (storage) => {
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
  }),
  test('hold/rejects: nothing is stored where the promise of what is done while a user is held rejects', async (storage) => {
    await store(storage, ANN, { appended: [event(1)] })
    const failing = storage.hold(async (held) => {
      await append(held, 'held')
      throw new GamificationError('limit_exceeded', 'No.')
    })
    await rejects(failing)
    await sleep(5)
    equal((await readState(storage, ANN)).seq, 1)
  }),
  test('hold/alone: nobody else writes to a user who is held, and everybody does after that', async (storage) => {
    await store(storage, ANN, { appended: [event(1)] })
    const holding = Array.from({ length: 8 }, (_, index) => storage.hold((held) => append(held, `held-${index}`)))
    const writing = Array.from({ length: 8 }, () => write(storage))
    const [views] = [await Promise.all(holding), await Promise.all(writing)]
    equal(new Set(views.map(({ state }) => state?.seq)).size, 8)
    equal((await readState(storage, ANN)).seq, 17)
    deepEqual(column(await storage.readLog(ANN), 'seq'), range(17))
  }),
  test('hold/removed: a user who is removed while held is gone when it is done, and stays where it throws', async (storage) => {
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
  }),
]

function held(key: Pick<UserKey, 'user'>, seq: number, at?: number): Entry {
  const id = `${key.user}-${seq}`
  return eventOf(key, seq, { id, voidedBy: id, ...(at === undefined ? {} : { at }) })
}

const idsOf = async (storage: Storage, ...args: Parameters<Storage['heldEvents']>): Promise<readonly string[]> =>
  (await storage.heldEvents(...args)).map(({ event: { id } }) => id)

export const heldCases: readonly StorageCase[] = [
  test('held/line: an event is appended held back, and adds nothing to what is read of events', async (storage) => {
    const line = event(2, {
      id: 'h',
      voidedBy: 'h',
      value: 7,
      idempotencyKey: 'k',
      attributes: new Map([['a', 'b']]),
    })
    await store(storage, ANN, { appended: [event(1), line] })
    deepEqual(await storage.readLog(ANN), [event(1), line])
    deepEqual(await storage.heldEvents(''), [{ user: 'ann', event: line }])
    const date = 20_513
    deepEqual((await storage.readValues(ANN, 'words')).values, [{ at: NOON + 1, seq: 1, date, value: 1 }])
    deepEqual((await storage.readEvents(ANN)).events.length, 1)
    deepEqual((await storage.eventValues('')).values, [{ user: 'ann', key: 'words', date, value: 1 }])
    const lookups = [{ metric: 'words', idempotencyKey: 'k' }]
    deepEqual((await storage.readUser(ANN, { lookups })).found, ['h'])
  }),
  test('held/approved: a line that is held back counts once it is stored without its void, and is void once it has another', async (storage) => {
    const voided = eventOf(ANN, 2, { voidedBy: 'void' })
    await store(storage, ANN, { appended: [held(ANN, 1), held(ANN, 2)] })
    await store(storage, ANN, {
      appended: [{ ...event(3), kind: 'eventApproved', event: 'ann-1' }],
      redated: [eventOf(ANN, 1), voided],
    })
    deepEqual((await storage.readLog(ANN)).slice(0, 2), [eventOf(ANN, 1), voided])
    deepEqual((await storage.readValues(ANN, 'words')).values, [{ at: NOON + 1, seq: 1, date: 20_513, value: 1 }])
    deepEqual(await storage.heldEvents(''), [])
  }),
  test('held/pages: events that are held back are listed by user and place, page by page, in their tenant only', async (storage) => {
    const acme = { tenant: 'acme', user: 'ann' }
    await store(storage, BOB, { appended: [held(BOB, 1, 9_000), eventOf(BOB, 2), held(BOB, 3, 8_000)] })
    await store(storage, ANN, { appended: [eventOf(ANN, 1), held(ANN, 2)] })
    await store(storage, acme, { appended: [held(acme, 1)] })
    deepEqual(await idsOf(storage, ''), ['ann-2', 'bob-3', 'bob-1'])
    deepEqual(await idsOf(storage, 'acme'), ['ann-1'])
    deepEqual(await idsOf(storage, 'nobody'), [])
    deepEqual(await idsOf(storage, '', { limit: 2 }), ['ann-2', 'bob-3'])
    const after = { user: 'bob', at: 8_000, seq: 3 }
    deepEqual(await idsOf(storage, '', { after }), ['bob-1'])
    deepEqual(await idsOf(storage, '', { user: 'bob' }), ['bob-3', 'bob-1'])
    deepEqual(await idsOf(storage, '', { user: 'bob', after }), ['bob-1'])
    deepEqual(await idsOf(storage, '', { user: 'ann', limit: 1 }), ['ann-2'])
    deepEqual(await idsOf(storage, '', { user: 'bo' }), [])
  }),
  test('held/order: users come in order of the bytes of their ids', async (storage) => {
    await storage.commit(
      ORDERED.toReversed().map((user) => ({ tenant: '', user, lookups: [] })),
      (users) => users.map((user) => saveOf(user, { appended: [held(user, 1)] })),
    )
    deepEqual(column(await storage.heldEvents(''), 'user'), ORDERED)
  }),
]
