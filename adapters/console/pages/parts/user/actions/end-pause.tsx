import type { JSX } from 'preact'
import type { DeletePausesResponse } from '../../../../../../src/engine/answers/wire/streak.ts'
import { call } from '../../../api.ts'
import { Confirm } from '../../confirm.tsx'
import { useAbout } from '../about.ts'
import { firstIssue } from './issues.ts'

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
