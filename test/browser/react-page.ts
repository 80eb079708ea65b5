// Pages for test/browser/react.test.ts, by the hash of the address. React runs in development, if it warns.

import { LaurelsProvider, useLaurels, useStreak } from 'laurels/react'
import { Component, createElement as h, type ReactElement, type ReactNode, StrictMode, Suspense, useState } from 'react'
import { type Container, createRoot, hydrateRoot } from 'react-dom/client'

interface StreakProps {
  readonly suspense?: boolean
  readonly initialData?: NonNullable<ReturnType<typeof useStreak>['data']>
}

export function Streak(props: StreakProps): ReactElement {
  const { data, error, isLoading } = useStreak(props)
  const { refresh } = useLaurels()
  const text = error !== null ? String(error) : isLoading ? 'loading' : `${data?.length} days`
  return h('p', { onClick: () => void refresh() }, text)
}

class Boundary extends Component<{ readonly refresh: () => Promise<void>; readonly children: ReactNode }> {
  override state: { readonly error: unknown } = { error: null }
  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }
  override render(): ReactNode {
    const again = (): void => void this.props.refresh().then(() => this.setState({ error: null }))
    return this.state.error === null
      ? this.props.children
      : h('button', { type: 'button', onClick: again }, String(this.state.error))
  }
}

function Suspended(): ReactElement {
  const { refresh } = useLaurels()
  const streak = h(Suspense, { fallback: h('p', null, 'fallback') }, h(Streak, { suspense: true }))
  return h(Boundary, { refresh, children: streak })
}

function Leaving(): ReactElement {
  const [isThere, set] = useState(true)
  const toggle = h('button', { type: 'button', onClick: () => set(!isThere) }, isThere ? 'Leave' : 'Return')
  return h('div', null, toggle, isThere ? h(Streak) : null)
}

export function provided(child: ReactNode): ReactElement {
  return h(StrictMode, null, h(LaurelsProvider, { baseUrl: '/game', userId: '18', children: child }))
}

/** The part of the DOM that the page uses; the tests lack its types. */
const { document, location } = globalThis as unknown as {
  readonly document?: { querySelector(selector: string): Container & { getAttribute(name: string): string | null } }
  readonly location: { readonly hash: string }
}

if (document !== undefined) {
  const root = document.querySelector('#root')
  const pages: Readonly<Record<string, () => unknown>> = {
    suspended: () => createRoot(root).render(provided(h(Suspended))),
    leaving: () => createRoot(root).render(provided(h(Leaving))),
    hydrated: () =>
      hydrateRoot(root as Element, provided(h(Streak, JSON.parse(root.getAttribute('data-props') ?? '{}')))),
  }
  pages[location.hash.slice(1)]?.()
}
