// The output of a server, and the use of the queries by another cache.

import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { dehydrate, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createClient, createQueries } from 'laurels/client'
import {
  LaurelsProvider,
  type LaurelsProviderProps,
  usePoints,
  useStreak,
  useToasts,
  useTrackEvent,
} from 'laurels/react'
import { createElement, type ReactElement, type ReactNode, Suspense } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { type ReadersGame, startReaders } from './readers.ts'

function Xp({ suspense = false, known }: { readonly suspense?: boolean; readonly known?: { readonly total: number } }) {
  const { data, isLoading } = usePoints<ReadersGame>('xp', { suspense, ...(known && { initialData: known as never }) })
  return createElement('p', null, isLoading ? 'loading' : `${data?.total} XP`)
}

const provided = (props: LaurelsProviderProps, children: ReactNode): ReactElement =>
  createElement(LaurelsProvider, props, children)

describe('A server', () => {
  test('renders the loading state, and asks nobody', async () => {
    const { client, requests } = await startReaders()
    expect(renderToString(provided({ client, userId: '18' }, createElement(Xp)))).toBe('<p>loading</p>')
    expect(renderToString(provided({ baseUrl: '/game', userId: '18' }, createElement(Xp)))).toBe('<p>loading</p>')
    expect(requests).toEqual([])
  })

  test('renders what it has read itself, in-process', async () => {
    const { client, gamification, requests } = await startReaders()
    await gamification.metrics.event('pages', { user: { id: '18' }, value: 20 })
    const known = await gamification.users.points('18', 'xp')
    expect(renderToString(provided({ client, userId: '18' }, createElement(Xp, { known })))).toBe('<p>10 XP</p>')
    expect(requests).toEqual([])
  })

  test('streams a component that suspends', async () => {
    const { client, gamification, requests } = await startReaders()
    await gamification.metrics.event('pages', { user: { id: '18' }, value: 20 })
    const xp = createElement(Xp, { suspense: true })
    const page = provided({ client, userId: '18' }, createElement(Suspense, { fallback: '…' }, xp, xp))
    const html = await text(renderToPipeableStream(page).pipe(new PassThrough()))
    expect(html.match(/<p>10 XP<\/p>/g)).toHaveLength(2)
    expect(requests).toEqual(['GET users/18/points/xp'])
  })

  test('keeps one user from seeing the data of another', async () => {
    const { client, gamification } = await startReaders()
    const known = await gamification.users.points('18', 'xp')
    const pages = ['18', '19'].map((userId) =>
      renderToString(provided({ client, userId }, createElement(Xp, userId === '18' ? { known } : {}))),
    )
    expect(pages).toEqual(['<p>0 XP</p>', '<p>loading</p>'])
  })

  test('says which component is missing around a hook', () => {
    const message = 'Put a <LaurelsProvider> around the components that use hooks of laurels/react.'
    for (const useHook of [useStreak, useTrackEvent, useToasts]) {
      const Hooked = (): null => {
        useHook()
        return null
      }
      expect(() => renderToString(createElement(Hooked))).toThrow(message)
    }
  })
})

describe('TanStack Query', () => {
  function Streak({ queries }: { readonly queries: ReturnType<typeof createQueries<ReadersGame>> }) {
    const { data } = useQuery(queries.streak({ historyPeriods: 1 }))
    return createElement('p', null, `${data?.length} days`)
  }

  test('keeps the answers of the queries as they are, and renders them on a server', async () => {
    const { client, requests } = await startReaders()
    await client.metrics.event('pages', { user: { id: '18' }, value: 1 })
    const queries = createQueries<ReadersGame>(client, '18')
    const cache = new QueryClient()
    await cache.prefetchQuery(queries.streak({ historyPeriods: 1 }))
    const page = createElement(QueryClientProvider, { client: cache }, createElement(Streak, { queries }))
    expect(renderToString(page)).toBe('<p>1 days</p>')
    expect(dehydrate(cache).queries.map(({ queryKey }) => queryKey)).toEqual([
      ['laurels', 'streak', '18', { historyPeriods: 1 }],
    ])
    await cache.invalidateQueries({ queryKey: ['laurels', 'streak'] })
    expect(cache.getQueryState(queries.streak({ historyPeriods: 1 }).queryKey)?.isInvalidated).toBe(true)
    expect(requests).toEqual(['POST metrics/pages/event', 'GET users/18/streak?historyPeriods=1'])
  })

  test('gives a request up when it is cancelled', async () => {
    const { client, hold } = await startReaders()
    hold('points')
    const query = createQueries<ReadersGame>(client, '18').points('xp')
    const controller = new AbortController()
    const asked = query.queryFn({ signal: controller.signal })
    controller.abort(new Error('left'))
    await expect(asked).rejects.toThrow('left')
  })
})

test('The client needs nothing that React Native lacks', async () => {
  const { gamification } = await startReaders()
  const { crypto } = globalThis
  const { any, timeout } = AbortSignal
  const keys: (string | null)[] = []
  const answer: typeof fetch = async (_, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    return Response.json(await gamification.metrics.event('pages', { user: { id: '18' }, value: 1 }))
  }
  try {
    Object.assign(AbortSignal, { any: undefined, timeout: undefined })
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
    const client = createClient<ReadersGame>({ baseUrl: 'https://app.example.com/game', fetch: answer })
    const signal = new AbortController().signal
    const { total } = await client.metrics.event('pages', { user: { id: '18' }, value: 1 }, { signal })
    expect(total).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  } finally {
    Object.assign(AbortSignal, { any, timeout })
    Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true })
  }
})
