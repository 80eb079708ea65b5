import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route } from '../../../api.ts'
import { Confirm } from '../../confirm.tsx'
import { Field } from '../../field.tsx'
import { useAbout } from '../about.ts'
import type { ActionProps } from './types.ts'

export function Suspend({ close }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const [reason, setReason] = useState('')
  const run = async (): Promise<string> => {
    const body = reason.trim() === '' ? {} : { reason: reason.trim() }
    await call('POST', route`admin/v1/users/${user.id}/suspend`, { body })
    changed()
    return 'The user is suspended from leaderboards.'
  }
  return (
    <Confirm title="Suspend the user" verb="Suspend the user" isDangerous run={run} close={close}>
      <p>
        The user disappears from all leaderboards, and those below move up. All else goes on as before; restoring puts
        the user back where it would be.
      </p>
      <Field name="Reason" hint="For those who ask later: the user is not told.">
        <input value={reason} maxLength={1_024} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
      </Field>
    </Confirm>
  )
}

export function Restore({ close }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const run = async (): Promise<string> => {
    await call('POST', route`admin/v1/users/${user.id}/restore`, { body: {} })
    changed()
    return 'The user is back on leaderboards.'
  }
  return (
    <Confirm title="Restore the user" verb="Restore the user" run={run} close={close}>
      <p>The user is on leaderboards again, with all that was done meanwhile.</p>
    </Confirm>
  )
}
