import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type {
  CreateFreezesResponse,
  CreatePausesResponse,
  DeletePausesResponse,
} from '../../../../../../src/api/streaks/types.ts'
import { call } from '../../../api.ts'
import { Field } from '../../choice.tsx'
import { Confirm } from '../../dialog.tsx'
import { plural } from '../../format.ts'
import { toLocalDate } from '../../person.tsx'
import { useAbout } from '../about.ts'
import { type ActionProps, firstIssue } from './types.ts'

interface StreakChoiceProps {
  readonly streaks: readonly { readonly key: string; readonly name: string }[]
  /** Empty: the game's `streak`. */
  readonly value: string
  readonly choose: (key: string) => void
}

/** Not there where the game has no named streaks. */
function StreakChoice({ streaks, value, choose }: StreakChoiceProps): JSX.Element | null {
  if (streaks.length === 0) return null
  return (
    <Field name="Streak">
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">The streak</option>
        {streaks.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function GiveFreezes({ close, streaks }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const [count, setCount] = useState('1')
  const [streak, setStreak] = useState('')
  const wanted = Math.trunc(Number(count))
  const isReady = wanted >= 1 && wanted <= 100

  const run = async (): Promise<string> => {
    const freezes = Array.from({ length: wanted }, () => ({ userId: user.id }))
    const body = { freezes, ...(streak === '' ? {} : { streak }) }
    firstIssue(await call<CreateFreezesResponse>('POST', 'admin/v1/streaks/freezes', { body }))
    changed()
    return `${plural(wanted, 'freeze')} given.`
  }

  return (
    <Confirm
      title="Give freezes"
      verb={isReady ? `Give ${plural(wanted, 'freeze')}` : 'Give'}
      isReady={isReady}
      run={run}
      close={close}
    >
      <p>A freeze saves the streak on a day without anything that counts. More than the game allows are not kept.</p>
      <Field name="How many">
        <input
          type="number"
          min={1}
          max={100}
          required
          value={count}
          onInput={({ currentTarget }) => setCount(currentTarget.value)}
        />
      </Field>
      <StreakChoice streaks={streaks} value={streak} choose={setStreak} />
    </Confirm>
  )
}

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

export function EndPause({ id, close }: { readonly id: string; readonly close: () => void }): JSX.Element {
  const { changed } = useAbout()
  const run = async (): Promise<string> => {
    firstIssue(await call<DeletePausesResponse>('DELETE', 'admin/v1/streaks/pauses', { query: { ids: [id] } }))
    changed()
    return 'The pause is ended.'
  }
  return (
    <Confirm title="End the pause" verb="End the pause" run={run} close={close}>
      <p>From today on, days without anything that counts make the user lose the streak again.</p>
    </Confirm>
  )
}
