import type { JSX } from 'preact'
import { call } from '../../../api.ts'
import type { CreateFreezesResponse, CreatePausesResponse, DeletePausesResponse } from '../../../types.ts'
import { Input, Select, useText } from '../../controls.tsx'
import { Confirm } from '../../dialog.tsx'
import { countOf } from '../../format.ts'
import { toLocalDate } from '../../time.tsx'
import { type ActionProps, usePageUser } from '../page-user.ts'

/** Throws the first issue of a call for several users. */
function firstIssue({ issues }: { readonly issues: readonly { readonly message: string }[] }): void {
  const [issue] = issues
  if (issue !== undefined) throw new Error(issue.message)
}

export function GiveFreezes({ close, streaks }: ActionProps): JSX.Element {
  const { user, changed } = usePageUser()
  const count = useText('1')
  const streak = useText()
  const wanted = Math.trunc(Number(count.value))
  const isReady = wanted >= 1 && wanted <= 100
  const choices = [{ key: '', name: 'The streak' }, ...streaks.map(({ key }) => ({ key, name: key }))]

  const run = async (): Promise<string> => {
    const freezes = Array.from({ length: wanted }, () => ({ userId: user.id }))
    const body = { freezes, ...(streak.value === '' ? {} : { streak: streak.value }) }
    firstIssue(await call<CreateFreezesResponse>('POST', 'admin/v1/streaks/freezes', { body }))
    changed()
    return `${countOf(wanted, 'freeze')} given.`
  }

  return (
    <Confirm
      title="Give freezes"
      verb={isReady ? `Give ${countOf(wanted, 'freeze')}` : 'Give'}
      isReady={isReady}
      run={run}
      close={close}
    >
      <p>A freeze saves the streak on a day without anything that counts. More than the game allows are not kept.</p>
      <Input label="How many" type="number" min={1} max={100} required {...count} />
      {streaks.length > 0 && <Select label="Streak" {...streak} choices={choices} />}
    </Confirm>
  )
}

export function PauseStreak({ close }: ActionProps): JSX.Element {
  const { user, changed } = usePageUser()
  const today = toLocalDate(new Date(), user.tz)
  const start = useText(today)
  const end = useText(today)

  const run = async (): Promise<string> => {
    const body = { pauses: [{ userId: user.id, start: start.value, end: end.value }] }
    firstIssue(await call<CreatePausesResponse>('POST', 'admin/v1/streaks/pauses', { body }))
    changed()
    return 'The streak is paused.'
  }

  return (
    <Confirm
      title="Pause the streak"
      verb="Pause the streak"
      isReady={start.value !== '' && end.value >= start.value}
      run={run}
      close={close}
    >
      <p>On these dates of the user, both included, the streak cannot be lost. At most 366 days.</p>
      <Input label="First date" type="date" required min={today} {...start} />
      <Input label="Last date" type="date" required min={start.value} {...end} />
    </Confirm>
  )
}

export function EndPause({ id, close }: { readonly id: string; readonly close: () => void }): JSX.Element {
  const { changed } = usePageUser()
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
