import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { VoidEventResponse } from '../../../../../../src/engine/answers/wire/metric.ts'
import { call } from '../../../api.ts'
import { Confirm } from '../../confirm.tsx'
import { Check, Field } from '../../field.tsx'
import { formatChange, formatNumber } from '../../format.ts'
import { Loaded } from '../../page.tsx'
import { useAbout, useOfUser } from '../about.ts'

interface EventActionProps {
  /** The id of the event. */
  readonly event: string
  /** What it is, in words. */
  readonly what: string
  readonly close: () => void
}

/** Undoes an event, after showing what it would lead to. */
export function VoidEvent({ event, what, close }: EventActionProps): JSX.Element {
  const { changed } = useAbout()
  const [reason, setReason] = useState('')
  const [revoke, setRevoke] = useState(false)
  const body = { eventId: event, revoke, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }
  const preview = useOfUser(
    (_, signal) =>
      call<VoidEventResponse>('POST', 'admin/v1/events/void/preview', { body: { eventId: event, revoke }, signal }),
    [event, revoke],
  )

  const run = async (): Promise<string> => {
    await call('POST', 'admin/v1/events/void', { body })
    changed()
    return 'The event is void.'
  }

  return (
    <Confirm title="Void the event" verb="Void the event" isDangerous run={run} close={close}>
      <p>
        <strong>{what}</strong> will not count any more. It stays in the log, marked as void, and its idempotency key
        stays used.
      </p>
      <Field name="Reason" hint="Kept in the log.">
        <input value={reason} maxLength={1_024} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
      </Field>
      <Check
        name="Take back achievements that the user would not have without it"
        checked={revoke}
        change={setRevoke}
      />
      <section class="preview" aria-label="What it would lead to">
        <Loaded answer={preview} what="the preview">
          {(after) => <After after={after} />}
        </Loaded>
      </section>
    </Confirm>
  )
}

function After({ after }: { readonly after: VoidEventResponse }): JSX.Element {
  const { total, points, revokedAchievements, currentStreak, alreadyVoided } = after
  if (alreadyVoided) return <p>It is void already: nothing would change.</p>
  return (
    <ul>
      <li>
        The total of the metric becomes <b>{formatNumber(total)}</b>.
      </li>
      {Object.values(points).map(({ key, name, added, total: sum }) => (
        <li key={key}>
          <span dir="auto">{name}</span>: <b>{formatChange(added)}</b>, to {formatNumber(sum)}.
        </li>
      ))}
      <li>
        The streak becomes <b>{formatNumber(currentStreak.length)}</b>.
      </li>
      <li>
        {revokedAchievements.length === 0
          ? 'No achievement is taken back.'
          : `Taken back: ${revokedAchievements.map(({ name }) => name).join(', ')}.`}
      </li>
    </ul>
  )
}
