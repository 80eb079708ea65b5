import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { DeletedUser } from '../../../../../../src/engine/answers/wire/users.ts'
import { call, route } from '../../../api.ts'
import { navigate, toPath } from '../../../router.ts'
import { Confirm } from '../../confirm.tsx'
import { Check, Field } from '../../field.tsx'
import { useAbout } from '../about.ts'
import type { ActionProps } from './types.ts'

export function DeleteUser({ close }: ActionProps): JSX.Element {
  const { user } = useAbout()
  const [typed, setTyped] = useState('')
  const [isKept, setIsKept] = useState(false)
  const run = async (): Promise<string> => {
    const query = { keep: isKept ? 'anonymous' : 'nothing' }
    const { anonymousId } = await call<DeletedUser>('DELETE', route`admin/v1/users/${user.id}`, { query })
    navigate(toPath(['users']))
    return anonymousId === null
      ? 'The user is deleted.'
      : `The user is deleted; what was done stays under ${anonymousId}.`
  }
  return (
    <Confirm
      title="Delete the user"
      verb="Delete for good"
      isDangerous
      isReady={typed === user.id}
      run={run}
      close={close}
    >
      <p>
        The profile, the log and all that followed from it are deleted for good, in this database. Nobody can bring them
        back.
      </p>
      <Check name="Keep what was done, without the profile, under a random id" checked={isKept} change={setIsKept} />
      <Field name="Type the id to confirm" hint={user.id}>
        <input
          value={typed}
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Field>
    </Confirm>
  )
}
