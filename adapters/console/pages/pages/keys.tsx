import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, useMayWrite } from '../api.ts'
import { Badge } from '../parts/badge.tsx'
import { UserChoice } from '../parts/choice.tsx'
import { Check, Checks, Input, useText } from '../parts/controls.tsx'
import { type AskingProps, Confirm, DialogOpener, dialogColumn, Secret } from '../parts/dialog.tsx'
import { ConsolePage, Empty } from '../parts/page.tsx'
import { ShowUser, UserLink } from '../parts/person.tsx'
import { type Column, TableCard, useList } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import type { PageOf } from '../router.ts'
import type {
  AdminKey,
  ApplicationKey,
  CreateApplicationKeysResponse,
  CreatedApplicationKey,
  DeleteApplicationKeysResponse,
  User,
} from '../types.ts'
import { useGet } from '../use-answer.ts'

/** Admin keys of servers, and application keys of single users. */
export function KeysPage({ query }: PageOf): JSX.Element {
  return (
    <ConsolePage title="Keys">
      <ApplicationKeys user={query.get('user')} />
      <AdminKeys />
    </ConsolePage>
  )
}

function AdminKeys(): JSX.Element {
  const answer = useGet<readonly AdminKey[]>('admin/v1/admin-keys')
  return (
    <TableCard
      title="Admin keys"
      answer={answer}
      what="the admin keys"
      above={
        <p class="card-body muted">
          They may do everything. They are made, rotated and revoked on the server alone: <code>laurels keys</code>.
        </p>
      }
      caption="Admin keys, without their secrets"
      columns={ADMIN_COLUMNS}
      rowsOf={(keys) => keys}
      empty={<Empty title="There are no admin keys" />}
    />
  )
}

const ADMIN_COLUMNS: readonly Column<AdminKey>[] = [
  { name: 'Key', isHeader: true, cell: ({ prefix }) => <code>{prefix}.…</code> },
  {
    name: 'Status',
    kind: 'fit',
    cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>,
  },
  { name: 'Created', cell: ({ created }) => <Time at={created} /> },
  { name: 'Last used', cell: ({ lastUsed }) => (lastUsed === null ? 'never' : <Time at={lastUsed} />) },
]

const CAN = [
  { key: 'read', name: 'read what is there of the user' },
  { key: 'events', name: 'send events' },
  { key: 'achievements', name: 'complete achievements' },
  { key: 'profile', name: 'change the profile and the preferences' },
  { key: 'attributes', name: 'set attributes' },
]

/**
 * Asks for the user, the permissions and the lifetime. The chosen permissions narrow the game's permissions for
 * clients.
 */
function CreateKey({ done, close }: { done: (key: CreatedApplicationKey) => void; close: () => void }): JSX.Element {
  const [user, setUser] = useState<User | null>(null)
  const [isAll, setIsAll] = useState(true)
  const [can, setCan] = useState<readonly string[]>(['read'])
  const days = useText()
  const create = async (): Promise<void> => {
    const end = new Date(Date.now() + Number(days.value) * 86_400_000)
    const ends = days.value === '' ? {} : { expiresAt: end.toISOString() }
    const { created, issues } = await call<CreateApplicationKeysResponse>('POST', 'admin/v1/application-api-keys', {
      body: [{ userId: user?.id, ...(isAll ? {} : { can }), ...ends }],
    })
    const [key] = created
    if (key === undefined) throw new Error(issues[0]?.message ?? 'No key was made.')
    done(key)
  }
  return (
    <Confirm
      title="Create an application key"
      verb="Create the key"
      isReady={user !== null && (isAll || can.length > 0) && /^(?:|[1-9]\d{0,3})$/.test(days.value)}
      run={create}
      close={close}
    >
      <UserChoice choose={setUser} />
      <fieldset class="stack tight">
        <legend>What it is for</legend>
        <Check name="All that the game lets clients do" checked={isAll} change={setIsAll} />
        {!isAll && <Checks choices={CAN} chosen={can} choose={setCan} />}
      </fieldset>
      <Input label="Ends after so many days" hint="Empty: never." inputMode="numeric" {...days} />
      <p>Anyone with the key can act for this user until you delete it. The key is shown once, now.</p>
    </Confirm>
  )
}

function DeleteKey({ of: { id, prefix, userId }, done, close }: { of: ApplicationKey } & AskingProps): JSX.Element {
  const remove = async (): Promise<string> => {
    const { issues } = await call<DeleteApplicationKeysResponse>('DELETE', 'admin/v1/application-api-keys', {
      query: { ids: id },
    })
    const problem = issues.find(({ severity }) => severity === 'error')
    if (problem !== undefined) throw new Error(problem.message)
    done()
    return `The key ${prefix} is deleted.`
  }
  return (
    <Confirm title={`Delete the key ${prefix}?`} verb="Delete the key" isDangerous run={remove} close={close}>
      <p>
        What the user <strong>{userId}</strong> runs with this key is refused from now on. It cannot be taken back. What
        it has written stays.
      </p>
    </Confirm>
  )
}

const COLUMNS: readonly Column<ApplicationKey>[] = [
  { name: 'Key', isHeader: true, cell: ({ prefix }) => <code>{prefix}.…</code> },
  { name: 'User', cell: ({ userId }) => <UserLink id={userId} /> },
  { name: 'May', cell: ({ can }) => toText(can) },
  { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Ends', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />) },
]

function deleteColumn(done: () => void): Column<ApplicationKey> {
  const toLabel = ({ prefix }: ApplicationKey): string => `Delete the key ${prefix}`
  return dialogColumn('Delete', 'Delete…', toLabel, (key, close) => <DeleteKey of={key} done={done} close={close} />)
}

function toText(can: ApplicationKey['can']): string {
  if (can === null) return 'all that the game lets clients do'
  return can.length === 0 ? 'nothing: what is stored cannot be read' : can.join(', ')
}

const ON_A_PAGE = 50

/** Keys of one user, or of all if `user` is `null`. With write access, the page creates and deletes them. */
function ApplicationKeys({ user }: { readonly user: string | null }): JSX.Element {
  const mayWrite = useMayWrite()
  const [made, setMade] = useState<CreatedApplicationKey | null>(null)
  const query = { userId: user, limit: ON_A_PAGE }
  const toNext = (keys: ApplicationKey[]) => (keys.length < ON_A_PAGE ? null : keys.at(-1)?.id)
  const { answer, pager } = useList('admin/v1/application-api-keys', 'after', query, toNext)
  const created = (key: CreatedApplicationKey): void => {
    setMade(key)
    answer.reload()
  }
  const forget = (): void => setMade(null)
  return (
    <TableCard
      title="Application keys"
      actions={
        mayWrite && (
          <DialogOpener class="primary" dialog={(close) => <CreateKey done={created} close={close} />}>
            Create a key…
          </DialogOpener>
        )
      }
      above={
        <div class="card-body stack">
          <p class="muted">Each is for one user, safe in that user's browser or app.</p>
          {made && <Secret title={`The key of the user ${made.userId}.`} secret={made.key} close={forget} />}
          <ShowUser key={user} name="Of a user" chosen={user} back="Of all users" />
        </div>
      }
      answer={answer}
      what="the application keys"
      caption="Application keys, without their secrets"
      columns={mayWrite ? [...COLUMNS, deleteColumn(answer.reload)] : COLUMNS}
      rowsOf={(keys) => keys}
      empty={<Empty title={`${user === null ? 'There are' : `The user ${user} has`} no application keys`} />}
      pager={pager}
    />
  )
}
