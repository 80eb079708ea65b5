import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { User } from '../../../../src/engine/answers/wire/user.ts'
import { call, route } from '../api.ts'
import { Confirm } from './confirm.tsx'
import { UserChoice } from './user-choice.tsx'

interface CompleteForProps {
  readonly achievement: string
  readonly name: string
  /** Whether it can be completed again. */
  readonly repeats: boolean
  readonly done: () => void
  readonly close: () => void
}

/** Asks for whom an achievement is completed, and says what that does. */
export function CompleteFor({ achievement, name, repeats, done, close }: CompleteForProps): JSX.Element {
  const [user, setUser] = useState<User | null>(null)
  const [key] = useState(() => `console-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`)
  const complete = async (): Promise<string> => {
    await call('POST', route`v1/achievements/${achievement}/complete`, {
      body: { user: { id: user?.id } },
      // Sent again after an answer was lost, it is the same completion.
      headers: { 'idempotency-key': key },
    })
    done()
    return `${user?.name ?? user?.id} has ${name}.`
  }
  return (
    <Confirm
      title={`Complete ${name} for a user`}
      verb="Complete it"
      isReady={user !== null}
      run={complete}
      close={close}
    >
      <UserChoice choose={setUser} />
      <p>
        The user gets <strong>{name}</strong> now, with the points that it pays.{' '}
        {repeats ? 'Who has it already has it once more.' : 'For who has it already nothing changes.'} It cannot be
        taken back here.
      </p>
    </Confirm>
  )
}
