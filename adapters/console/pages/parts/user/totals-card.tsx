import type { JSX } from 'preact'
import type { MetricResponse } from '../../../../../src/api/events/types.ts'
import { formatNumber } from '../format.ts'
import { Card, Empty } from '../page.tsx'
import { Table } from '../table.tsx'

export function TotalsCard({ metrics }: { readonly metrics: readonly MetricResponse[] }): JSX.Element {
  return (
    <Card title="Totals" padded={false}>
      {metrics.length === 0 ? (
        <Empty title="The game has no active metric." />
      ) : (
        <Table
          caption="The user's total of each metric"
          columns={[
            { name: 'Metric', isHeader: true, cell: ({ name }) => <span dir="auto">{name}</span> },
            {
              name: 'Total',
              kind: 'number',
              cell: ({ key, current }) => <span data-total={key}>{formatNumber(current)}</span>,
            },
          ]}
          rows={metrics}
          keyOf={({ key }) => key}
        />
      )}
    </Card>
  )
}
