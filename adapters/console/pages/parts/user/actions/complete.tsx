import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AchievementCompletionResponse } from '../../../../../../src/engine/answers/wire/achievement.ts'
import { call, route } from '../../../api.ts'
import { Confirm } from '../../confirm.tsx'
import { Field } from '../../field.tsx'
import { formatChange } from '../../format.ts'
import { useAbout } from '../about.ts'
import type { ActionProps } from './types.ts'

/** Only achievements with the trigger `api` are completed by a call. */
export function CompleteAchievement({ close, achievements }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const choices = achievements.filter(({ trigger }) => trigger === 'api')
  const [key, setKey] = useState(choices[0]?.key ?? '')
  const chosen = choices.find((achievement) => achievement.key === key)
  const has = chosen?.achievedAt !== null && chosen?.achievedAt !== undefined

  const run = async (): Promise<string> => {
    // Of one that repeats each key completes it once more.
    const headers = chosen?.count === undefined ? {} : { 'idempotency-key': crypto.randomUUID() }
    const body = { user: { id: user.id } }
    const answer = await call<AchievementCompletionResponse>('POST', route`v1/achievements/${key}/complete`, {
      body,
      headers,
    })
    changed()
    const paid = Object.values(answer.points).map(({ added, name }) => `${formatChange(added)} ${name}`)
    return [`${answer.achievement.name} is completed.`, ...paid].join(' ')
  }

  return (
    <Confirm title="Complete an achievement" verb="Complete it" isReady={chosen !== undefined} run={run} close={close}>
      <p>The user has the achievement from now on, with what it pays. That cannot be taken back.</p>
      <Field name="Achievement">
        <select value={key} onChange={({ currentTarget }) => setKey(currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice.key} value={choice.key}>
              {choice.name}
            </option>
          ))}
        </select>
      </Field>
      {has && (
        <p class="muted">The user has it already{chosen?.count === undefined ? ': nothing would change' : ''}.</p>
      )}
    </Confirm>
  )
}
