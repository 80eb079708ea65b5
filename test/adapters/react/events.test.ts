import type { UserStreak } from 'laurels'
import { describe, expect, test } from 'vitest'
import { createQueries } from '../../../adapters/client/index.ts'
import {
  cacheEntryOf,
  change,
  choose,
  createStore,
  refreshAll,
  type Store,
  track,
} from '../../../adapters/react/events.ts'
import { type CacheEntry, subscribe } from '../../../adapters/react/store.ts'
import { type Readers, startReaders } from './readers.ts'

interface Page extends Readers {
  readonly store: Store
  /** Shows a query as a component does, and resolves when it is loaded. */
  show<Name extends 'metric' | 'points' | 'streak' | 'achievements' | 'leaderboard' | 'preferences' | 'challenges'>(
    name: Name,
    ...args: Parameters<ReturnType<typeof createQueries>[Name]>
  ): Promise<ShownQuery>
}

interface ShownQuery {
  readonly entry: CacheEntry
  readonly data: unknown
  /** Every value of `current` or `total` that was shown. */
  readonly seen: unknown[]
  leave(): void
}

async function openPage(): Promise<Page> {
  const readers = await startReaders()
  const store = createStore(readers.client, '18')
  const queries = createQueries(readers.client, '18')
  return {
    ...readers,
    store,
    show: async (name, ...args) => {
      const query = (queries[name] as (...args: unknown[]) => Parameters<typeof cacheEntryOf>[1])(...args)
      const entry = cacheEntryOf(store, query, undefined) as CacheEntry
      const seen: unknown[] = []
      const leave = subscribe(entry, () => {
        const data = entry.shown.data as { readonly current?: number; readonly total?: number } | null
        const value = data?.current ?? data?.total
        if (seen.at(-1) !== value) seen.push(value)
      })
      await quiet(store)
      return {
        entry,
        seen,
        leave,
        get data() {
          return entry.shown.data
        },
      }
    },
  }
}

/** Resolves when no query is loading. */
async function quiet(store: Store): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  const loading = [...store.entries.values()].flatMap((entry) => entry.loading ?? [])
  if (loading.length === 0) return
  await Promise.all(loading)
  await quiet(store)
}

describe('The total of a metric', () => {
  test('changes before the event is answered, and stays as it is afterwards', async () => {
    const { store, show, hold } = await openPage()
    const pages = await show('metric', 'pages')
    const release = hold('event')
    const sent = track(store, 'pages', { value: 30 })
    expect(pages.data).toMatchObject({ current: 30 })
    release()
    await sent
    await quiet(store)
    expect(pages.seen).toEqual([0, 30])
  })

  test('is what it was if the server refuses the event', async () => {
    const { store, show } = await openPage()
    const pages = await show('metric', 'pages')
    await expect(track(store, 'pages', { value: 501 })).rejects.toMatchObject({ code: 'forbidden' })
    await quiet(store)
    expect(pages.seen).toEqual([0, 501, 0])
  })

  test('has an event whose answer was lost, as soon as it is read again', async () => {
    const { store, show, lose } = await openPage()
    const pages = await show('metric', 'pages')
    const xp = await show('points', 'xp')
    lose('event', true)
    await expect(track(store, 'pages', { value: 40 })).rejects.toMatchObject({ code: 'no_answer' })
    await quiet(store)
    expect(pages.data).toMatchObject({ current: 40 })
    expect(xp.data).toMatchObject({ total: 20 })
  })

  test('never goes back or counts an event twice while several are under way', async () => {
    const { store, show, hold } = await openPage()
    const pages = await show('metric', 'pages')
    const releaseFirst = hold('event')
    const first = track(store, 'pages', { value: 1 })
    const releaseSecond = hold('event')
    const second = track(store, 'pages', { value: 2 })
    expect(pages.data).toMatchObject({ current: 3 })
    releaseFirst()
    await first
    await quiet(store)
    const third = track(store, 'pages', { value: 4 })
    releaseSecond()
    await Promise.all([second, third])
    await quiet(store)
    expect(pages.seen).toEqual([0, 1, 3, 7])
  })

  test('ignores a read that began before the event', async () => {
    const { store, show, hold } = await openPage()
    const pages = await show('metric', 'pages')
    pages.leave()
    const release = hold('GET users/18/metrics/pages')
    await Promise.race([show('metric', 'pages'), new Promise((resolve) => setImmediate(resolve))])
    const sent = track(store, 'pages', { value: 5 })
    release()
    await sent
    await quiet(store)
    expect(pages.entry.shown).toEqual({ data: expect.objectContaining({ current: 5 }), error: null, isLoading: false })
  })

  test('adds decimals as the server does', async () => {
    const { store, show, hold } = await openPage()
    const pages = await show('metric', 'pages')
    await track(store, 'pages', { value: 0.1 })
    await quiet(store)
    const release = hold('event')
    const sent = track(store, 'pages', { value: 0.2 })
    expect(pages.data).toMatchObject({ current: 0.3 })
    release()
    await sent
  })

  test('waits for the answer if the metric keeps the lowest value, and not if it keeps the newest', async () => {
    const { store, show, hold } = await openPage()
    const fastest = await show('metric', 'fastest')
    const mood = await show('metric', 'mood')
    const release = hold('event')
    const sent = [track(store, 'fastest', { value: 12 }), track(store, 'mood', { value: 3 })]
    expect(fastest.data).toMatchObject({ current: 0 })
    expect(mood.data).toMatchObject({ current: 3 })
    release()
    await Promise.all(sent)
    await quiet(store)
    expect(fastest.data).toMatchObject({ current: 12 })
  })
})

