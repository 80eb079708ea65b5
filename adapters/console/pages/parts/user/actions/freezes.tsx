import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CreateFreezesResponse } from '../../../../../../src/engine/answers/wire/streak.ts'
import { call } from '../../../api.ts'
import { Confirm } from '../../confirm.tsx'
import { Field } from '../../field.tsx'
import { plural } from '../../format.ts'
import { useAbout } from '../about.ts'
import { firstIssue } from './issues.ts'
import { StreakChoice } from './streak-choice.tsx'
import type { ActionProps } from './types.ts'

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
