import type { CommandOutcome, Context, TimedCommand } from '../runtime/context.ts'
import { NEVER, storageBy } from '../runtime/deadline.ts'
import { userKeyText } from '../storage/rows.ts'
import type { CommitFailure, CommitReport, CommitRound, Decide, UserRequest, UserSave } from '../storage/storage.ts'
import { toLookups } from './accept/accept-command.ts'
import { acceptAll, LATE } from './accept/user-batch.ts'
import { type OrderedMove, rankMoves } from './ranks/ranks.ts'

/** A batch begun just before its deadline still gets so long: a storage that answers at all is not cut off. */
const LEAST_MS = 400

/** A transaction outside this process has locked the user. Other users must not wait for it. */
export const LOCKED: unique symbol = Symbol('locked')
const EPOCH_MOVED: unique symbol = Symbol('epoch moved')

type Recorded = Extract<CommandOutcome, { readonly type: 'recorded' }>
export type BatchOutcome = CommandOutcome | typeof LATE | typeof LOCKED | Failed
/** Nothing was recorded, though other commands of the batch were. */
export interface Failed {
  readonly type: 'failed'
  readonly error: unknown
}

export interface Tried {
  readonly outcomes: BatchOutcome[]
  readonly failures: readonly { readonly group: Group; readonly failure: CommitFailure }[]
}

export function endOf(commands: readonly TimedCommand[]): number {
  const first = Math.min(...commands.map(({ deadline }) => deadline))
  return first === NEVER ? NEVER : Math.max(first, performance.now() + LEAST_MS)
}

/**
 * Records commands of several users together, in one commit. Commands for which `elsewhere` has an answer are left out. It
 * decides again if the game is not the newest any more.
 */
export async function tryBatch(
  { storage, games }: Pick<Context, 'storage' | 'games'>,
  commands: readonly TimedCommand[],
  isRanked: boolean,
  elsewhere: (command: TimedCommand) => BatchOutcome | null = () => null,
): Promise<Tried> {
  const outcomes: BatchOutcome[] = commands.map((command) => elsewhere(command) ?? LATE)
  const slack = isRanked ? commands.length : null
  const saves = new Map<string, UserSave>()
  const own = commands
    .map((command, index) => ({ command, index }))
    .filter(({ command }) => elsewhere(command) === null)
  const groups: ReadonlyMap<string, Group> = Map.groupBy(own, ({ command }) => userKeyText(command))
  const requests = [...groups.values()].flatMap(toRequest)
  if (requests.length === 0) return { outcomes, failures: [] }
  const bound = storageBy(storage, endOf(commands))
  const current = await games.current(bound)
  const decide: Decide = (users, epoch) => {
    if (epoch !== current.epoch) throw EPOCH_MOVED
    return users.map((user) => {
      const key = userKeyText(user)
      const group = groups.get(key) ?? []
      const asked = group.map(({ command }) => command)
      const accepted = acceptAll(user, asked, current, slack)
      // A later call for the same user overwrites what an earlier one found.
      for (const [position, { index }] of group.entries()) outcomes[index] = accepted.outcomes[position] ?? LATE
      if (accepted.save !== null) saves.set(key, accepted.save)
      return accepted.save
    })
  }
  let report: CommitReport
  try {
    report = await bound.commit(requests, decide)
  } catch (error) {
    if (error !== EPOCH_MOVED) throw error
    await games.refresh(bound)
    return tryBatch({ storage, games }, commands, isRanked, elsewhere)
  }
  for (const round of report.rounds) attachRanks(round, groups, saves, outcomes)
  const failures = report.failures.map((failure) => ({ group: groups.get(userKeyText(failure)) ?? [], failure }))
  return { outcomes, failures }
}

type Group = readonly { readonly command: TimedCommand; readonly index: number }[]

function toRequest(group: Group): readonly UserRequest[] {
  const [first] = group
  if (first === undefined) return []
  const { tenant, user } = first.command
  return [{ tenant, user, lookups: toLookups(group.map(({ command }) => command)) }]
}

function attachRanks(
  round: CommitRound,
  groups: ReadonlyMap<string, Group>,
  saves: ReadonlyMap<string, UserSave>,
  outcomes: BatchOutcome[],
): void {
  const moves: OrderedMove[] = []
  const answered: { readonly index: number; readonly outcome: Recorded }[] = []
  for (const { tenant, user } of round.users) {
    for (const { index } of groups.get(userKeyText({ tenant, user })) ?? []) {
      const outcome = outcomes[index]
      if (typeof outcome !== 'object' || outcome.type !== 'recorded') continue
      for (const move of outcome.moves) moves.push({ tenant, user, order: index, move })
      if (outcome.moves.some(({ isAnswered }) => isAnswered)) answered.push({ index, outcome })
    }
  }
  if (answered.length === 0) return
  const ranks = rankMoves(round, (user) => saves.get(userKeyText(user))?.ranks ?? [], moves)
  for (const { index, outcome } of answered) outcomes[index] = { ...outcome, ranks }
}
