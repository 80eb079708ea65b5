import { toBalance, toMovement } from '../../answers/wallets.ts'
import { GamificationError } from '../../errors.ts'
import { movementsOf } from '../../record/accept/derived-rows.ts'
import { underGame } from '../../rules/fold.ts'
import type { Game, SpendableSystem } from '../../rules/game.ts'
import { isSpendable } from '../../rules/game.ts'
import { quoteName } from '../../rules/names.ts'
import { settle, settled } from '../../rules/settle.ts'
import type { Call } from '../../runtime/context.ts'
import type * as Types from '../../shapes/wallets.ts'
import type { MovementCursor } from '../../sql/movements.ts'
import type { Movement } from '../../storage/rows.ts'
import { readCursor, toCursor } from '../cursors.ts'
import { knownSystem } from '../named-parts.ts'
import { readUser, type UserInGame } from '../users/read-user.ts'
import type { ParsedStatement } from './requests.ts'

/** Throws `unknown_points_system` or `not_spendable`. */
export function spendableSystem(game: Game, key: string): SpendableSystem {
  const system = knownSystem(game, key)
  if (isSpendable(system)) return system
  const message = `The points of ${quoteName(key)} cannot be spent: set spendable: true in the game.`
  throw new GamificationError('not_spendable', message)
}

export async function readBalance(call: Call, user: string, key: string): Promise<Types.PointsBalance> {
  const { game, state, at } = await readUser(call, user)
  return toBalance(spendableSystem(game, key), settled(game, state, at))
}

export async function listBalances(call: Call, user: string): Promise<readonly Types.PointsBalance[]> {
  const { game, state: known, at } = await readUser(call, user)
  const state = settled(game, known, at)
  return game.spendableSystems.map((system) => toBalance(system, state))
}

const AFTER_ALL: MovementCursor = {
  at: Number.MAX_SAFE_INTEGER,
  seq: Number.MAX_SAFE_INTEGER,
  ordinal: Number.MAX_SAFE_INTEGER,
}

export async function readStatement(
  call: Call,
  user: string,
  { system, before: sent, limit }: ParsedStatement,
): Promise<Types.PointsStatement> {
  const before = sent === undefined ? AFTER_ALL : readBefore(sent)
  const read = await readUser(call, user, { movements: { of: { system, before }, limit: limit + 1 } })
  const { key } = spendableSystem(read.game, system)
  const unsaved = movementsOfTime(read).filter((each) => each.system === key && comesBefore(each, before))
  const all = [...unsaved.map((each) => ({ ...each, entryId: null })).reverse(), ...read.storedUser.movements]
  const page = all.slice(0, limit)
  const last = page.at(-1)
  const next = last === undefined || all.length <= limit ? null : toCursor(last, last.ordinal)
  return { system: key, movements: page.map((each) => toMovement(each, each.entryId)), next }
}

/** The movements that time caused since the newest entry. The next entry stores them. */
function movementsOfTime({ storedUser, games, game, epoch, state, at }: UserInGame): readonly Movement[] {
  if (storedUser.state === null) return []
  const adopted = underGame(games, storedUser.state, epoch, at)
  return movementsOf({ seq: state.seq + 1, id: '' }, [...adopted.changes, ...settle(game, adopted.state, at)])
}

function comesBefore({ at, seq, ordinal }: MovementCursor, place: MovementCursor): boolean {
  return (at - place.at || seq - place.seq || ordinal - place.ordinal) < 0
}

function readBefore(text: string): MovementCursor {
  const { place, others } = readCursor(text, 'before')
  const [ordinal = 0] = others
  return { ...place, ordinal }
}
