import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type {
  CreateApplicationKeysResponse,
  CreatedApplicationKey,
} from '../../../../../src/engine/answers/wire/keys.ts'
import type { User } from '../../../../../src/engine/answers/wire/user.ts'
import { call } from '../../api.ts'
import { Confirm } from '../confirm.tsx'
import { Check, Field } from '../field.tsx'
import { UserChoice } from '../user-choice.tsx'

interface CreateKeyProps {
  readonly done: (key: CreatedApplicationKey) => void
  readonly close: () => void
}

const CAN: readonly (readonly [can: string, name: string])[] = [
  ['read', 'read what is there of the user'],
  ['events', 'send events'],
  ['achievements', 'complete achievements'],
  ['profile', 'change the profile and the preferences'],
  ['attributes', 'set attributes'],
]

/** Asks for whom, for what and for how long; each narrows what the game lets clients do. */
export function CreateKey({ done, close }: CreateKeyProps): JSX.Element {
  const [user, setUser] = useState<User | null>(null)
  const [isAll, setIsAll] = useState(true)
  const [can, setCan] = useState<readonly string[]>(['read'])
  const [days, setDays] = useState('')
  const create = async (): Promise<void> => {
    const ends = days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }
    const { created, issues } = await call<CreateApplicationKeysResponse>('POST', 'admin/v1/application-api-keys', {
      body: [{ userId: user?.id, ...(isAll ? {} : { can }), ...ends }],
    })
    const [key] = created
    if (key === undefined) throw new Error(issues[0]?.message ?? 'No key was made.')
    done(key)
  }
  return (
    <Confirm
      title="Create an application key"
      verb="Create the key"
      isReady={user !== null && (isAll || can.length > 0) && /^(?:|[1-9]\d{0,3})$/.test(days)}
      run={create}
      close={close}
    >
      <UserChoice choose={setUser} />
      <fieldset class="stack tight">
        <legend>What it is for</legend>
        <Check name="All that the game lets clients do" checked={isAll} change={setIsAll} />
        {!isAll &&
          CAN.map(([each, name]) => (
            <Check
              key={each}
              name={name}
              checked={can.includes(each)}
              change={(checked) => setCan(checked ? [...can, each] : can.filter((other) => other !== each))}
            />
          ))}
      </fieldset>
      <Field name="Ends after so many days" hint="Empty: never.">
        <input
          value={days}
          inputMode="numeric"
          autocomplete="off"
          onInput={(event) => setDays(event.currentTarget.value)}
        />
      </Field>
      <p>Whoever has the key acts for this user until it is deleted. It is shown once, when it is made.</p>
    </Confirm>
  )
}
