import type { JSX } from 'preact'
import type { AchievementCompletion, AchievementCompletions } from '../../../../src/engine/answers/wire/achievement.ts'
import { call, route } from '../api.ts'
import { useAnswer } from '../use-answer.ts'
import { Card } from './card.tsx'
import { Empty } from './empty.tsx'
import { formatNumber } from './format.ts'
import { Loaded } from './page.tsx'
import { Pager, usePages } from './pager.tsx'
import { Person } from './person.tsx'
import { type Column, Table } from './table.tsx'
import { Time } from './time.tsx'

interface CompletionsProps {
  readonly achievement: string
  readonly repeats: boolean
}

const USER_AND_TIME: readonly Column<AchievementCompletion>[] = [
  { name: 'User', isHeader: true, cell: ({ userId, name }) => <Person id={userId} name={name} /> },
  { name: 'When', cell: ({ achievedAt }) => <Time at={achievedAt} /> },
]

const COUNT: Column<AchievementCompletion> = {
  name: 'How often',
  kind: 'number',
  cell: ({ count }) => formatNumber(count),
}

/** Who has an achievement, the newest first, page by page. */
export function Completions({ achievement, repeats }: CompletionsProps): JSX.Element {
  const pages = usePages<string>([achievement])
  const answer = useAnswer(
    (signal) =>
      call<AchievementCompletions>('GET', route`admin/v1/achievements/${achievement}/completions`, {
        query: { limit: 50, after: pages.cursor },
        signal,
      }),
    [achievement, pages.cursor],
  )
  return (
    <Card title="Who has it" padded={false}>
      <Loaded answer={answer} what="who has it">
        {({ completions, after }) =>
          completions.length === 0 && pages.number === 1 ? (
            <Empty title="Nobody has it yet" />
          ) : (
            <>
              <Table
                caption="Completions, the newest first"
                columns={repeats ? [...USER_AND_TIME, COUNT] : USER_AND_TIME}
                rows={completions}
                keyOf={({ userId }) => userId}
              />
              <Pager pages={pages} next={after} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
