import '../../elements/index.ts'
import { type ComponentType, type JSX, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type ConsoleInfo, Session, setTenantOfCalls } from './api.ts'
import { Achievement, Achievements } from './pages/achievements.tsx'
import { Game } from './pages/game.tsx'
import { Integrity } from './pages/integrity.tsx'
import { Keys } from './pages/keys.tsx'
import { Leaderboard, Leaderboards } from './pages/leaderboards.tsx'
import { Outbox } from './pages/outbox.tsx'
import { Retention } from './pages/retention.tsx'
import { Today } from './pages/today.tsx'
import { User } from './pages/user.tsx'
import { Users } from './pages/users.tsx'
import { WhatIf } from './pages/what-if.tsx'
import { ChooseTenant, TenantChoice } from './parts/choice.tsx'
import { Button } from './parts/controls.tsx'
import { Notices } from './parts/notices.tsx'
import { Failure, Page } from './parts/page.tsx'
import { type PageOf, type Place, toPath, usePlace } from './router.ts'
import { useGet } from './use-answer.ts'
import './styles/base.css'
import './styles/parts.css'

/** The navigation and the page that the address names. */
function App(): JSX.Element {
  const place = usePlace()
  const info = useGet<ConsoleInfo>('console.json')
  if (info.data === null) {
    return (
      <main class="page alone">
        {info.error === null ? (
          <p class="loading" role="status">
            Loading…
          </p>
        ) : (
          <Failure error={info.error} what="the console" retry={info.reload} />
        )}
      </main>
    )
  }
  return <Frame info={info.data} place={place} />
}

function Frame({ info, place }: { readonly info: ConsoleInfo; readonly place: Place }): JSX.Element {
  const tenant = info.multiTenant ? (place.query.get('tenant') ?? info.tenant) : null
  setTenantOfCalls(tenant)
  const path = JSON.stringify([tenant, place.segments])
  useEffect(() => scrollTo(0, 0), [path])
  return (
    <Session.Provider value={{ ...info, tenant }}>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <Navigation info={info} place={place} tenant={tenant} />
      <main id="page" class="page" key={path}>
        {info.multiTenant && tenant === null ? <ChooseTenant /> : <PageOfPlace place={place} />}
      </main>
      <Notices />
    </Session.Provider>
  )
}

function Navigation({ info, place, tenant }: { info: ConsoleInfo; place: Place; tenant: string | null }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const [first = ''] = place.segments
  useEffect(() => setIsOpen(false), [place])
  return (
    <nav class={isOpen ? 'nav open' : 'nav'} aria-label="Pages">
      <div class="nav-head">
        <a class="brand" href={toPath([])}>
          <Brand />
          laurels
        </a>
        <Button class="nav-toggle" aria-expanded={isOpen} aria-controls="nav-body" onClick={() => setIsOpen(!isOpen)}>
          Menu
        </Button>
      </div>
      <div class="nav-body" id="nav-body">
        {info.multiTenant && <TenantChoice tenant={tenant} />}
        <ul>
          {Object.entries(PAGES).map(([segment, { name }]) => (
            <li key={segment}>
              <a href={toPath(segment === '' ? [] : [segment])} aria-current={first === segment ? 'page' : undefined}>
                <PageIcon segment={segment} />
                {name}
              </a>
            </li>
          ))}
        </ul>
        <p class="nav-foot">
          {info.access === 'write' ? 'Write access' : 'Read-only'}
          <br />
          laurels {info.version}
        </p>
      </div>
    </nav>
  )
}

function PageOfPlace({ place: { segments, query } }: { readonly place: Place }): JSX.Element {
  const [first = '', id, more] = segments
  const found = Object.hasOwn(PAGES, first) ? PAGES[first] : undefined
  const Found = id === undefined ? found?.page : found?.one
  if (Found === undefined || more !== undefined) {
    return (
      <Page title="Not found">
        <p>There is no page at this address.</p>
      </Page>
    )
  }
  return <Found id={id ?? ''} query={query} />
}

interface PageRoute {
  readonly name: string
  readonly page: ComponentType<PageOf>
  /** The page of one of them. */
  readonly one?: ComponentType<PageOf>
}

/** By the first segment of the address; the order is that of the navigation. */
const PAGES: { readonly [segment: string]: PageRoute } = {
  '': { name: 'Today', page: Today },
  users: { name: 'Users', page: Users, one: User },
  achievements: { name: 'Achievements', page: Achievements, one: Achievement },
  leaderboards: { name: 'Leaderboards', page: Leaderboards, one: Leaderboard },
  retention: { name: 'Retention', page: Retention },
  game: { name: 'Game', page: Game },
  'what-if': { name: 'What if', page: WhatIf },
  integrity: { name: 'Integrity', page: Integrity },
  keys: { name: 'Keys', page: Keys },
  outbox: { name: 'Outbox', page: Outbox },
}

/** By the first segment of the address: strokes in a square of 24. */
const PATHS: { readonly [segment: string]: string } = {
  '': 'M4 20V11M10 20V4M16 20v-6M22 20H2',
  users: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM2 21a7 7 0 0 1 14 0M16 3.5a4 4 0 0 1 0 7M18 14.5a7 7 0 0 1 4 6.5',
  achievements: 'M12 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM9 13l-2 8 5-3 5 3-2-8',
  leaderboards: 'M4 21V13h5v8M9.5 21V5h5v16M15 21v-5h5v5',
  retention: 'M20 11a8 8 0 1 0-2.5 6M20 4v7h-7M12 8v4l3 2',
  game: 'M5 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM19 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM5 21a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 5c6 0 4 7 10 7M7 19c6 0 4-7 10-7',
  'what-if': 'M9 3h6M10 3v6L4 19a1.5 1.5 0 0 0 1.3 2h13.4a1.5 1.5 0 0 0 1.3-2l-6-10V3M7 15h10',
  integrity: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  keys: 'M8 20a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM11.5 11.5 20 3M16 7l3 3',
  outbox: 'M3 13l3-9h12l3 9v7H3zM3 13h5l1.5 3h5L16 13h5',
}

function PageIcon({ segment }: { readonly segment: string }): JSX.Element {
  return <Strokes path={PATHS[segment] ?? ''} size={18} />
}

function Brand(): JSX.Element {
  return (
    <Strokes
      path="M12 21c-5-1-8-5-8-11M12 21c5-1 8-5 8-11M4 10c2 0 3 1 3.5 3M20 10c-2 0-3 1-3.5 3M5 5c2 1 2.5 2.5 2 5M19 5c-2 1-2.5 2.5-2 5M6 16c2-.5 3.5 0 4.5 2M18 16c-2-.5-3.5 0-4.5 2"
      size={22}
    />
  )
}

function Strokes({ path, size }: { readonly path: string; readonly size: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