describe('An event', () => {
  test('shows points and the streak from its answer, and then reads what it changed', async () => {
    const { store, show, hold, requests } = await openPage()
    const xp = await show('points', 'xp')
    const streak = await show('streak')
    const badges = await show('achievements', { includeIncomplete: true })
    const board = await show('leaderboard', 'all')
    await show('metric', 'mood')
    requests.length = 0
    const release = hold('GET')
    await track(store, 'pages', { value: 20 })
    expect(xp.data).toMatchObject({ total: 10, level: { key: 'reader' }, awards: [] })
    expect(streak.data).toMatchObject({ length: 1 })
    release()
    await quiet(store)
    expect(xp.data).toMatchObject({ total: 10, awards: [{ awarded: 10 }] })
    expect((streak.data as UserStreak).streakHistory.at(-1)).toMatchObject({ length: 1 })
    expect(badges.data).toMatchObject([
      { key: 'first', achievedAt: '2026-03-02T09:00:00.000Z' },
      { key: 'bookworm', achievedAt: null, progress: { current: 20 } },
    ])
    expect(board.data).toMatchObject({ rankings: [{ userId: '18', rank: 1, value: 20 }] })
    expect(requests.toSorted()).toEqual([
      'GET leaderboards/all',
      'GET users/18/achievements?includeIncomplete=true',
      'GET users/18/points/xp',
      'GET users/18/streak',
      'POST metrics/pages/event',
    ])
  })

  test('reads nothing that it did not change', async () => {
    const { store, show, requests } = await openPage()
    await show('points', 'xp')
    await show('streak')
    await show('achievements')
    await show('leaderboard', 'all')
    requests.length = 0
    await track(store, 'mood', { value: 4 })
    await quiet(store)
    expect(requests).toEqual(['POST metrics/mood/event'])
  })

  test('that was sent before refreshes everything, because its first answer was lost', async () => {
    const { store, show, lose } = await openPage()
    lose('event', true)
    const event = { value: 20, idempotencyKey: 'chapter-1' }
    await expect(track(store, 'pages', event)).rejects.toMatchObject({ idempotencyKey: 'chapter-1' })
    const xp = await show('points', 'xp')
    await track(store, 'pages', event)
    await quiet(store)
    expect(xp.data).toMatchObject({ total: 10 })
  })

  test('leaves a toast for everything that it earned', async () => {
    const { store } = await openPage()
    await track(store, 'pages', { value: 20 })
    await track(store, 'pages', { value: 10 })
    expect(store.toasts).toMatchObject([
      { type: 'achievement', achievement: { key: 'first', name: 'First page' } },
      { type: 'challenge', challenge: { key: 'daily', quest: { name: 'Daily', claimUntil: '2026-03-03' } } },
      { type: 'level', system: 'xp', level: { name: 'Reader' } },
      { type: 'streak', streak: null, length: 1, frequency: 'daily' },
      { type: 'points', system: 'xp', name: 'XP', added: 10 },
      { type: 'points', system: 'xp', name: 'XP', added: 5 },
    ])
    expect(new Set(store.toasts.map(({ id }) => id)).size).toBe(6)
  })

  test('leaves no second toast for a quest whose reward nobody has claimed', async () => {
    const { store, clock } = await openPage()
    await track(store, 'pages', { value: 20 })
    clock.advance({ days: 3 })
    await track(store, 'pages', { value: 1 })
    expect(store.toasts.filter(({ type }) => type === 'challenge').length).toBe(1)
  })
})

