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

const ICON = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

function Navigation({ info, place, tenant }: { info: ConsoleInfo; place: Place; tenant: string | null }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const [first = ''] = place.segments
  useEffect(() => setIsOpen(false), [place])
  return (
    <nav class={isOpen ? 'nav open' : 'nav'} aria-label="Pages">
      <div class="nav-head">
        <a class="brand" href={toPath([])}>
          <img src={ICON} alt="" width="24" height="24" />
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

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
