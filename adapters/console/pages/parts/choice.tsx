import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../../client/send.ts'
import { call, route } from '../api.ts'
import { navigate, toPath, withQuery } from '../router.ts'
import type { TenantsResponse, User } from '../types.ts'
import { useAnswer, useDebounced, useGet } from '../use-answer.ts'
import { Input } from './controls.tsx'
import { formatNumber } from './format.ts'
import { ConsolePage, Empty } from './page.tsx'
import { type Column, TableCard, useList } from './table.tsx'

interface UserChoiceProps {
  readonly name?: string
  /** Receives `null` if there is no such user. */
  readonly choose: (user: User | null) => void
}

/** Asks for the id of a user, and shows the user. */
export function UserChoice({ name = 'Id of the user', choose }: UserChoiceProps): JSX.Element {
  const [id, setId] = useState('')
  const wanted = useDebounced(id.trim())
  const { data, error, isLoading } = useAnswer(
    async (signal) => (wanted === '' ? null : call<User>('GET', route`v1/users/${wanted}`, { signal })),
    [wanted],
  )
  const found = wanted === id.trim() && error === null && data?.id === wanted ? data : null
  useEffect(() => choose(found), [found])
  return (
    <div class="stack tight">
      <Input label={name} value={id} spellcheck={false} required change={setId} />
      <p class="muted" role="status" dir="auto">
        {wanted === '' ? '' : found !== null ? `This is ${found.name ?? found.id}.` : toText(error, isLoading)}
      </p>
    </div>
  )
}

function toText(error: unknown, isLoading: boolean): string {
  if (isLoading) return 'Looking…'
  if (error instanceof ApiError && error.status === 404) return 'There is no user with this id.'
  return error instanceof Error ? error.message : ''
}

/** Selects the tenant. The address contains it, so that links lead to the same tenant. */
export function TenantChoice({ tenant }: { readonly tenant: string | null }): JSX.Element {
  const known = useGet<TenantsResponse>('admin/v1/tenants', { limit: 1_000 })
  return (
    <label class="tenant">
      Tenant
      <input
        value={tenant ?? ''}
        list="tenants"
        autoComplete="off"
        spellcheck={false}
        onChange={(event) => navigate(withQuery({ tenant: event.currentTarget.value.trim() }))}
      />
      <datalist id="tenants">
        {known.data?.tenants.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </label>
  )
}

const TENANT_COLUMNS: readonly Column<TenantsResponse['tenants'][number]>[] = [
  {
    name: 'Tenant',
    isHeader: true,
    cell: ({ id }) => (
      <a href={toPath([], { tenant: id })} dir="auto">
        {id}
      </a>
    ),
  },
  { name: 'Users', kind: 'number', cell: ({ users }) => formatNumber(users) },
]

/** Replaces every page until a tenant is selected. */
export function ChooseTenant(): JSX.Element {
  const list = useList<TenantsResponse>('admin/v1/tenants', 'after', { limit: 50 }, ({ after }) => after)
  return (
    <ConsolePage title="Choose a tenant">
      <TableCard
        {...list}
        title="Tenants"
        what="the tenants"
        caption="Tenants and their users"
        columns={TENANT_COLUMNS}
        rowsOf={({ tenants }) => tenants}
        empty={<Empty title="No tenant has users yet.">One is made by its first event or user.</Empty>}
      />
    </ConsolePage>
  )
}
