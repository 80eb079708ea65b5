import type { JSX } from 'preact'
import type { TenantsResponse } from '../../../../src/engine/answers/wire/users.ts'
import { call } from '../api.ts'
import { navigate, toPath, withQuery } from '../router.ts'
import { useAnswer } from '../use-answer.ts'
import { Card } from './card.tsx'
import { Empty } from './empty.tsx'
import { formatNumber } from './format.ts'
import { Loaded, Page } from './page.tsx'
import { Pager, usePages } from './pager.tsx'
import { Table } from './table.tsx'

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
            {tenants.length === 0 ? (
              <Empty title="No tenant has users yet.">One is made by its first event or user.</Empty>
            ) : (
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
              />
            )}
            <Pager pages={pages} next={after} />
          </Card>
        )}
      </Loaded>
    </Page>
  )
}
