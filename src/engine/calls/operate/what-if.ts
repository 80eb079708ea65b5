import { createHash } from 'node:crypto'
import { compileGame } from '../../../game/compile.ts'
import { type DefinedGame, requireDefined } from '../../../game/define-game.ts'
import { type GivenBoosts, NO_BOOSTS } from '../../../game/given-boosts.ts'
import { whatIfOptions } from '../../../requests/audit.ts'
import { parse } from '../../../requests/input.ts'
import type { Game } from '../../../rules/game.ts'
import type { UserView } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import type { DamagedUser } from '../../answers/wire/users.ts'
import { damageOf, startDamageCheck } from '../../damage.ts'
import { OUTDATED, onNewestGame } from '../../on-newest-game.ts'
import { readInTurns } from '../../replay/read-log.ts'
import type { Replay } from '../../replay/replay.ts'
import { replayUnder } from '../../replay/replay-under.ts'
import type { Context, CurrentGame } from '../../types.ts'
import { namedUsers, usersOf } from './walk-users.ts'
import { startWhatIfReport, type WhatIfReport } from './what-if-report.ts'

/**
 * Who would gain and who would lose what if another game had always been there: folds the real logs under it. Nothing
 * is written. A damaged user is reported, and the others are compared.
 */
export async function whatIf(context: Context, next: DefinedGame, options: unknown = {}): Promise<WhatIfReport> {
  const { users: only, tenant, onProgress, signal, sample } = parse(whatIfOptions, options, 'options')
  requireDefined(next, 'whatIf()')
  const report = startWhatIfReport(next.rules, context.now())
  const withBoosts = startWithBoosts(next)
  const damaged: DamagedUser[] = []
  let users = 0
  let entries = 0
  for await (const key of only === undefined ? usersOf(context.storage) : namedUsers(context.storage, only, tenant)) {
    signal?.throwIfAborted()
    if (!isSampled(key, sample)) continue
    try {
      const { view, fold, current } = await foldBoth(context, withBoosts, key, signal)
      // Another name is not counted: the user that goes on is.
      if (view.state !== null && view.state.mergedInto !== null) continue
      entries += view.state?.seq ?? 0
      report.add(key, current.game, view, fold)
    } catch (error) {
      damaged.push(damageOf(key, error))
    }
    users += 1
    onProgress?.({ users, entries, last: key })
  }
  onProgress?.({ users, entries, last: null })
  return { ...report.report(), damaged }
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
  const check = startDamageCheck(key.user)
  return onNewestGame(context, key, asked, 'its log was folded', async (view, current, tries) => {
    check(view)
    const game = withBoosts(current)
    const lines = view.state?.seq ?? 0
    const folding = { lines: tries < MOST_FOLDS ? lines : undefined, signal }
    const fold = await replayUnder(readInTurns(context.storage, key, lines), current, game, folding)
    return fold === null ? OUTDATED : { view, fold, current }
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
