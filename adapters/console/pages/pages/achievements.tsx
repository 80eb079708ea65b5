import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type {
  AchievementCompletion,
  AchievementCompletions,
  AchievementWithStats,
} from '../../../../src/api/achievements/types.ts'
import type { CurrentGameResponse } from '../../../../src/api/operate/types.ts'
import { call, route } from '../api.ts'
import { AchievementTags } from '../parts/completions.tsx'
import { formatNumber, plural } from '../parts/format.ts'
import { definitionOf } from '../parts/game/definition.ts'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { Share, Time } from '../parts/person.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { toPath } from '../router.ts'
import { useAnswer, useEach } from '../use-answer.ts'
import '../styles/more.css'

const ON_A_PAGE = 50

/** Every active achievement: what for, how rare, and who earned it last. */
export function Achievements(): JSX.Element {
  const answer = useAnswer(async (signal) => {
    const [achievements, game] = await Promise.all([
      call<readonly AchievementWithStats[]>('GET', 'v1/achievements', { signal }),
      call<CurrentGameResponse>('GET', 'admin/v1/game', { signal }),
    ])
    return { achievements, game }
  }, [])
  return (
    <Page title="Achievements">
      <Loaded answer={answer} what="the achievements">
        {({ achievements, game }) => <List achievements={achievements} game={game} />}
      </Loaded>
    </Page>
  )
}

interface ListProps {
  readonly achievements: readonly AchievementWithStats[]
  readonly game: CurrentGameResponse
}

function List({ achievements, game }: ListProps): JSX.Element {
  const [most, setMost] = useState(ON_A_PAGE)
  const shown = achievements.slice(0, most)
  const newest = useEach(
    shown.filter(({ completions }) => completions > 0).map(({ key }) => key),
    loadNewest,
  )
  if (achievements.length === 0) {
    return <Empty title="The game has no achievements">Its definition has them under “achievements”.</Empty>
  }
  return (
    <section class="card" aria-label="All achievements">
      <Table
        caption="Achievements that users can complete, in the order of the game"
        columns={columnsOf(game, newest)}
        rows={shown}
        keyOf={({ key }) => key}
      />
      {achievements.length > most && (
        <div class="pager">
          <span class="muted">
            {formatNumber(most)} of {plural(achievements.length, 'achievement')}
          </span>
          <button type="button" class="small" onClick={() => setMost(most + ON_A_PAGE)}>
            Show more
          </button>
        </div>
      )}
    </section>
  )
}

async function loadNewest(key: string, signal: AbortSignal): Promise<AchievementCompletion | null> {
  const path = route`admin/v1/achievements/${key}/completions`
  const { completions } = await call<AchievementCompletions>('GET', path, { query: { limit: 1 }, signal })
  return completions[0] ?? null
}

function columnsOf(
  game: CurrentGameResponse,
  newest: ReadonlyMap<string, AchievementCompletion | null>,
): readonly Column<AchievementWithStats>[] {
  const { sentences } = game
  const definition = definitionOf(game)
  return [
    {
      name: 'Achievement',
      isHeader: true,
      cell: ({ key, name }) => (
        <>
          <a href={toPath(['achievements', key])} dir="auto">
            {name}
          </a>
          <AchievementTags definition={definition} achievement={key} />
        </>
      ),
    },
    { name: 'What for', cell: ({ key, description }) => sentences.achievements[key] ?? description ?? '' },
    { name: 'Users', kind: 'number', cell: ({ completions }) => formatNumber(completions) },
    { name: 'Rarity', kind: 'number', cell: ({ rarity }) => <Share percent={rarity} /> },
    {
      name: 'Last earned by',
      cell: ({ key, completions }) => <Last last={completions === 0 ? null : newest.get(key)} />,
    },
  ]
}

/** `undefined`: not known yet. */
function Last({ last }: { readonly last: AchievementCompletion | null | undefined }): JSX.Element {
  if (last === undefined) return <span class="muted">…</span>
  if (last === null) return <span class="muted">Nobody</span>
  return (
    <>
      <a href={toPath(['users', last.userId])} dir="auto">
        {last.name ?? last.userId}
      </a>
      <br />
      <small class="muted">
        <Time at={last.achievedAt} />
      </small>
    </>
  )
}
