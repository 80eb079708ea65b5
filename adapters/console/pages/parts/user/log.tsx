import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { call, route, useMayWrite } from '../../api.ts'
import type { LogEntry, Reason, UserEventsResponse } from '../../types.ts'
import { Badge, type Tone } from '../badge.tsx'
import { Button } from '../controls.tsx'
import { DialogOpener } from '../dialog.tsx'
import { JsonView } from '../drift.tsx'
import { formatChange, formatNumber } from '../format.ts'
import { Card, Empty, Loaded } from '../page.tsx'
import { Pager, usePages } from '../table.tsx'
import { Time } from '../time.tsx'
import { ApproveEvent, VoidEvent } from './actions/events.tsx'
import { describeEntry, type Names } from './entry-words.ts'
import { Explained, loadExplanation } from './explanation.tsx'
import { type UserProgress, useOfUser, usePageUser } from './page-user.ts'

/** An explanation replays the log. Beyond this many lines, it is loaded when it is opened. */
const MOST_REPLAYED = 2_000

/** An entry of the log with its effects. The explanation and the stored entry are collapsed. */
function LogLine({ entry, names }: { readonly entry: LogEntry; readonly names: Names }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const isEvent = entry.kind === 'eventRecorded'
  const isVoid = entry.voidedBy !== undefined
  const isExplained = isEvent && (isOpen || entry.seq <= MOST_REPLAYED)
  const explanation = useOfUser(
    async (id, signal) => (isExplained ? loadExplanation(id, { event: entry.id }, signal) : null),
    [isExplained],
  )
  const what = describeEntry(entry, names)
  return (
    <li class={isVoid ? 'void' : undefined} data-entry={entry.id}>
      <Time class="when" at={entry.at} zone={entry.zone} />
      <div class="row">
        <strong class="what">{what}</strong>
        <Tags entry={entry} />
        {explanation.data && !isVoid && entry.held !== true && (
          <Outcome reasons={explanation.data.reasons} names={names} />
        )}
      </div>
      <div class="row end actions">
        <Button
          class="quiet small"
          aria-expanded={isOpen}
          aria-label={`${isEvent ? 'Explain' : 'Details of'}: ${what}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isEvent ? 'Explain' : 'Details'}
        </Button>
        {isEvent && <Changes entry={entry} what={what} />}
      </div>
      {isOpen && (
        <div class="more stack">
          <Loaded answer={explanation} what="the explanation">
            {(data) => data && <Explained explanation={data} words={['It counts', 'It does not count']} />}
          </Loaded>
          <JsonView value={entry} label="The entry as it is stored" />
        </div>
      )}
    </li>
  )
}

function Tags({ entry: { held, voidedBy, attributes = {} } }: { entry: LogEntry }): JSX.Element {
  return (
    <>
      {held && <Badge tone="warn">held back</Badge>}
      {voidedBy !== undefined && <Badge tone="bad">void</Badge>}
      {Object.entries(attributes).map(([name, value]) => (
        <Badge key={name}>
          <span dir="auto">{`${name}: ${value}`}</span>
        </Badge>
      ))}
    </>
  )
}

/** The effects of an event, in a few words each. */
function Outcome({ reasons, names }: { readonly reasons: readonly Reason[]; readonly names: Names }): JSX.Element {
  const paid = new Map<string, number>()
  for (const reason of reasons) {
    if (reason.type !== 'points_awarded' && reason.type !== 'points_by_time') continue
    paid.set(reason.rule.system, (paid.get(reason.rule.system) ?? 0) + reason.awarded)
  }
  const effects = [
    ...reasons.flatMap((reason) => effectOf(reason, names)),
    ...[...paid].map(([system, points]): Effect => ['good', `${formatChange(points)} ${system}`]),
  ]
  return (
    <span class="row">
      {effects.map(([tone, text], index) => (
        <Badge key={index} tone={tone}>
          <span dir="auto">{text}</span>
        </Badge>
      ))}
    </span>
  )
}

type Effect = readonly [Tone, string]

function effectOf(reason: Reason, names: Names): readonly Effect[] {
  switch (reason.type) {
    case 'total_changed':
      return [['quiet', `${formatNumber(reason.before)} → ${formatNumber(reason.after)}`]]
    case 'achievement_completed':
      return [['warn', names.achievements.get(reason.achievement) ?? reason.achievement]]
    case 'streak_started':
    case 'streak_extended':
      return [['ice', `${reason.key ?? 'streak'} ${formatNumber(reason.length)}`]]
    default:
      return []
  }
}

/** The actions on an event. */
function Changes({ entry, what }: { entry: LogEntry; what: string }): JSX.Element | null {
  const mayWrite = useMayWrite()
  if (!mayWrite || entry.voidedBy !== undefined) return null
  return (
    <>
      {entry.held === true && (
        <DialogOpener
          class="small"
          aria-label={`Approve: ${what}`}
          dialog={(close) => <ApproveEvent event={entry.id} what={what} close={close} />}
        >
          Approve
        </DialogOpener>
      )}
      <DialogOpener
        class="small"
        aria-label={`Void: ${what}`}
        dialog={(close) => <VoidEvent event={entry.id} what={what} close={close} />}
      >
        Void
      </DialogOpener>
    </>
  )
}

const NOTHING = 'Nothing was recorded of this user yet.'
const PER_PAGE = 25
const NAMES = { back: 'Newer', next: 'Older' }

/** The user's log, the newest entry first. */
export function Log({
  metrics,
  achievements,
  challenges,
}: Pick<UserProgress, 'metrics' | 'achievements' | 'challenges'>): JSX.Element {
  const { user } = usePageUser()
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
      challenges: new Map(challenges.map(({ key, name }) => [key, name])),
    }),
    [metrics, achievements, challenges],
  )
  return (
    <Card title="Log" padded={false}>
      <Loaded answer={answer} what="the log">
        {({ entries, before }) => (
          <>
            {entries.length === 0 && <Empty title={pages.number === 1 ? NOTHING : 'There is nothing older.'} />}
            <ol class="log">
              {entries.map((entry) => (
                <LogLine key={entry.id} entry={entry} names={names} />
              ))}
            </ol>
            <Pager pages={pages} next={entries.length < PER_PAGE ? null : before} names={NAMES} />
          </>
        )}
      </Loaded>
    </Card>
  )
}
