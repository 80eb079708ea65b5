import type { JSX } from 'preact'
import { call } from '../../../api.ts'
import { Confirm } from '../../confirm.tsx'
import { useAbout } from '../about.ts'

interface ApproveEventProps {
  readonly event: string
  readonly what: string
  readonly close: () => void
}

/** Lets an event count that a limit holds back. */
export function ApproveEvent({ event, what, close }: ApproveEventProps): JSX.Element {
  const { changed } = useAbout()
  const run = async (): Promise<string> => {
    await call('POST', 'admin/v1/events/approve', { body: { eventId: event } })
    changed()
    return 'The event counts.'
  }
  return (
    <Confirm title="Approve the event" verb="Approve the event" run={run} close={close}>
      <p>
        <strong>{what}</strong> is held back by a limit of its metric. Approved, it counts as of when it happened:
        totals, points, achievements and the streak follow.
      </p>
    </Confirm>
  )
}
