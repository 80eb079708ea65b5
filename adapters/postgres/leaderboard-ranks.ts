import type { LeaderboardKey, RankAnswer, RankRequest } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { minus, toLeaderboardColumns } from '../sql/leaderboard-rows.ts'
import { quote } from './quote.ts'
import type { Reader } from './runner.ts'

type PositionJson = readonly [minusValue: number, reachedAt: number, user: string]

/** A group as `standings` takes it. */
export interface RanksGroup {
  readonly i: number
  readonly at: number
  readonly most: number | null
  readonly first: number
  readonly places: PositionJson[]
}

/** What `standings` answers for each group. */
interface RanksAnswer {
  readonly before: readonly number[] | null
  readonly last: readonly PositionJson[]
}

/** The rank requests of several users, as one question for each group, and the way back. */
export interface Questions {
  readonly groups: readonly RanksGroup[]
  /** The answers of each user, one for each of its requests, in the order in which these were given. */
  toRanks(answers: readonly RanksAnswer[]): readonly (readonly RankAnswer[])[]
}

export function toQuestions(
  users: readonly { readonly key: UserKey; readonly requests: readonly RankRequest[] }[],
): Questions {
  const groups = new Map<string, RanksGroup>()
  const asked = users.map(({ key, requests }) =>
    requests.map((request) => {
      const group = groupOf(groups, key.tenant, request)
      const from = group.places.length
      for (const { value, reachedAt } of request.positions) group.places.push([minus(value), reachedAt, key.user])
      return { group, from, to: group.places.length }
    }),
  )
  return {
    groups: [...groups.values()],
    toRanks: (answers) =>
      asked.map((requests) =>
        requests.map(({ group, from, to }) => {
          const { before, last } = answers[group.i] ?? { before: null, last: [] }
          return {
            before: before?.slice(from, to) ?? [],
            last: last.map(([value, reachedAt, user]) => ({ value: minus(value), reachedAt, user })),
            first: group.first,
          }
        }),
      ),
  }
}

function groupOf(groups: Map<string, RanksGroup>, tenant: string, request: RankRequest): RanksGroup {
  const { limit, slack, at } = request
  const id = JSON.stringify([tenant, request.leaderboard, request.run, request.group, at, limit, slack])
  const known = groups.get(id)
  if (known !== undefined) return known
  const columns = toLeaderboardColumns(tenant, request satisfies LeaderboardKey)
  const most = limit === null ? null : limit + slack
  const first = limit === null ? 0 : Math.max(0, limit - 1 - slack)
  const group = { i: groups.size, ...columns, at, most, first, places: [] }
  groups.set(id, group)
  return group
}

/** Asks how many entries come before the positions now. */
export function askRanks(
  reader: Reader,
  schema: string,
  { groups }: Questions,
  end?: number,
): Promise<readonly RanksAnswer[]> {
  const text = `select ${quote(schema)}.standings($1::text::jsonb)::text as value`
  return reader.value<string>(text, [JSON.stringify(groups)], end).then((answer) => JSON.parse(answer))
}

export async function readRanks(
  reader: Reader,
  schema: string,
  key: UserKey,
  requests: readonly RankRequest[],
): Promise<readonly RankAnswer[]> {
  const questions = toQuestions([{ key, requests }])
  const [ranks = []] = questions.toRanks(await askRanks(reader, schema, questions))
  return ranks
}
