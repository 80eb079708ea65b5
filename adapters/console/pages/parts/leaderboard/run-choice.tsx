import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { LeaderboardRunItem, LeaderboardRuns } from '../../../../../src/engine/answers/wire/leaderboard.ts'
import { call, route } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import { useAnswer } from '../../use-answer.ts'
import { Field } from '../field.tsx'
import { Failure } from '../page.tsx'
import { toRunText } from '../run-dates.tsx'

interface RunChoiceProps {
  readonly leaderboard: string
  /** Key of a run; null: the current one. */
  readonly chosen: string | null
}

/** Which run is shown: the current one, or one in which somebody has a place. */
export function RunChoice({ leaderboard, chosen }: RunChoiceProps): JSX.Element {
  const [before, setBefore] = useState<string | null>(null)
  const [runs, setRuns] = useState<readonly LeaderboardRunItem[]>([])
  const { data, error, reload } = useAnswer(
    (signal) =>
      call<LeaderboardRuns>('GET', route`admin/v1/leaderboards/${leaderboard}/runs`, {
        query: { limit: 50, before },
        signal,
      }),
    [leaderboard, before],
  )
  useEffect(() => {
    if (data !== null)
      setRuns((known) => [...known.filter(({ key }) => !data.runs.some((run) => run.key === key)), ...data.runs])
  }, [data])
  if (error !== null) return <Failure error={error} what="the runs" retry={reload} />
  const isOther = chosen !== null && !runs.some(({ key }) => key === chosen)
  const older = data?.before ?? null
  return (
    <>
      <Field name="Run">
        <select
          value={chosen ?? ''}
          onChange={(event) =>
            navigate(withQuery({ run: event.currentTarget.value || null, offset: null, group: null }))
          }
        >
          <option value="">The current run</option>
          {isOther && <option value={chosen}>{chosen}</option>}
          {runs.map((run) => (
            <option key={run.key} value={run.key}>
              {toRunText(run)}
            </option>
          ))}
        </select>
      </Field>
      {older !== null && (
        <button type="button" onClick={() => setBefore(older)}>
          More runs
        </button>
      )}
    </>
  )
}
