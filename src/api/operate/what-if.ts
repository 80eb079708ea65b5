import { hash } from 'node:crypto'
import { compileGame } from '../../game/compile.ts'
import { type DefinedGame, requireDefined } from '../../game/define-game.ts'
import { type GivenBoosts, NO_BOOSTS } from '../../game/stored-game.ts'
import { forEachEntry, type ReadChunk, readInTurns } from '../../record/replay/read-log.ts'
import { allUnder } from '../../record/replay/replay.ts'
import type { Change } from '../../rules/change.ts'
import { startFold } from '../../rules/fold.ts'
import type { Game } from '../../rules/game.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { startDamageCheck, withLine } from '../../runtime/damaged-users.ts'
import { parse } from '../../runtime/input.ts'
import { AGAIN, onNewestGame } from '../../runtime/newest-game.ts'
import { createPause } from '../../runtime/pages.ts'
import type { WhatIfReport } from '../../shapes/operate.ts'
import type { UserKey } from '../../storage/rows.ts'
import { runSteps } from '../../storage/steps.ts'
import type { StoredUser } from '../../storage/storage.ts'
import { sumAwards } from './award-sums.ts'
import { whatIfOptions } from './requests.ts'
import { eachUser, namedUsers, walk } from './walk-users.ts'
import { type OtherUser, startWhatIfReport } from './what-if-report.ts'

export async function whatIf(context: Context, next: DefinedGame, options: unknown = {}): Promise<WhatIfReport> {
  const { users: only, tenant, sample, ...control } = parse(whatIfOptions, options, 'options')
  requireDefined(next, 'whatIf()')
  const report = startWhatIfReport(next.rules, context.now())
  const withBoosts = startWithBoosts(next)
  const keys = only === undefined ? eachUser(context.storage) : namedUsers(context.storage, only, tenant)
  const { users, damaged } = await walk(keys, control, async (key) => {
    if (!isSampled(key, sample)) return null
    const { storedUser, other, current } = await replayBoth(context, withBoosts, key, control.signal)
    // Another name is not counted: the user that continues is.
    if (storedUser.state !== null && storedUser.state.mergedInto !== null) return null
    report.add(key, current.game, storedUser, other)
    return storedUser.state?.seq ?? 0
  })
  return { users: users - damaged.length, ...(await report.report()), damaged }
}

/** The user's current state, and the state under the other game, both from the same log. */
async function replayBoth(
  context: Context,
  withBoosts: (current: CurrentGame) => Game,
  key: UserKey,
  signal: AbortSignal | undefined,
): Promise<{ readonly storedUser: StoredUser; readonly other: OtherUser; readonly current: CurrentGame }> {
  const check = startDamageCheck(key.user)
  return onNewestGame(context, key, { awards: {} }, 'its log was folded', async (storedUser, current) => {
    check(storedUser)
    const lines = storedUser.state?.seq ?? 0
    const readLog = readInTurns(context.storage, key, lines, null, createPause(signal))
    const other = await replayUnder(key.user, readLog, allUnder(current, withBoosts(current)), lines)
    return other === null ? AGAIN : { storedUser, other, current }
  })
}

/** Returns null if an entry has an unknown game, or if the log has another number of lines. */
async function replayUnder(
  user: string,
  read: ReadChunk,
  { games, baselineEpoch }: Pick<CurrentGame, 'games' | 'baselineEpoch'>,
  lines: number,
): Promise<OtherUser | null> {
  const fold = startFold(games, baselineEpoch, null, user)
  const awards = new Map<string, Map<string, number>>()
  let count = 0
  const isKnown = await runSteps(
    forEachEntry(read, (line) => {
      if (!games.has(line.epoch)) return false
      const { decided } = withLine(line, () => fold.next(line))
      sumAwards(decided.changes.filter(isAwarded), awards)
      count += 1
      return true
    }),
  )
  return isKnown && count === lines ? { state: fold.state, awards } : null
}

function isAwarded(change: Change): change is Extract<Change, { readonly type: 'pointsAwarded' }> {
  return change.type === 'pointsAwarded'
}

/** The other game with the boosts that are given to all users now, which it would have too. */
function startWithBoosts(next: DefinedGame): (current: CurrentGame) => Game {
  let made: { readonly boosts: GivenBoosts; readonly game: Game } = { boosts: NO_BOOSTS, game: next.rules }
  return ({ boosts }) => {
    if (boosts !== made.boosts) made = { boosts, game: compileGame(next.definition, boosts) }
    return made.game
  }
}

/** True if a user is in the sample. A hash decides, so that each call samples the same users. */
function isSampled({ tenant, user }: UserKey, share: number): boolean {
  return hash('sha256', JSON.stringify([tenant, user]), 'buffer').readUIntBE(0, 6) < share * 2 ** 48
}