describe('A choice', () => {
  test('is shown before it is answered, and leaderboards are read again', async () => {
    const { store, show, hold, gamification } = await openPage()
    await gamification.metrics.event('pages', { user: { id: '18' }, value: 30 })
    const board = await show('leaderboard', 'all')
    const preferences = await show('preferences')
    expect(preferences.data).toEqual({ notifications: {}, leaderboards: 'shown', gamification: 'on' })
    const release = hold('PATCH')
    const saved = choose(store, { leaderboards: 'hidden' })
    expect(preferences.data).toMatchObject({ leaderboards: 'hidden' })
    expect(board.data).toMatchObject({ participants: 1 })
    release()
    await saved
    await quiet(store)
    expect(preferences.data).toEqual({ notifications: {}, leaderboards: 'hidden', gamification: 'on' })
    expect(board.data).toMatchObject({ participants: 0, rankings: [] })
  })

  test('is what it was if it could not be saved', async () => {
    const { store, show, lose } = await openPage()
    const preferences = await show('preferences')
    lose('PATCH')
    await expect(choose(store, { gamification: 'off' })).rejects.toMatchObject({ code: 'no_answer' })
    await quiet(store)
    expect(preferences.data).toMatchObject({ gamification: 'on' })
  })

  test('stays while events are answered', async () => {
    const { store, show } = await openPage()
    const preferences = await show('preferences')
    await choose(store, { gamification: 'off' })
    await track(store, 'pages', { value: 1 })
    await quiet(store)
    expect(preferences.data).toMatchObject({ gamification: 'off' })
  })
})

describe('A query', () => {
  test('of a user who is not known yet has no data and no error', async () => {
    const { client } = await startReaders()
    const store = createStore(client, 'me')
    const queryFn = (): Promise<unknown> => Promise.reject(Object.assign(new Error(), { code: 'unknown_user' }))
    const entry = cacheEntryOf(store, { queryKey: ['laurels', 'streak', 'me', {}], queryFn }, undefined)
    subscribe(entry, () => {})
    await quiet(store)
    expect(entry.shown).toEqual({ data: null, error: null, isLoading: false })
  })

  test('is sent once for all components that show it, and again for one that comes later', async () => {
    const { show, requests } = await openPage()
    const [first] = await Promise.all([show('streak'), show('streak', {})])
    expect(requests).toEqual(['GET users/18/streak'])
    first?.leave()
    await show('streak')
    expect(requests).toEqual(['GET users/18/streak'])
  })

  test('that nobody waits for any longer is loaded by the next component', async () => {
    const { show, hold, store } = await openPage()
    const release = hold('streak')
    const entry = cacheEntryOf(store, createQueries(store.client, '18').streak(), undefined) as CacheEntry
    const seen: unknown[] = []
    subscribe(entry, () => seen.push(entry.shown.isLoading))()
    release()
    await quiet(store)
    expect(entry.shown).toEqual({ data: null, error: null, isLoading: true })
    const { data } = await show('streak')
    expect(data).toMatchObject({ length: 0 })
  })

  test('keeps its data and says why a newer answer is missing', async () => {
    const { store, show, lose } = await openPage()
    const { entry } = await show('streak')
    lose('streak')
    await refreshAll(store)
    expect(entry.shown).toMatchObject({ data: { length: 0 }, error: { code: 'no_answer' }, isLoading: false })
    await refreshAll(store)
    expect(entry.shown).toMatchObject({ data: { length: 0 }, error: null })
  })
})

describe('Challenges', () => {
  test('follow an event, and a claim loads the points again', async () => {
    const { store, show } = await openPage()
    const challenges = await show('challenges')
    const xp = await show('points', 'xp')
    await track(store, 'pages', { value: 20 })
    await quiet(store)
    expect(challenges.data).toMatchObject([{ key: 'daily', quests: [{ claimed: false, claimUntil: '2026-03-03' }] }])
    await change(store, ({ challenges: calls }) => calls.claim('daily', { user: '18' }))
    await quiet(store)
    expect(challenges.data).toMatchObject([{ quests: [{ claimed: true, claimUntil: null }] }])
    expect(xp.data).toMatchObject({ total: 17 })
  })

  test('are loaded again after a call that was refused', async () => {
    const { store, show } = await openPage()
    const challenges = await show('challenges')
    const claim = change(store, ({ challenges: calls }) => calls.claim('daily', { user: '18' }))
    await expect(claim).rejects.toMatchObject({ code: 'challenge_not_claimable' })
    await quiet(store)
    expect(challenges.data).toMatchObject([{ quests: [{ completedAt: null }] }])
  })
})
