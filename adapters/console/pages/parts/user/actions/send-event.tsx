import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { MetricEventResponse } from '../../../../../../src/engine/answers/wire/metric.ts'
import { call, route } from '../../../api.ts'
import { Confirm } from '../../confirm.tsx'
import { Field } from '../../field.tsx'
import { formatChange, formatNumber } from '../../format.ts'
import { useAbout } from '../about.ts'
import type { ActionProps } from './types.ts'

/** Sent twice by accident, it counts once: each dialog has one key. */
export function SendEvent({ close, metrics }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const [metric, setMetric] = useState(metrics[0]?.key ?? '')
  const [value, setValue] = useState('1')
  const [attributes, setAttributes] = useState('')
  const [key] = useState(() => `console-${crypto.randomUUID()}`)
  const amount = Number(value)
  const isReady = metric !== '' && value.trim() !== '' && Number.isFinite(amount)

  const run = async (): Promise<string> => {
    const body = { user: { id: user.id }, value: amount, ...readAttributes(attributes) }
    const headers = { 'idempotency-key': key }
    const answer = await call<MetricEventResponse>('POST', route`v1/metrics/${metric}/event`, { body, headers })
    changed()
    if (answer.held === true) return 'A limit of the metric holds the event back: approve it in the log.'
    const points = Object.values(answer.points).map(({ added, name }) => `${formatChange(added)} ${name}.`)
    const achievements = answer.achievements.map(({ name }) => `${name} completed.`)
    return [`The total is ${formatNumber(answer.total)}.`, ...achievements, ...points].join(' ')
  }

  return (
    <Confirm title="Send an event" verb="Send the event" isReady={isReady} run={run} close={close}>
      <p>It is recorded as happening now, with all that follows from it. It can be voided in the log.</p>
      <Field name="Metric">
        <select value={metric} onChange={({ currentTarget }) => setMetric(currentTarget.value)}>
          {metrics.map((each) => (
            <option key={each.key} value={each.key}>
              {each.name}
            </option>
          ))}
        </select>
      </Field>
      <Field name="Value">
        <input
          type="number"
          step="any"
          required
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.value)}
        />
      </Field>
      <Field name="Attributes" hint="One a line, as source: mobile.">
        <textarea rows={2} value={attributes} onInput={({ currentTarget }) => setAttributes(currentTarget.value)} />
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
