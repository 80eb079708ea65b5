import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { call, route, useMayWrite } from '../../api.ts'
import type {
  Explanation,
  LogEntry,
  MetricResponse,
  UserAchievementWithStats,
  UserEventsResponse,
} from '../../types.ts'
import { Button } from '../controls.tsx'
import { Json } from '../drift.tsx'
import { Card, Empty, Failure, Loaded } from '../page.tsx'
import { Badge, Time } from '../person.tsx'
import { Pager, type Pages, usePages } from '../table.tsx'
import { useAbout, useOfUser } from './about.ts'
import { ApproveEvent, VoidEvent } from './actions/events.tsx'
import { describeEntry, type Names } from './entry-words.ts'
import { Explained, useExplanations } from './explanation.tsx'
import { Outcome } from './overview.tsx'

interface LogLineProps {
  readonly entry: LogEntry
  readonly names: Names
  /** `undefined`: not requested, or loading. `null`: loading failed. */
  readonly explanation: Explanation | null | undefined
  readonly ask: () => void
}

/** An entry of the log with its effects. The explanation and the stored entry are collapsed. */
function LogLine({ entry, names, explanation, ask }: LogLineProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const isEvent = entry.kind === 'eventRecorded'
  const isHeld = entry.held === true
  const isVoid = entry.voidedBy !== undefined
  const what = describeEntry(entry, names)
  return (
    <li class={isVoid ? 'void' : undefined} data-entry={entry.id}>
      <div class="when">
        <Time at={entry.at} zone={entry.zone} />
      </div>
      <div class="row">
        <strong class="what">{what}</strong>
        {isHeld && <Badge tone="warn">held back</Badge>}
        {isVoid && <Badge tone="bad">void</Badge>}
        {Object.entries(entry.attributes ?? {}).map(([name, value]) => (
          <Badge key={name}>
            <span dir="auto">
              {name}: {value}
            </span>
          </Badge>
        ))}
        {explanation && !isVoid && !isHeld && <Outcome reasons={explanation.reasons} names={names} />}
      </div>
      <div class="row end actions">
        <Button
          class="quiet small"
          aria-expanded={isOpen}
          aria-label={`${isEvent ? 'Explain' : 'Details of'}: ${what}`}
          onClick={() => {
            setIsOpen(!isOpen)
            if (isEvent && !isOpen) ask()
          }}
        >
          {isEvent ? 'Explain' : 'Details'}
        </Button>
        {isEvent && <Changes entry={entry} what={what} isHeld={isHeld} isVoid={isVoid} />}
      </div>
      {isOpen && (
        <div class="more stack">
          {isEvent && explanation === undefined && (
            <p class="muted" role="status">
              Loading the explanation…
            </p>
          )}
          {explanation === null && <Failure error="Perhaps the server is gone." what="the explanation" retry={ask} />}
          {explanation && <Explained explanation={explanation} words={['It counts', 'It does not count']} />}
          <Json value={entry} label="The entry as it is stored" />
        </div>
      )}
    </li>
  )
}

interface ChangesProps {
  readonly entry: LogEntry
  readonly what: string
  readonly isHeld: boolean
  readonly isVoid: boolean
}

/** The actions on an event. */
function Changes({ entry, what, isHeld, isVoid }: ChangesProps): JSX.Element | null {
  const mayWrite = useMayWrite()
  const [chosen, setChosen] = useState<'void' | 'approve' | null>(null)
  const close = (): void => setChosen(null)
  if (!mayWrite || isVoid) return null
  return (
    <>
      {isHeld && (
        <Button class="small" aria-label={`Approve: ${what}`} onClick={() => setChosen('approve')}>
          Approve
        </Button>
      )}
      <Button class="small" aria-label={`Void: ${what}`} onClick={() => setChosen('void')}>
        Void
      </Button>
      {chosen === 'void' && <VoidEvent event={entry.id} what={what} close={close} />}
      {chosen === 'approve' && <ApproveEvent event={entry.id} what={what} close={close} />}
    </>
  )
}

const PER_PAGE = 25
/** An explanation replays the whole log. In longer logs it loads on request only. */
const LONGEST_FOLDED = 2_000

const NAMES = { back: 'Newer', next: 'Older' }

interface LogProps {
  readonly metrics: readonly MetricResponse[]
  readonly achievements: readonly UserAchievementWithStats[]
}

/** The user's log, the newest entry first. */
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
