import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Query, route } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import type {
  LeaderboardGroup,
  LeaderboardGroups,
  LeaderboardResponse,
  LeaderboardRuns,
  LeaderboardWithRankings,
} from '../../types.ts'
import { useGet } from '../../use-answer.ts'
import { Button, Field } from '../controls.tsx'
import { atMost, formatNumber } from '../format.ts'
import { Card, Empty, Failure, Loaded } from '../page.tsx'
import { Person, ShowUser, StatusBadge, toRunText } from '../person.tsx'
import { Pager, type Pages, Table } from '../table.tsx'

interface List<Item> {
  /** The items on all loaded pages. */
  readonly items: readonly Item[]
  readonly error: unknown
  readonly reload: () => void
  /** Loads the next page. `null`: there are no more. */
  readonly loadMore: (() => void) | null
}

/** Items of a route, page after page. `cursor` names the parameter of the next page, and the field that has it. */
function useList<Data extends object, Item>(
  path: string,
  query: Query,
  cursor: keyof Data & string,
  itemsOf: (data: Data) => readonly Item[],
): List<Item> {
  const [from, setFrom] = useState<string | null>(null)
  const [items, setItems] = useState<readonly Item[]>([])
  const { data, error, reload } = useGet<Data>(path, { ...query, [cursor]: from })
  useEffect(() => {
    setFrom(null)
    setItems([])
  }, [JSON.stringify(query)])
  useEffect(() => {
    if (data !== null) setItems((known) => (from === null ? itemsOf(data) : [...known, ...itemsOf(data)]))
  }, [data])
  const next = data === null ? null : (data[cursor] as string | null)
  return { items, error, reload, loadMore: next === null ? null : () => setFrom(next) }
}

interface ListChoiceProps {
  readonly name: string
  /** What the list has: `runs`. */
  readonly what: string
  readonly list: List<unknown>
  /** `key` is `null` if the address cannot name it. */
  readonly choices: readonly { readonly key: string | null; readonly name: string }[]
  /** The text if nothing is chosen. */
  readonly none: string
  readonly chosen: string | null
  readonly choose: (key: string | null) => void
}

function ListChoice({ name, what, list, choices, none, chosen, choose }: ListChoiceProps): JSX.Element {
  if (list.error !== null) return <Failure error={list.error} what={`the ${what}`} retry={list.reload} />
  return (
    <>
      <Field name={name}>
        <select value={chosen ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value || null)}>
          <option value="">{none}</option>
          {chosen !== null && !choices.some(({ key }) => key === chosen) && <option value={chosen}>{chosen}</option>}
          {choices.map((choice) => (
            <option key={choice.name} value={choice.key ?? ''} disabled={choice.key === null}>
              {choice.name}
            </option>
          ))}
        </select>
      </Field>
      {list.loadMore !== null && <Button onClick={list.loadMore}>More {what}</Button>}
    </>
  )
}

interface GroupChoiceProps {
  readonly leaderboard: string
  readonly run: string | null
  /** As the API takes it: `plan:pro,region:eu`. */
  readonly chosen: string | null
}

/** Selects a group of the run. Default: the first one. */
function GroupChoice({ leaderboard, run, chosen }: GroupChoiceProps): JSX.Element {
  const path = route`admin/v1/leaderboards/${leaderboard}/groups`
  const list = useList(path, { run, limit: 100 }, 'after', ({ groups }: LeaderboardGroups) => groups)
  const first = list.items.map(toText).find((text) => text !== null)
  useEffect(() => {
    if (chosen === null && first !== undefined && !location.search.includes('user=')) {
      navigate(withQuery({ group: first }), { replace: true })
    }
  }, [first])
  return (
    <ListChoice
      name="Group"
      what="groups"
      list={list}
      choices={list.items.map((group) => ({ key: toText(group), name: toName(group) }))}
      none="Choose…"
      chosen={chosen}
      choose={(group) => navigate(withQuery({ group, offset: null, user: null }))}
    />
  )
}

/** As the API takes it. `null`: it cannot name a value with a comma. */
function toText({ values }: LeaderboardGroup): string | null {
  const pairs = Object.entries(values)
  if (pairs.some(([name, value]) => name.includes(',') || name.includes(':') || value.includes(','))) return null
  return pairs.map(([name, value]) => `${name}:${value}`).join(',')
}

function toName(group: LeaderboardGroup): string {
  const named = Object.entries(group.values).map(([name, value]) => `${name} ${value === '' ? 'not set' : value}`)
  const how = toText(group) === null ? ': jump to a user of it, for its name has a comma' : ''
  return `${named.join(', ')} (${atMost(group.users)} ${group.users === 1 ? 'user' : 'users'})${how}`
}

