import { type Statement, statement } from './statement.ts'
import type { StreakPausesTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export interface StreakPauseQueries {
  /** The owners of the pauses in a JSON list of ids. */
  readonly find: Statement<{ readonly tenant_id: string; readonly ids: string }, OwnerRow>
}

type OwnerRow = Pick<StreakPausesTable, 'pause_id' | 'user_id'>

export function streakPauseQueries(traits: SqlTraits): StreakPauseQueries {
  const { kysely } = traits
  return {
    find: statement(traits, (bind) =>
      kysely
        .selectFrom('streak_pauses')
        .select(['pause_id', 'user_id'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('pause_id', 'in', traits.jsonList(bind('ids'))),
    ),
  }
}

export function toPauseOwner({ pause_id, user_id }: OwnerRow): { readonly id: string; readonly user: string } {
  return { id: pause_id, user: user_id }
}
