import { isGamificationError } from '../../../src/errors.ts'
import type { DefinedGame } from '../../../src/game/define-game.ts'
import type { ChosenDatabase, Inspection } from '../database.ts'
import { readNewestGame } from '../stored-game.ts'
import { plural } from '../text.ts'
import { type CheckResult, ok, problem, warning } from './finding.ts'

export interface GameFindings {
  readonly finding: CheckResult
  /** Whether the game in force can be worked with. */
  readonly isUsable: boolean
}

/** The game that is stored, beside the one that is given. */
export function checkGames(database: ChosenDatabase, inspection: Inspection, given: DefinedGame | null): GameFindings {
  const games = inspection.contents?.games ?? []
  const newest = games.at(-1)
  if (newest === undefined) {
    const mend = `npx laurels migrate${database.option} --game <file>`
    return { finding: warning('game', 'none is stored yet: the first process stores its own', mend), isUsable: false }
  }
  try {
    readNewestGame(database, inspection)
  } catch (error) {
    if (!isGamificationError(error)) throw error
    return { finding: problem('game', error.message, 'update laurels'), isUsable: false }
  }
  const stored = `epoch ${newest.epoch} is in force`
  if (given === null) return { finding: ok('game', stored), isUsable: true }
  if (given.fingerprint === newest.fingerprint)
    return { finding: ok('game', `${stored}, and is the one given`), isUsable: true }
  const older = games.findLast(({ fingerprint }) => fingerprint === given.fingerprint)
  const finding =
    older === undefined
      ? warning(
          'game',
          `${stored}, and the one given is another: a process that starts with it puts it in force`,
          `npx laurels what-if${database.option} --game <file>`,
        )
      : warning(
          'game',
          `${stored}, and the one given is an older one (epoch ${older.epoch}), which is not used`,
          `npx laurels apply${database.option} --game <file> --policy forward`,
        )
  return { finding, isUsable: true }
}

/** Who holds an application key can score for its user, and browsers do hold them. */
export function checkKeys({ contents }: Inspection): CheckResult {
  const keys = contents?.applicationKeys ?? 0
  if (keys === 0) return ok('keys', 'no application keys')
  const may = keys === 1 ? 'It may' : 'Each may'
  return warning(
    'keys',
    `${plural(keys, 'application key')}. ${may} record events and completions of its user: whoever has one can score`,
    'give application keys to what you trust alone, and record what counts from your backend',
  )
}
