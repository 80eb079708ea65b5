import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route, useIdempotencyKey } from '../../../api.ts'
import type { MetricEventResponse, VoidEventResponse } from '../../../types.ts'
import { Check, Field, Input, Select, useText } from '../../controls.tsx'
import { Confirm } from '../../dialog.tsx'
import { formatChange, formatNumber } from '../../format.ts'
import { Loaded } from '../../page.tsx'
import { type ActionProps, useOfUser, usePageUser } from '../page-user.ts'

export function SendEvent({ close, metrics }: ActionProps): JSX.Element {
  const { user, changed } = usePageUser()
  const metric = useText(metrics[0]?.key)
  const value = useText('1')
  const attributes = useText()
  const idempotencyKey = useIdempotencyKey()
  const amount = Number(value.value)
  const isReady = metric.value !== '' && value.value.trim() !== '' && Number.isFinite(amount)

  const run = async (): Promise<string> => {
    const body = { user: { id: user.id }, value: amount, ...readAttributes(attributes.value) }
    const path = route`v1/metrics/${metric.value}/event`
    const answer = await call<MetricEventResponse>('POST', path, { body, idempotencyKey })
    changed()
    if (answer.held === true) return 'A limit of the metric holds the event back: approve it in the log.'
    const points = Object.values(answer.points).map(({ added, name }) => `${formatChange(added)} ${name}.`)
    const achievements = answer.achievements.map(({ name }) => `${name} completed.`)
    return [`The total is ${formatNumber(answer.total)}.`, ...achievements, ...points].join(' ')
  }

  return (
    <Confirm title="Send an event" verb="Send the event" isReady={isReady} run={run} close={close}>
      <p>It is recorded as happening now, with all that follows from it. It can be voided in the log.</p>
      <Select label="Metric" {...metric} choices={metrics} />
      <Input label="Value" type="number" step="any" required {...value} />
      <Field name="Attributes" hint="One a line, as source: mobile.">
        <textarea rows={2} onInput={({ currentTarget }) => attributes.change(currentTarget.value)} />
      </Field>
    </Confirm>
  )
}

function readAttributes(text: string): { readonly attributes?: { readonly [name: string]: string } } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return {}
  const pairs = lines.map((line) => {
    const [, name, value] = /^([^:]+):(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`Write "${line.trim()}" as name: value.`)
    return [name.trim(), value.trim()] as const
  })
  return { attributes: Object.fromEntries(pairs) }
}

interface EventActionProps {
  readonly event: string
  /** The event, in words. */
  readonly what: string
  readonly close: () => void
}

/** Voids an event after a preview. */
export function VoidEvent({ event, what, close }: EventActionProps): JSX.Element {
  const { changed } = usePageUser()
  const reason = useText()
  const [revoke, setRevoke] = useState(false)
  const body = { eventId: event, revoke }
  const preview = useOfUser(
    (_, signal) => call<VoidEventResponse>('POST', 'admin/v1/events/void/preview', { body, signal }),
    [event, revoke],
  )

  const run = async (): Promise<string> => {
    await call('POST', 'admin/v1/events/void', { body: { ...body, ...toReason(reason.value) } })
    changed()
    return 'The event is void.'
  }

  return (
    <Confirm title="Void the event" verb="Void the event" isDangerous run={run} close={close}>
      <p>
        <strong>{what}</strong> will not count any more. It stays in the log, marked as void, and its idempotency key
        stays used.
      </p>
      <Input {...REASON} {...reason} />
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

/** Lets an event count that a limit holds back. */
export function ApproveEvent({ event, what, close }: EventActionProps): JSX.Element {
  const { changed } = usePageUser()
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

/** The input of a reason. */
export const REASON = { label: 'Reason', hint: 'Kept in the log.', maxLength: 1_024 }

export function toReason(text: string): { readonly reason?: string } {
  return text.trim() === '' ? {} : { reason: text.trim() }
}
