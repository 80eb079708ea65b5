import type { JSX } from 'preact'
import type { AdminKey } from '../../../../src/api/keys/types.ts'
import { call } from '../api.ts'
import { ApplicationKeys } from '../parts/keys/keys.tsx'
import { Card, Empty, Loaded, Page } from '../parts/page.tsx'
import { Badge, Time } from '../parts/person.tsx'
import { Table } from '../parts/table.tsx'
import type { PageOf } from '../router.ts'
import { useAnswer } from '../use-answer.ts'
import '../styles/more.css'

/** Who may call the APIs: admin keys of servers, and application keys of single users. */
export function Keys({ query }: PageOf): JSX.Element {
  return (
    <Page title="Keys">
      <div class="stack">
        <ApplicationKeys user={query.get('user')} />
        <AdminKeys />
      </div>
    </Page>
  )
}

function AdminKeys(): JSX.Element {
  const answer = useAnswer((signal) => call<readonly AdminKey[]>('GET', 'admin/v1/admin-keys', { signal }), [])
  return (
    <Card title="Admin keys" padded={false}>
      <p class="card-body muted">
        They may do everything. They are made, rotated and revoked on the server alone: <code>laurels keys</code>.
      </p>
      <Loaded answer={answer} what="the admin keys">
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="There are no admin keys" />
          ) : (
            <Table
              caption="Admin keys, without their secrets"
              columns={[
                { name: 'Key', isHeader: true, cell: ({ prefix }) => <code>{prefix}.…</code> },
                {
                  name: 'Status',
                  kind: 'fit',
                  cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>,
                },
                { name: 'Created', cell: ({ created }) => <Time at={created} /> },
                { name: 'Last used', cell: ({ lastUsed }) => (lastUsed === null ? 'never' : <Time at={lastUsed} />) },
              ]}
              rows={keys}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
