import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ApplicationKey, CreatedApplicationKey } from '../../../../../src/engine/answers/wire/keys.ts'
import { call } from '../../api.ts'
import { useMayWrite } from '../../session.ts'
import { useAnswer } from '../../use-answer.ts'
import { Card } from '../card.tsx'
import { Empty } from '../empty.tsx'
import { Loaded } from '../page.tsx'
import { Pager, usePages } from '../pager.tsx'
import { Secret } from '../secret.tsx'
import { ShowUser } from '../show-user.tsx'
import { CreateKey } from './create-key.tsx'
import { DeleteKey } from './delete-key.tsx'
import { KeyTable } from './key-table.tsx'

const ON_A_PAGE = 50

interface ApplicationKeysProps {
  /** Whose keys are shown; null: those of all. */
  readonly user: string | null
}

/** Keys of single users: a list, and in write access making and deleting them. */
export function ApplicationKeys({ user }: ApplicationKeysProps): JSX.Element {
  const mayWrite = useMayWrite()
  const [isCreating, setIsCreating] = useState(false)
  const [deleted, setDeleted] = useState<ApplicationKey | null>(null)
  const [made, setMade] = useState<CreatedApplicationKey | null>(null)
  const pages = usePages<string>([user])
  const answer = useAnswer(
    (signal) =>
      call<readonly ApplicationKey[]>('GET', 'admin/v1/application-api-keys', {
        query: { userId: user, limit: ON_A_PAGE, after: pages.cursor },
        signal,
      }),
    [user, pages.cursor],
  )
  return (
    <Card
      title="Application keys"
      padded={false}
      actions={
        mayWrite && (
          <button type="button" class="primary" onClick={() => setIsCreating(true)}>
            Create a key…
          </button>
        )
      }
    >
      <div class="card-body stack">
        <p class="muted">Each is for one user, safe in that user's browser or app.</p>
        {made !== null && (
          <Secret title={`The key of the user ${made.userId}.`} secret={made.key} close={() => setMade(null)} />
        )}
        <ShowUser key={user} name="Of a user" chosen={user} back="Of all users" />
      </div>
      <Loaded answer={answer} what="the application keys">
        {(keys) =>
          keys.length === 0 ? (
            <Empty
              title={user === null ? 'There are no application keys' : `The user ${user} has no application keys`}
            />
          ) : (
            <>
              <KeyTable keys={keys} remove={mayWrite ? setDeleted : null} />
              <Pager pages={pages} next={keys.length < ON_A_PAGE ? null : keys.at(-1)?.id} />
            </>
          )
        }
      </Loaded>
      {isCreating && (
        <CreateKey
          done={(key) => {
            setMade(key)
            answer.reload()
          }}
          close={() => setIsCreating(false)}
        />
      )}
      {deleted !== null && <DeleteKey of={deleted} done={answer.reload} close={() => setDeleted(null)} />}
    </Card>
  )
}
