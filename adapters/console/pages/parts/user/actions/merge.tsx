import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { User } from '../../../../../../src/engine/answers/wire/user.ts'
import type { MergeResponse } from '../../../../../../src/engine/answers/wire/users.ts'
import { call, route } from '../../../api.ts'
import { navigate, toPath } from '../../../router.ts'
import { useAnswer } from '../../../use-answer.ts'
import { Confirm } from '../../confirm.tsx'
import { Field } from '../../field.tsx'
import { plural } from '../../format.ts'
import { useDebounced } from '../../use-debounced.ts'
import { useAbout } from '../about.ts'
import type { ActionProps } from './types.ts'

export function Merge({ close }: ActionProps): JSX.Element {
  const { user } = useAbout()
  const [into, setInto] = useState('')
  const id = useDebounced(into.trim())
  const found = useAnswer(
    async (signal) => (id === '' || id === user.id ? null : call<User>('GET', route`v1/users/${id}`, { signal })),
    [id],
  )
  const isReady = found.data !== null && id === into.trim()

  const run = async (): Promise<string> => {
    const answer = await call<MergeResponse>('POST', route`admin/v1/users/${user.id}/merge`, { body: { into: id } })
    navigate(toPath(['users', answer.into]))
    return `${plural(answer.entries, 'entry', 'entries')} moved.`
  }

  return (
    <Confirm title="Merge into another user" verb="Merge" isDangerous isReady={isReady} run={run} close={close}>
      <p>
        All that <strong dir="auto">{user.name ?? user.id}</strong> has done moves to the other user, whose progress is
        computed from both. The id <span dir="auto">{user.id}</span> is another name for that user then. That cannot be
        undone.
      </p>
      <Field name="Id of the user that goes on">
        <input
          value={into}
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setInto(currentTarget.value)}
        />
      </Field>
      <p role="status" dir="auto">
        {found.data !== null && `Into ${found.data.name ?? 'a user without a name'} (${found.data.id}).`}
        {found.error !== null && <span class="bad">There is no such user.</span>}
      </p>
    </Confirm>
  )
}
