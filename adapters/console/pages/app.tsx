import '../../elements/index.ts'
import { type ComponentType, type JSX, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ConsoleContext, type ConsoleInfo, setTenantOfCalls } from './api.ts'
import { AchievementsPage, OneAchievementPage } from './pages/achievements.tsx'
import { ChallengesPage, OneChallengePage } from './pages/challenges.tsx'
import { GamePage } from './pages/game.tsx'
import { IntegrityPage } from './pages/integrity.tsx'
import { KeysPage } from './pages/keys.tsx'
import { LeaderboardsPage, OneLeaderboardPage } from './pages/leaderboards.tsx'
import { OutboxPage } from './pages/outbox.tsx'
import { RetentionPage } from './pages/retention.tsx'
import { RewardsPage } from './pages/rewards.tsx'
import { TodayPage } from './pages/today.tsx'
import { UserPage } from './pages/user.tsx'
import { UsersPage } from './pages/users.tsx'
import { WhatIfPage } from './pages/what-if.tsx'
import { ChooseTenant, TenantChoice } from './parts/choice.tsx'
import { Button } from './parts/controls.tsx'
import { Notices } from './parts/notices.tsx'
import { ConsolePage, Loaded } from './parts/page.tsx'
import { type PageAddress, type PageOf, toPath, useAddress } from './router.ts'
import { useGet } from './use-answer.ts'
import './styles/base.css'
import './styles/parts.css'

/** The navigation and the page that the address names. */
function App(): JSX.Element {
  const address = useAddress()
  const info = useGet<ConsoleInfo>('console.json')
  if (info.data === null) {
    return (
      <main class="page alone">
        <Loaded answer={info} what="the console">
          {() => null}
        </Loaded>
      </main>
    )
  }
  return <Frame info={info.data} address={address} />
}

function Frame({ info, address }: { readonly info: ConsoleInfo; readonly address: PageAddress }): JSX.Element {
  const tenant = info.multiTenant ? (address.query.get('tenant') ?? info.tenant) : null
  // The list of tenants ignores the header, but needs it.
  setTenantOfCalls(info.multiTenant ? (tenant ?? 'any') : null)
  const path = JSON.stringify([tenant, address.segments])
  useEffect(() => scrollTo(0, 0), [path])
  return (
    <ConsoleContext.Provider value={{ ...info, tenant }}>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <Navigation info={info} address={address} tenant={tenant} />
      <main id="page" class="page" key={path}>
        {info.multiTenant && tenant === null ? <ChooseTenant /> : <PageAt address={address} />}
      </main>
      <Notices />
    </ConsoleContext.Provider>
  )
}

const ICON = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

function Navigation({
  info,
  address,
  tenant,
}: {
  info: ConsoleInfo
  address: PageAddress
  tenant: string | null
}): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const [first = ''] = address.segments
  useEffect(() => setIsOpen(false), [address])
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
        <PageLinks current={first} />
        <p class="nav-foot">
          {info.access === 'write' ? 'Write access' : 'Read-only'}
          <br />
          laurels {info.version}
        </p>
      </div>
    </nav>
  )
}

function PageLinks({ current }: { readonly current: string }): JSX.Element {
  const links = Object.entries(PAGES).map(([segment, { name }]) => (
    <li key={segment}>
      <a href={toPath([segment])} aria-current={segment === current ? 'page' : undefined}>
        {name}
      </a>
    </li>
  ))
  return <ul>{links}</ul>
}

function PageAt({ address: { segments, query } }: { readonly address: PageAddress }): JSX.Element {
  const [first = '', id, more] = segments
  const found = Object.hasOwn(PAGES, first) ? PAGES[first] : undefined
  const Found = id === undefined ? found?.page : found?.one
  if (Found === undefined || more !== undefined) {
    return (
      <ConsolePage title="Not found">
        <p>There is no page at this address.</p>
      </ConsolePage>
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

/** Pages by the first segment of the address, in the order of the navigation. */
const PAGES: { readonly [segment: string]: PageRoute } = {
  '': { name: 'Today', page: TodayPage },
  users: { name: 'Users', page: UsersPage, one: UserPage },
  achievements: { name: 'Achievements', page: AchievementsPage, one: OneAchievementPage },
  challenges: { name: 'Challenges', page: ChallengesPage, one: OneChallengePage },
  leaderboards: { name: 'Leaderboards', page: LeaderboardsPage, one: OneLeaderboardPage },
  rewards: { name: 'Rewards', page: RewardsPage },
  retention: { name: 'Retention', page: RetentionPage },
  game: { name: 'Game', page: GamePage },
  'what-if': { name: 'What if', page: WhatIfPage },
  integrity: { name: 'Integrity', page: IntegrityPage },
  keys: { name: 'Keys', page: KeysPage },
  outbox: { name: 'Outbox', page: OutboxPage },
}

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