interface RunChoiceProps {
  readonly leaderboard: string
  /** Key of a run. `null`: the current one. */
  readonly chosen: string | null
}

/** Selects the current run, or one in which a user has a place. */
function RunChoice({ leaderboard, chosen }: RunChoiceProps): JSX.Element {
  const path = route`admin/v1/leaderboards/${leaderboard}/runs`
  const list = useList(path, { limit: 50 }, 'before', ({ runs }: LeaderboardRuns) => runs)
  return (
    <ListChoice
      name="Run"
      what="runs"
      list={list}
      choices={list.items.map((run) => ({ key: run.key, name: toRunText(run) }))}
      none="The current run"
      chosen={chosen}
      choose={(run) => navigate(withQuery({ run, offset: null, group: null }))}
    />
  )
}

/** The places on a page, and those above the user of a jump. */
const ON_A_PAGE = 25
const ABOVE = 10

interface RankingsProps {
  readonly leaderboard: LeaderboardResponse
  readonly query: URLSearchParams
}

interface Asked {
  readonly run: string | null
  readonly group: string | null
  readonly user: string | null
  readonly offset: number
}

/** The places of a run, or of one of its groups. */
export function Rankings({ leaderboard, query }: RankingsProps): JSX.Element {
  const { key, breakdownAttributes } = leaderboard
  const hasGroups = breakdownAttributes.length > 0
  const asked: Asked = {
    run: query.get('run'),
    group: hasGroups ? query.get('group') : null,
    user: query.get('user'),
    offset: toOffset(query.get('offset')),
  }
  return (
    <>
      <div class="row choices">
        <RunChoice leaderboard={key} chosen={asked.run} />
        {hasGroups && <GroupChoice leaderboard={key} run={asked.run} chosen={asked.group} />}
        <ShowUser name="Jump to a user" chosen={asked.user} back="From the first place" resets={['offset']} />
      </div>
      {hasGroups && asked.group === null && asked.user === null ? (
        <Empty title="Choose a group">
          Each group by {breakdownAttributes.join(' and ')} has places of its own. Or jump to a user, in whatever group.
        </Empty>
      ) : (
        <Places leaderboard={key} asked={asked} />
      )}
    </>
  )
}

function toOffset(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0
}

function Places({ leaderboard, asked }: { readonly leaderboard: string; readonly asked: Asked }): JSX.Element {
  const { run, group, user, offset } = asked
  const answer = useGet<LeaderboardWithRankings>(route`v1/leaderboards/${leaderboard}`, {
    run,
    userAttributes: user === null ? group : null,
    userId: user,
    offset: user === null ? offset : -ABOVE,
    limit: ON_A_PAGE,
  })
  return (
    <Card
      title="Leaderboard positions"
      padded={false}
      actions={
        answer.data !== null && (
          <>
            <span>{toRunText(answer.data)}</span>
            <StatusBadge status={answer.data.status} />
          </>
        )
      }
    >
      <Loaded answer={answer} what="the places">
        {({ rankings }) => (
          <Table
            caption="Leaderboard positions, best first"
            columns={[
              { name: 'Rank', kind: 'fit', cell: ({ rank }) => formatNumber(rank) },
              {
                name: 'User',
                isHeader: true,
                cell: ({ userId, userName }) => (
                  <span class={userId === user ? 'marked' : undefined}>
                    <Person id={userId} name={userName} />
                  </span>
                ),
              },
              { name: 'Value', kind: 'number', cell: ({ value }) => formatNumber(value) },
            ]}
            rows={rankings}
            keyOf={({ userId }) => userId}
            empty={<NoPlaces asked={asked} />}
          >
            {user === null && rankings.length > 0 && (
              <Pager pages={toPages(offset)} next={rankings.length < ON_A_PAGE ? null : offset + ON_A_PAGE} />
            )}
          </Table>
        )}
      </Loaded>
    </Card>
  )
}

/** The address has the page, so that a link leads to it. */
function toPages(offset: number): Pages<number> {
  const show = (next: number): void => navigate(withQuery({ offset: next <= 0 ? null : String(next) }))
  return {
    cursor: offset,
    number: Math.ceil(offset / ON_A_PAGE) + 1,
    next: show,
    back: () => show(offset - ON_A_PAGE),
  }
}

function NoPlaces({ asked: { user, offset } }: { readonly asked: Asked }): JSX.Element {
  if (user !== null) return <Empty title={`The user ${user} is not on the leaderboard in this run`} />
  return offset === 0 ? (
    <Empty title="No user is on it yet" />
  ) : (
    <Empty title="There are no more places">
      <a href={withQuery({ offset: null })}>The first places</a>
    </Empty>
  )
}
