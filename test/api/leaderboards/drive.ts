import { type EventLeaderboard, isGamificationError } from '../../../src/index.ts'
import type { Call } from '../../model/types.ts'
import type { Writer } from './hosts.ts'
import type { Answer } from './model.ts'

/** The engine's answer to a call, in the words of the model, or null if it was refused. */
export async function drive(writer: Writer, call: Call): Promise<Answer> {
  try {
    return toStandings(await ask(writer, call))
  } catch (error) {
    if (isGamificationError(error) && error.code !== 'internal') return null
    throw error
  }
}

async function ask(
  { metrics, achievements, users }: Writer,
  call: Call,
): Promise<{ readonly [board: string]: EventLeaderboard }> {
  switch (call.call) {
    case 'event': {
      const { id, profile, metric, value, occurredAt, idempotencyKey } = call
      const answer = await metrics.event(metric, {
        user: { id, ...profile },
        value,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
      })
      return answer.leaderboards
    }
    case 'complete':
      await achievements.complete(call.achievement, { user: { id: call.id, ...call.profile } })
      return {}
    case 'identify':
      await users.identify(call.id, call.profile)
      return {}
    case 'update':
      await users.update(call.id, call.profile)
      return {}
    default:
      throw new TypeError(`Histories have no ${call.call}`)
  }
}

function toStandings(boards: { readonly [board: string]: EventLeaderboard }): Answer {
  return Object.fromEntries(
    Object.entries(boards).map(([key, { rank, previousRank, threshold, start, end }]) => [
      key,
      { rank, previousRank, threshold, start, end },
    ]),
  )
}
