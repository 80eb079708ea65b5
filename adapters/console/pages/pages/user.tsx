import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../../../client/send.ts'
import { Badge } from '../parts/badge.tsx'
import { Copy } from '../parts/dialog.tsx'
import { ConsolePage, Empty, Loaded, Tabs } from '../parts/page.tsx'
import { Initials } from '../parts/person.tsx'
import { UserMenu } from '../parts/user/actions/menu.tsx'
import { Log } from '../parts/user/log.tsx'
import { Overview } from '../parts/user/overview.tsx'
import { loadPageUser, PageUserContext, usePageUser } from '../parts/user/page-user.ts'
import { spendableOf, Wallets } from '../parts/user/wallet.tsx'
import { type PageOf, toPath } from '../router.ts'
import { useAnswer } from '../use-answer.ts'

export function UserPage({ id, query }: PageOf): JSX.Element {
  const [version, setVersion] = useState(0)
  const answer = useAnswer((signal) => loadPageUser(id, signal), [id], version)
  if (answer.error instanceof ApiError && answer.error.status === 404) return <NoUser id={id} />
  const found = answer.data && { ...answer.data, version, changed: () => setVersion((count) => count + 1) }
  const name = found?.user.name || id
  return (
    <PageUserContext.Provider value={found}>
      <ConsolePage
        title={name}
        before={<Initials name={name} />}
        below={found !== null && <State asked={id} />}
        actions={
          found !== null && (
            <div class="row">
              <Copy />
              <UserMenu {...found.progress} />
            </div>
          )
        }
      >
        <Loaded answer={answer} what="the user">
          {({ progress }) => (
            <Tabs
              label={`About ${name}`}
              query={query}
              tabs={[
                { key: 'overview', name: 'Overview', content: () => <Overview progress={progress} /> },
                ...(spendableOf(progress).length === 0
                  ? []
                  : [{ key: 'wallet', name: 'Wallet', content: () => <Wallets progress={progress} /> }]),
                { key: 'log', name: 'Log', content: () => <Log {...progress} /> },
              ]}
            />
          )}
        </Loaded>
      </ConsolePage>
    </PageUserContext.Provider>
  )
}

function NoUser({ id }: { readonly id: string }): JSX.Element {
  return (
    <ConsolePage title="Not found">
      <div class="card">
        <Empty title={`There is no user with the id "${id}".`}>
          <a href={toPath(['users'], { search: id })}>Search for it among all users</a>
        </Empty>
      </div>
    </ConsolePage>
  )
}

/** The user's state. `asked` is the id in the address. */
function State({ asked }: { readonly asked: string }): JSX.Element {
  const { user, listed } = usePageUser()
  return (
    <p class="row">
      <span class="muted mono" dir="auto">
        {user.id}
      </span>
      {listed?.suspended && <Badge tone="bad">suspended from leaderboards</Badge>}
      {user.gamification === 'off' && <Badge tone="warn">game turned off</Badge>}
      {user.control && <Badge>control group</Badge>}
      {asked !== user.id && (
        <>
          <Badge>merged</Badge>
          <span>
            <span dir="auto">{asked}</span> is another name of this user.
          </span>
        </>
      )}
    </p>
  )
}
