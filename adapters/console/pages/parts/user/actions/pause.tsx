import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CreatePausesResponse } from '../../../../../../src/engine/answers/wire/streak.ts'
import { call } from '../../../api.ts'
import { Confirm } from '../../confirm.tsx'
import { Field } from '../../field.tsx'
import { toLocalDate } from '../../time.tsx'
import { useAbout } from '../about.ts'
import { firstIssue } from './issues.ts'
import type { ActionProps } from './types.ts'

export function PauseStreak({ close }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const today = toLocalDate(new Date(), user.tz)
  const [start, setStart] = useState(today)
  const [end, setEnd] = useState(today)

  const run = async (): Promise<string> => {
    const body = { pauses: [{ userId: user.id, start, end }] }
    firstIssue(await call<CreatePausesResponse>('POST', 'admin/v1/streaks/pauses', { body }))
    changed()
    return 'The streak is paused.'
  }

  return (
    <Confirm
      title="Pause the streak"
      verb="Pause the streak"
      isReady={start !== '' && end >= start}
      run={run}
      close={close}
    >
      <p>On these dates of the user, both included, the streak cannot be lost. At most 366 days.</p>
      <Field name="First date">
        <input
          type="date"
          required
          min={today}
          value={start}
          onInput={({ currentTarget }) => setStart(currentTarget.value)}
        />
      </Field>
      <Field name="Last date">
        <input
          type="date"
          required
          min={start}
          value={end}
          onInput={({ currentTarget }) => setEnd(currentTarget.value)}
        />
      </Field>
    </Confirm>
  )
}
