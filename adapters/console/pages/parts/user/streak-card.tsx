import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { UserStreak } from '../../../../../src/api/streaks/types.ts'
import { useMayWrite } from '../../api.ts'
import { Button, Field, Form, Input } from '../controls.tsx'
import { Dialog } from '../dialog.tsx'
import { formatDate, formatNumber } from '../format.ts'
import { Card, Element, Facts } from '../page.tsx'
import { Badge, toLocalDate } from '../person.tsx'
import { useAbout } from './about.ts'
import { EndPause } from './actions/events.tsx'
import { ExplainNow } from './explanation.tsx'

interface StreakCardProps {
  readonly title: string
  readonly streak: UserStreak
  /** null: the game's `streak`. */
  readonly streakKey: string | null
}

/** A streak: the length, a calendar of the last year, and why a date is what it is. */
export function StreakCard({ title, streak, streakKey }: StreakCardProps): JSX.Element {
  const { started, pauses, rank } = streak
  const isPaused = pauses.length > 0
  return (
    <Card title={title} actions={isPaused && <Badge tone="warn">paused, or will be</Badge>}>
      <div class="stack">
        <Element name="laurels-streak" data={streak} />
        {(started !== null || rank !== null || isPaused) && (
          <Facts
            facts={[
              ['Since', started === null ? null : formatDate(started)],
              ['Rank', rank === null ? null : `#${formatNumber(rank)}`],
              [
                'Pauses',
                isPaused ? (
                  <ul class="plain-list">
                    {pauses.map((pause) => (
                      <Pause key={pause.id} {...pause} />
                    ))}
                  </ul>
                ) : null,
              ],
            ]}
          />
        )}
        <ExplainDate streakKey={streakKey} current={streak.streakHistory.at(-1)?.periodStart ?? null} />
      </div>
    </Card>
  )
}

function Pause({ id, start, end }: UserStreak['pauses'][number]): JSX.Element {
  const mayWrite = useMayWrite()
  const [isEnding, setIsEnding] = useState(false)
  return (
    <li class="row">
      {formatDate(start)} to {formatDate(end)}
      {mayWrite && (
        <Button class="small" onClick={() => setIsEnding(true)}>
          End the pause
        </Button>
      )}
      {isEnding && <EndPause id={id} close={() => setIsEnding(false)} />}
    </li>
  )
}

interface ExplainDateProps {
  readonly streakKey: string | null
  /** The first date of the current period, in which the streak can still be extended; null: unknown. */
  readonly current: string | null
}

/** What became of the streak on a date, and why. */
function ExplainDate({ streakKey, current }: ExplainDateProps): JSX.Element {
  const { user } = useAbout()
  const [date, setDate] = useState(() => toLocalDate(new Date(), user.tz))
  const [explained, setExplained] = useState<string | null>(null)
  return (
    <Form class="row" submit={() => setExplained(date)}>
      <Field name="Why on" isInline>
        <Input type="date" required value={date} change={setDate} />
      </Field>
      <button type="submit">Explain</button>
      {explained !== null && (
        <Dialog title={`The streak on ${formatDate(explained)}`} isForReading close={() => setExplained(null)}>
          <ExplainNow
            query={{ date: explained, streak: streakKey }}
            words={['extended', current !== null && explained >= current ? 'not extended yet' : 'not extended']}
          />
        </Dialog>
      )}
    </Form>
  )
}
