import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { call, type QueryValues, route } from '../api.ts'
import { Badge, StatusBadge } from '../parts/badge.tsx'
import { Field } from '../parts/controls.tsx'
import { atMost, formatNumber } from '../parts/format.ts'
import { ConsolePage, Empty, Failure, Loaded, NoSuch } from '../parts/page.tsx'
import { PageLink, Person, ShowUser } from '../parts/person.tsx'
import { type Column, Pager, type Pages, Table, TableCard } from '../parts/table.tsx'
import { toRunText } from '../parts/time.tsx'
import { loadExplanation } from '../parts/user/explanation.tsx'
import { navigate, type PageOf, withQuery } from '../router.ts'
import type {
  CurrentGameResponse,
  LeaderboardGroup,
  LeaderboardGroups,
  LeaderboardRanking,
  LeaderboardResponse,
  LeaderboardRuns,
  LeaderboardWithRankings,
} from '../types.ts'
import { type Loadable, useAnswer, useGet, useWithGame } from '../use-answer.ts'

/** Every leaderboard of the game, finished ones too. */
export function LeaderboardsPage(): JSX.Element {
  const answer = useLeaderboards()
  return (
    <ConsolePage title="Leaderboards">
      <Loaded answer={answer} what="the leaderboards">
        {({ all, game }) => (
          <section class="card" aria-label="All leaderboards">
            <Table
              caption="Leaderboards, in the order of the game"
              columns={columnsOf(game)}
              rows={all}
              empty={<Empty title="The game has no leaderboards">Its definition has them under “leaderboards”.</Empty>}
            />
          </section>
        )}
      </Loaded>
    </ConsolePage>
  )
}

function useLeaderboards() {
  return useWithGame<readonly LeaderboardResponse[]>('v1/leaderboards', { includeFinished: true })
}

function columnsOf({ sentences }: CurrentGameResponse): readonly Column<LeaderboardResponse>[] {
  return [
    {
      name: 'Leaderboard',
      isHeader: true,
      cell: ({ key, name }) => <PageLink to={['leaderboards', key]}>{name}</PageLink>,
    },
    { name: 'Ranks by', cell: ({ key }) => sentences.leaderboards[key] ?? '' },
    { name: 'Status', kind: 'fit', cell: ({ status }) => <StatusBadge status={status} /> },
    { name: 'Run', cell: toRunText },
    { name: 'Groups by', cell: ({ breakdownAttributes }) => breakdownAttributes.join(', ') },
  ]
}

/** One leaderboard with its runs, groups and places. The address has the selection. */
export function OneLeaderboardPage({ id, query }: PageOf): JSX.Element {
  const answer = useLeaderboards()
  const leaderboard = answer.data?.all.find(({ key }) => key === id)
  return (
    <ConsolePage title={leaderboard?.name ?? id}>
      <Loaded answer={answer} what="the leaderboard">
        {({ game }) =>
          leaderboard === undefined ? (
            <NoSuch what="leaderboard" id={id} />
          ) : (
            <div class="stack">
              <p class="lead">{game.sentences.leaderboards[id]}</p>
              <Rankings leaderboard={leaderboard} query={query} />
            </div>
          )
        }
      </Loaded>
    </ConsolePage>
  )
}

/** A choice offers the items of this many pages. Other items are reached by a jump to a user. */
const MOST_PAGES = 10
const PER_PAGE = 100

/** Items of a route, from all pages. `cursor` names the parameter of the next page, and the field that has it. */
function useAll<Data extends object, Item>(
  path: string,
  query: QueryValues,
  cursor: keyof Data & string,
  itemsOf: (data: Data) => readonly Item[],
): Loadable<readonly Item[]> {
  const load = async (signal: AbortSignal): Promise<readonly Item[]> => {
    const items: Item[] = []
    let next: string | null = null
    for (let page = 0; page < MOST_PAGES && (page === 0 || next !== null); page += 1) {
      const asked = { query: { ...query, limit: PER_PAGE, [cursor]: next }, signal }
      const data: Data = await call('GET', path, asked)
      items.push(...itemsOf(data))
      next = data[cursor] as string | null
    }
    return items
  }
  return useAnswer(load, [path, query])
}

interface Choice {
  /** `null` if the address cannot name it. */
  readonly key: string | null
  readonly name: string
}

interface ListChoiceProps<Item> {
  readonly name: string
  readonly answer: Loadable<readonly Item[]>
  readonly toChoice: (item: Item) => Choice
  /** The text if nothing is chosen. */
  readonly none: string
  readonly chosen: string | null
  readonly choose: (key: string | null) => void
}

function ListChoice<Item>({ name, answer, toChoice, none, chosen, choose }: ListChoiceProps<Item>): JSX.Element {
  const { data, error, reload } = answer
  if (error !== null) return <Failure error={error} what={`the choice ${name}`} retry={reload} />
  const choices = (data ?? []).map(toChoice)
  return (
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
  )
}

interface ChoiceProps {
  readonly leaderboard: string
  /** The key of a run, or a group as the API takes it: `plan:pro,region:eu`. */
  readonly chosen: string | null
}

