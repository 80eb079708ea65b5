import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../../client/send.ts'
import { call, route } from '../api.ts'
import { Badge } from '../parts/badge.tsx'
import { Form, Input } from '../parts/controls.tsx'
import { DamagedUsers } from '../parts/drift.tsx'
import { ConsolePage, Empty, Failure } from '../parts/page.tsx'
import { Person } from '../parts/person.tsx'
import { type Column, TableCard, useList } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { navigate, type PageOf, toPath, withQuery } from '../router.ts'
import type { ListedUser, UsersResponse } from '../types.ts'
import { useDebounced } from '../use-answer.ts'

const COLUMNS: readonly Column<ListedUser>[] = [
  { name: 'User', isHeader: true, cell: ({ id, name }) => <Person id={id} name={name} /> },
  { name: 'Email', cell: ({ email }) => <span dir="auto">{email ?? <span class="muted">–</span>}</span> },
  { name: 'Zone', cell: ({ tz }) => tz ?? <span class="muted">–</span> },
  { name: 'Created', kind: 'fit', cell: ({ created }) => <Time at={created} /> },
  { name: 'State', kind: 'fit', cell: (user) => <UserState user={user} /> },
]

/** All users by id. The search matches parts of ids and names. A whole id opens its page. */
export function UsersPage({ query: asked }: PageOf): JSX.Element {
  const [text, setText] = useState(asked.get('search') ?? '')
  const search = useDebounced(text.trim())
  const query = { search, limit: 50 }
  const { answer, pager } = useList<UsersResponse>('admin/v1/users', 'after', query, ({ after }) => after)
  const { damaged = [], after = null } = answer.data ?? {}
  useEffect(() => navigate(withQuery({ search }), { replace: true }), [search])
  return (
    <ConsolePage title="Users">
      <Search text={text} change={setText} />
      <TableCard
        title={search === '' ? 'All users, by id' : 'Found'}
        answer={answer}
        what="the users"
        caption="Users"
        columns={COLUMNS}
        rowsOf={({ users }) => users}
        empty={<NoUsers search={search} hasMore={after !== null} />}
        pager={[<DamagedUsers key="damaged" damaged={damaged} />, pager]}
      />
    </ConsolePage>
  )
}

function Search({ text, change }: { text: string; change: (text: string) => void }): JSX.Element {
  const [problem, setProblem] = useState<unknown>(null)
  const open = async (): Promise<void> => {
    setProblem(null)
    if (text.trim() !== '') await openExactly(text.trim()).catch(setProblem)
  }
  return (
    <>
      <Form class="search" submit={() => void open()}>
        <Input
          type="search"
          aria-label="A part of an id or of a name"
          placeholder="Part of an id or a name. Press Enter to open an exact id"
          value={text}
          maxLength={255}
          spellcheck={false}
          change={change}
        />
        <button type="submit">Open</button>
      </Form>
      {problem !== null && <Failure error={problem} what="the user" />}
    </>
  )
}

function NoUsers({ search, hasMore }: { readonly search: string; readonly hasMore: boolean }): JSX.Element {
  if (search === '') return <Empty title="There are no users yet.">A user appears here after the first event.</Empty>
  if (hasMore)
    return <Empty title="No match so far.">The search has not reached the end. Choose Next to continue.</Empty>
  return <Empty title="No user has this in an id or a name." />
}

function UserState({ user: { suspended, mergedInto } }: { readonly user: ListedUser }): JSX.Element {
  if (mergedInto !== null) return <Badge>merged</Badge>
  if (suspended !== null) return <Badge tone="bad">suspended</Badge>
  return <Badge tone="good">active</Badge>
}

/** Opens the page of the user with exactly this id. */
async function openExactly(id: string): Promise<void> {
  try {
    await call('GET', route`v1/users/${id}`)
    navigate(toPath(['users', id]))
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
    throw new Error(`There is no user with the id "${id}"; below is who has it in an id or a name.`)
  }
}
