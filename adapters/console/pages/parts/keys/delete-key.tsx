import type { JSX } from 'preact'
import type { ApplicationKey, DeleteApplicationKeysResponse } from '../../../../../src/engine/answers/wire/keys.ts'
import { call } from '../../api.ts'
import { Confirm } from '../confirm.tsx'

interface DeleteKeyProps {
  readonly of: ApplicationKey
  readonly done: () => void
  readonly close: () => void
}

export function DeleteKey({ of: { id, prefix, userId }, done, close }: DeleteKeyProps): JSX.Element {
  const remove = async (): Promise<string> => {
    const { issues } = await call<DeleteApplicationKeysResponse>('DELETE', 'admin/v1/application-api-keys', {
      query: { ids: id },
    })
    const problem = issues.find(({ severity }) => severity === 'error')
    if (problem !== undefined) throw new Error(problem.message)
    done()
    return `The key ${prefix} is deleted.`
  }
  return (
    <Confirm title={`Delete the key ${prefix}?`} verb="Delete the key" isDangerous run={remove} close={close}>
      <p>
        What the user <strong>{userId}</strong> runs with this key is refused from now on. It cannot be taken back. What
        it has written stays.
      </p>
    </Confirm>
  )
}
