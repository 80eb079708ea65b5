import type { ClaimOptions, Delivery, SettledDelivery } from '../../src/storage-outbox.ts'
import { DELIVERY, toSettledRow } from '../sql/deliveries.ts'
import type { Statement } from '../sql/statement.ts'
import type { DeliveriesTable } from '../sql/tables.ts'
import { quote } from './quote.ts'

interface ClaimRequest extends ClaimOptions {
  readonly found: readonly Pick<Delivery, 'receiver' | 'position'>[]
}

interface ReplayRequest {
  readonly receiver: string
  readonly positions: readonly number[]
  readonly now: number
}

export interface ClaimStatements {
  readonly claim: Statement<ClaimRequest, DeliveriesTable>
  readonly settle: Statement<readonly SettledDelivery[], unknown>
  /** Returns a row for each delivery that it changed. */
  readonly replay: Statement<ReplayRequest, unknown>
}

/** Rows are locked one by one. A claim skips locked rows; the others lock in the order of the key, against deadlocks. */
export function claimStatements(schema: string): ClaimStatements {
  const deliveries = `${quote(schema)}.deliveries`
  const isSame = 'd.receiver = l.receiver and d.position = l.position'
  return {
    claim: {
      text: `with l as materialized (
        select d.receiver, d.position from ${deliveries} d
          where (d.receiver, d.position) in (
              select f.receiver, f.position from jsonb_to_recordset($1::text::jsonb) as f(receiver text, position bigint)
            )
            and d.state = 'waiting' and d.next_at <= $2::bigint and d.claimed_until <= $3::bigint
          order by d.next_at, d.position limit $4::bigint for update skip locked
      )
      update ${deliveries} d set claim = $5::text, claimed_until = $6::bigint from l where ${isSame}
        returning ${DELIVERY.map((column) => `d.${column}`).join(', ')}`,
      toValues: ({ found, now, leaseNow, limit, claim, until }) => {
        const keys = found.map(({ receiver, position }) => ({ receiver, position }))
        return [JSON.stringify(keys), now, leaseNow, limit, claim, until]
      },
    },
    settle: {
      text: `with r as materialized (
        select * from jsonb_to_recordset($1::text::jsonb)
          as r(receiver text, position bigint, claim text, state text, tries bigint, next_at bigint, log text)
      ), l as materialized (
        select d.receiver, d.position from ${deliveries} d join r using (receiver, position) where d.claim = r.claim
          order by d.receiver, d.position for update of d
      )
      update ${deliveries} d
        set state = r.state, tries = r.tries, next_at = r.next_at, log = r.log, claim = null, claimed_until = 0
        from l join r using (receiver, position) where ${isSame} returning d.position`,
      toValues: (settled) => [JSON.stringify(settled.map(toSettledRow))],
    },
    replay: {
      text: `with l as materialized (
        select d.receiver, d.position from ${deliveries} d
          where d.receiver = $1::text and d.state <> 'waiting'
            and d.position in (select value::bigint from jsonb_array_elements_text($2::text::jsonb))
          order by d.position for update
      )
      update ${deliveries} d set state = 'waiting', tries = 0, next_at = $3::bigint, claim = null, claimed_until = 0
        from l where ${isSame} returning d.position`,
      toValues: ({ receiver, positions, now }) => [receiver, JSON.stringify(positions), now],
    },
  }
}
