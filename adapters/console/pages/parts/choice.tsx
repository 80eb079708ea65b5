import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError, call, route } from '../api.ts'
import { navigate, toPath, withQuery } from '../router.ts'
import type { TenantsResponse, User } from '../types.ts'
import { useAnswer, useDebounced } from '../use-answer.ts'
import { Field } from './controls.tsx'
import { formatNumber } from './format.ts'
import { Card, Empty, Loaded, Page } from './page.tsx'
import { Pager, Table, usePages } from './table.tsx'

/** Asks for the id of a user, and shows the user. `choose` receives `null` if there is no such user. */
export function UserChoice({ choose }: { readonly choose: (user: User | null) => void }): JSX.Element {
  const [id, setId] = useState('')
  const wanted = useDebounced(id.trim(), 250)
  const { data, error, isLoading } = useAnswer(
    async (signal) => (wanted === '' ? null : call<User>('GET', route`v1/users/${wanted}`, { signal })),
    [wanted],
  )
  const found = wanted === id.trim() && error === null && data?.id === wanted ? data : null
  useEffect(() => choose(found), [found])
  return (
    <div class="stack tight">
      <Field name="Id of the user">
        <input value={id} onInput={(event) => setId(event.currentTarget.value)} autocomplete="off" required />
      </Field>
      <p class="muted" role="status">
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

/** Every request names a tenant, and this one is answered for all of them. */
const OF_ALL = { headers: { 'tenant-id': 'any' } }

/** Whose users the pages show. It is part of the address: a link leads to the same tenant. */
export function TenantChoice({ tenant }: { readonly tenant: string | null }): JSX.Element {
  const known = useAnswer(
    (signal) => call<TenantsResponse>('GET', 'admin/v1/tenants', { ...OF_ALL, query: { limit: 1_000 }, signal }),
    [],
  )
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

/** In place of every page while no tenant is chosen. */
export function ChooseTenant(): JSX.Element {
  const pages = usePages<string>([])
  const answer = useAnswer(
    (signal) =>
      call<TenantsResponse>('GET', 'admin/v1/tenants', {
        ...OF_ALL,
        query: { limit: 50, after: pages.cursor },
        signal,
      }),
    [pages.cursor],
  )
  return (
    <Page title="Choose a tenant">
      <Loaded answer={answer} what="the tenants">
        {({ tenants, after }) => (
          <Card title="Tenants" padded={false}>
            <Table
              caption="Tenants and their users"
              columns={[
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
              ]}
              rows={tenants}
              keyOf={({ id }) => id}
              empty={<Empty title="No tenant has users yet.">One is made by its first event or user.</Empty>}
            >
              <Pager pages={pages} next={after} />
            </Table>
          </Card>
        )}
      </Loaded>
    </Page>
  )
}
