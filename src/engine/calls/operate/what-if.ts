import { createHash } from 'node:crypto'
import { compileGame } from '../../../game/compile.ts'
import { type DefinedGame, requireDefined } from '../../../game/define-game.ts'
import { type GivenBoosts, NO_BOOSTS } from '../../../game/given-boosts.ts'
import { whatIfOptions } from '../../../requests/audit.ts'
import { parse } from '../../../requests/input.ts'
import type { Game } from '../../../rules/game.ts'
import type { UserView } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { CHANGED, OUTDATED, onNewestGame } from '../../on-newest-game.ts'
import { readInTurns } from '../../replay/read-log.ts'
import type { Replay } from '../../replay/replay.ts'
import { replayUnder } from '../../replay/replay-under.ts'
import type { Context, CurrentGame } from '../../types.ts'
import { namedUsers, usersOf } from './walk-users.ts'
import { startWhatIfReport, type WhatIfReport } from './what-if-report.ts'

/**
 * Who would gain and who would lose what if another game had always been there: folds the real logs under it. Nothing
 * is written.
 */
export async function whatIf(context: Context, next: DefinedGame, options: unknown = {}): Promise<WhatIfReport> {
  const { users: only, tenant, onProgress, signal, sample } = parse(whatIfOptions, options, 'options')
  requireDefined(next, 'whatIf()')
  const report = startWhatIfReport(next.rules, context.now())
  const withBoosts = startWithBoosts(next)
  let users = 0
  let entries = 0
  for await (const key of only === undefined ? usersOf(context.storage) : namedUsers(context.storage, only, tenant)) {
    signal?.throwIfAborted()
    if (!isSampled(key, sample)) continue
    const { view, fold, current } = await foldBoth(context, withBoosts, key, signal)
    // Another name is not counted: the user that goes on is.
    if (view.state !== null && view.state.mergedInto !== null) continue
    users += 1
    entries += view.state?.seq ?? 0
    report.add(key, current.game, view, fold)
    onProgress?.({ users, entries, last: key })
  }
  onProgress?.({ users, entries, last: null })
  return report.report()
}

/** After so many folds a user who changes all the time is reported with lines that came between two reads. */
const MOST_FOLDS = 99

/** The user as it is and as it would be, both of the same log. */
async function foldBoth(
  context: Context,
  withBoosts: (current: CurrentGame) => Game,
  key: UserKey,
  signal: AbortSignal | undefined,
): Promise<{ readonly view: UserView; readonly fold: Replay; readonly current: CurrentGame }> {
  const asked = { awards: {}, leaderboards: {} }
  return onNewestGame(context, key, asked, 'its log was folded', async (view, current, tries) => {
    const game = withBoosts(current)
    const fold = await replayUnder(readInTurns(context.storage, key, view.state?.seq ?? 0), current, game, signal)
    if (fold === null) return OUTDATED
    const isSame = (fold.state?.seq ?? 0) === (view.state?.seq ?? 0)
    return isSame || tries >= MOST_FOLDS ? { view, fold, current } : CHANGED
  })
}

/** The other game with the boosts that are given to all users now, which it would have too. */
function startWithBoosts(next: DefinedGame): (current: CurrentGame) => Game {
  let made: { readonly boosts: GivenBoosts; readonly game: Game } = { boosts: NO_BOOSTS, game: next.rules }
  return ({ boosts }) => {
    if (boosts !== made.boosts) made = { boosts, game: compileGame(next.definition, boosts) }
    return made.game
  }
}

const HEX_DIGITS = 12

/** Whether a user is in the sample: by a hash, so that each time it is the same users. */
function isSampled({ tenant, user }: UserKey, share: number): boolean {
  if (share === 1) return true
  const hash = createHash('sha256')
    .update(JSON.stringify([tenant, user]))
    .digest('hex')
    .slice(0, HEX_DIGITS)
  return Number.parseInt(hash, 16) < share * 16 ** HEX_DIGITS
}