/** Selects a group of the run. Default: the first one. */
function GroupChoice({ leaderboard, run, chosen }: ChoiceProps & { run: string | null }): JSX.Element {
  const path = route`admin/v1/leaderboards/${leaderboard}/groups`
  const answer = useAll(path, { run }, 'after', ({ groups }: LeaderboardGroups) => groups)
  const first = answer.data?.map(toText).find((text) => text !== null)
  useEffect(() => {
    if (chosen === null && first !== undefined && !location.search.includes('user=')) {
      navigate(withQuery({ group: first }), { replace: true })
    }
  }, [first])
  return (
    <ListChoice
      name="Group"
      answer={answer}
      toChoice={(group) => ({ key: toText(group), name: toName(group) })}
      none="Choose…"
      chosen={chosen}
      choose={(group) => navigate(withQuery({ group, offset: null, user: null }))}
    />
  )
}

/** The group as the API takes it, or `null` if a value contains a comma. */
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

/** Selects the current run, or one in which a user has a place. */
function RunChoice({ leaderboard, chosen }: ChoiceProps): JSX.Element {
  const path = route`admin/v1/leaderboards/${leaderboard}/runs`
  return (
    <ListChoice
      name="Run"
      answer={useAll(path, {}, 'before', ({ runs }: LeaderboardRuns) => runs)}
      toChoice={(run) => ({ key: run.key, name: toRunText(run) })}
      none="The current run"
      chosen={chosen}
      choose={(run) => navigate(withQuery({ run, offset: null, group: null }))}
    />
  )
}

/** The places on a page, and those above the user of a jump. */
const ON_A_PAGE = 25
const ABOVE = 10

interface Asked {
  readonly run: string | null
  readonly group: string | null
  readonly user: string | null
  readonly offset: number
}

/** The places of a run, or of one of its groups. */
function Rankings({ leaderboard, query }: { leaderboard: LeaderboardResponse; query: URLSearchParams }): JSX.Element {
  const { key, breakdownAttributes } = leaderboard
  const hasGroups = breakdownAttributes.length > 0
  const asked: Asked = {
    run: query.get('run'),
    group: hasGroups ? query.get('group') : null,
    user: query.get('user'),
    offset: Number(/^\d{1,9}$/.exec(query.get('offset') ?? '')?.[0] ?? 0),
  }
  return (
    <>
      <div class="row choices">
        <RunChoice leaderboard={key} chosen={asked.run} />
        {hasGroups && <GroupChoice leaderboard={key} run={asked.run} chosen={asked.group} />}
        <ShowUser name="Jump to a user" chosen={asked.user} back="From the first place" />
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

function Places({ leaderboard, asked }: { readonly leaderboard: string; readonly asked: Asked }): JSX.Element {
  const { run, group, user, offset } = asked
  const answer = useGet<LeaderboardWithRankings>(route`v1/leaderboards/${leaderboard}`, {
    run,
    userAttributes: user === null ? group : null,
    userId: user,
    offset: user === null ? offset : -ABOVE,
    limit: ON_A_PAGE,
    // Readers of the console see everything.
    reveal: true,
  })
  const count = answer.data?.rankings.length ?? 0
  return (
    <TableCard
      title="Leaderboard positions"
      actions={answer.data && [toRunText(answer.data), <StatusBadge key="status" status={answer.data.status} />]}
      answer={answer}
      what="the places"
      caption="Leaderboard positions, best first"
      columns={placeColumns(user)}
      rowsOf={({ rankings }) => rankings}
      empty={<NoPlaces leaderboard={leaderboard} asked={asked} />}
      pager={
        user === null &&
        count > 0 && <Pager pages={toPages(offset)} next={count < ON_A_PAGE ? null : offset + ON_A_PAGE} />
      }
    />
  )
}

function placeColumns(marked: string | null): readonly Column<LeaderboardRanking>[] {
  return [
    { name: 'Rank', kind: 'fit', cell: ({ rank }) => formatNumber(rank) },
    {
      name: 'User',
      isHeader: true,
      cell: ({ userId, userName, anonymous }) => (
        <span class={userId === marked ? 'row marked' : 'row'}>
          <Person id={userId} name={userName} />
          {anonymous && <Badge>anonymous for others</Badge>}
        </span>
      ),
    },
    { name: 'Value', kind: 'number', cell: ({ value }) => formatNumber(value) },
  ]
}

/** The address has the page, so that a link leads to it. */
function toPages(offset: number): Pages<number> {
  const next = (to: number): void => navigate(withQuery({ offset: to <= 0 ? null : String(to) }))
  return { cursor: offset, number: Math.ceil(offset / ON_A_PAGE) + 1, next, back: () => next(offset - ON_A_PAGE) }
}

interface NoPlacesProps {
  readonly leaderboard: string
  readonly asked: Asked
}

function NoPlaces({ leaderboard, asked: { user, offset, run } }: NoPlacesProps): JSX.Element {
  if (user !== null) return <NoPlaceOf user={user} leaderboard={leaderboard} run={run} />
  return offset === 0 ? (
    <Empty title="No user is on it yet" />
  ) : (
    <Empty title="There are no more places">
      <a href={withQuery({ offset: null })}>The first places</a>
    </Empty>
  )
}

interface NoPlaceProps {
  readonly user: string
  readonly leaderboard: string
  readonly run: string | null
}

/** Says why the user has no place, if there is such a user. */
function NoPlaceOf({ user, leaderboard, run }: NoPlaceProps): JSX.Element {
  const query = { leaderboard, run }
  const { data } = useAnswer((signal) => loadExplanation(user, query, signal), [user, query])
  return (
    <Empty title={`The user ${user} is not on the leaderboard in this run`}>
      {data?.reasons.map(({ sentence }) => sentence).join(' ')}
    </Empty>
  )
}
