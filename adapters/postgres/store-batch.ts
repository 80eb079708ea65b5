import { GamificationError } from '../../src/errors.ts'
import type { CommitRound, RankAnswer, StoredUser } from '../../src/storage.ts'
import { toIdHex } from '../sql/packed.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { type BatchView, type DecidedUser, toBatchView } from './batch-view.ts'
import type { Batches } from './batches.ts'
import { askRanks, type Questions, toQuestions } from './leaderboard-ranks.ts'
import { type LoadedRows, toLoadRow } from './load.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import { addUnread, SaveRows, toSavedLists } from './save-rows.ts'

async function toDocument(
  traits: SqlTraits,
  { epoch, isRead }: BatchView,
  decided: readonly DecidedUser[],
  { groups }: Questions,
): Promise<{ readonly [name: string]: unknown }> {
  const rows = new SaveRows()
  if (!isRead) {
    for (const { n, request } of decided) addUnread(rows, n, request)
  }
  const users = decided.map(({ n, request }) => toLoadRow(request, n))
  const lists = toSavedLists(rows, traits, decided)
  return { ...lists, ...(groups.length === 0 ? {} : { standings: groups }), epoch, users }
}

export interface StoredBatch {
  /** The users who were not stored. */
  readonly left: readonly DecidedUser[]
  /** The users who were left, as they now are; null: they are to be read. */
  readonly fresh: BatchView | null
  /** Whether the database looked at the batch at all. */
  readonly isSent: boolean
  /** Why it did not, if it did not. */
  readonly cause: unknown
  /** The answer for a user who was stored. */
  readonly toStored: (user: DecidedUser) => StoredUser
  readonly asOf: CommitRound['asOf']
}

/** Stores the users whose version still stands. */
export async function storeBatch(
  runner: Runner,
  batches: Batches,
  schema: string,
  slot: number,
  traits: SqlTraits,
  view: BatchView,
  decided: readonly DecidedUser[],
  end: number,
): Promise<StoredBatch> {
  const questions = toQuestions(decided.map(({ request, save }) => ({ key: request, requests: save.ranks })))
  const toStored =
    (ranks: readonly (readonly RankAnswer[])[]) =>
    (user: DecidedUser): StoredUser => {
      const { tenant, user: id } = user.request
      return { tenant, user: id, ranks: ranks[decided.indexOf(user)] ?? [] }
    }
  const nothing = { toStored: toStored([]), asOf: 'before', fresh: null, cause: null } as const
  const sent = await batches.send({ ...(await toDocument(traits, view, decided, questions)), slot }, end)
  if (sent.type === 'notSaved') return { ...nothing, left: decided, isSent: false, cause: sent.cause }
  try {
    if (sent.answer === null) {
      const stored = new Set(await findStored(runner, schema, decided, sent.until))
      // The ranks in the answer got lost too: they are asked for again, as they are now.
      const ranks = await askAgain(runner, schema, questions, sent.until)
      const left = decided.filter(({ n }) => !stored.has(n))
      return { ...nothing, left, isSent: true, toStored: toStored(ranks), asOf: 'after' }
    }
    const answer = JSON.parse(sent.answer) as SaveAnswer
    const fresh = answer.left === null ? null : toBatchView(answer.left, decided)
    const isLeft = new Set(fresh?.open.map(({ n }) => n))
    return {
      ...nothing,
      left: decided.filter(({ n }) => isLeft.has(n)),
      fresh,
      isSent: true,
      toStored: toStored(questions.toRanks(answer.standings ?? [])),
    }
  } catch (error) {
    return unknownOutcome(error)
  }
}

/** What `save` answers. */
interface SaveAnswer {
  readonly left: LoadedRows | null
  readonly standings: Parameters<Questions['toRanks']>[0] | null
}

async function askAgain(
  runner: Runner,
  schema: string,
  questions: Questions,
  end: number,
): Promise<readonly (readonly RankAnswer[])[]> {
  if (questions.groups.length === 0) return []
  return questions.toRanks(await askRanks(runner, schema, questions, end))
}

/** The batch is stored, but not known for whom: nobody may be told that nothing was. */
function unknownOutcome(cause: unknown): never {
  const message = 'The connection to Postgres was lost, and it could not be settled in time what was stored.'
  throw new GamificationError('outcome_unknown', message, { cause })
}

/**
 * Which users of a batch were stored whose answer got lost: a user with new entries, where these are in the log, and a
 * user without, where it still has the version that it was given. All others are decided again, as they now are.
 */
async function findStored(
  runner: Runner,
  schema: string,
  decided: readonly DecidedUser[],
  end: number,
): Promise<readonly number[]> {
  const text = `
    select coalesce(json_agg(r.n), '[]')::text as value
      from jsonb_to_recordset($1::text::jsonb)
        as r(n int, tenant_id text, user_id text, at bigint, seq bigint, entry_id text, version bigint)
      where exists (select from ${quote(schema)}.log l
          where l.tenant_id = r.tenant_id and l.user_id = r.user_id and l.at = r.at and l.seq = r.seq
            and l.entry_id = decode(r.entry_id, 'hex'))
        or exists (select from ${quote(schema)}.users u
          where u.tenant_id = r.tenant_id and u.user_id = r.user_id and u.version = r.version)`
  const rows = decided.map(({ n, request: { tenant, user }, save, version }) => {
    const entry = save.appended.at(-1)
    const row = { n, tenant_id: tenant, user_id: user }
    return entry === undefined
      ? { ...row, version }
      : { ...row, at: entry.at, seq: entry.seq, entry_id: toIdHex(entry.id) }
  })
  return JSON.parse(await runner.value<string>(text, [JSON.stringify(rows)], end))
}
