import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { UserAchievementWithStats } from '../../../../../src/engine/answers/wire/achievement.ts'
import type { MetricResponse } from '../../../../../src/engine/answers/wire/metric.ts'
import type { LogEntry, UserEventsResponse } from '../../../../../src/engine/answers/wire/users.ts'
import { call, route } from '../../api.ts'
import { Card } from '../card.tsx'
import { Empty } from '../empty.tsx'
import { Loaded } from '../page.tsx'
import { Pager, type Pages, usePages } from '../pager.tsx'
import { useAbout, useOfUser } from './about.ts'
import type { Names } from './entry-words.ts'
import { LogLine } from './log-line.tsx'
import { useExplanations } from './use-explanations.ts'

const PER_PAGE = 25
/** What an event led to is a fold of the whole log: of longer ones it is told when it is asked for. */
const LONGEST_FOLDED = 2_000

const NAMES = { back: 'Newer', next: 'Older' }

interface LogProps {
  readonly metrics: readonly MetricResponse[]
  readonly achievements: readonly UserAchievementWithStats[]
}

/** All that was recorded about the user, the newest first. */
export function Log({ metrics, achievements }: LogProps): JSX.Element {
  const { user } = useAbout()
  const pages = usePages<string>([user.id])
  const answer = useOfUser(
    (id, signal) =>
      call<UserEventsResponse>('GET', route`admin/v1/users/${id}/events`, {
        query: { before: pages.cursor, limit: PER_PAGE },
        signal,
      }),
    [pages.cursor],
  )
  const names = useMemo(
    () => ({
      metrics: new Map(metrics.map(({ key, name }) => [key, name])),
      achievements: new Map(achievements.map(({ key, name }) => [key, name])),
    }),
    [metrics, achievements],
  )
  return (
    <Card title="Log" padded={false}>
      <Loaded answer={answer} what="the log">
        {({ entries, before }) =>
          entries.length === 0 ? (
            <>
              <Empty
                title={pages.number === 1 ? 'Nothing was recorded of this user yet.' : 'There is nothing older.'}
              />
              <Pager pages={pages} next={null} names={NAMES} />
            </>
          ) : (
            <Lines entries={entries} before={before} pages={pages} names={names} />
          )
        }
      </Loaded>
    </Card>
  )
}

interface LinesProps extends UserEventsResponse {
  readonly pages: Pages<string>
  readonly names: Names
}

function Lines({ entries, before, pages, names }: LinesProps): JSX.Element {
  const explanations = useExplanations(isShort(entries) ? eventsOf(entries) : [])
  return (
    <>
      <ol class="log">
        {entries.map((entry) => (
          <LogLine
            key={entry.id}
            entry={entry}
            names={names}
            explanation={explanations.of.get(entry.id)}
            ask={() => explanations.ask(entry.id)}
          />
        ))}
      </ol>
      <Pager pages={pages} next={entries.length < PER_PAGE ? null : before} names={NAMES} />
    </>
  )
}

/** `seq` counts the lines of the log. */
function isShort(entries: readonly LogEntry[]): boolean {
  return entries.every(({ seq }) => seq <= LONGEST_FOLDED)
}

function eventsOf(entries: readonly LogEntry[]): readonly string[] {
  return entries.filter(({ kind }) => kind === 'eventRecorded').map(({ id }) => id)
}
