import type { UserState } from '../../src/rules/state.ts'
import { bindAll, type Statement, statement } from './statement.ts'
import type { StreakPausesTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export interface StreakPauseQueries {
  readonly put: Statement<StreakPausesTable, unknown>
  readonly remove: Statement<StreakPausesTable, unknown>
  /** Of a JSON list of ids. */
  readonly find: Statement<
    { readonly tenant_id: string; readonly ids: string },
    Pick<StreakPausesTable, 'pause_id' | 'user_id'>
  >
}

export function streakPauseQueries(traits: SqlTraits): StreakPauseQueries {
  const { kysely } = traits
  return {
    put: statement(traits, (bind) =>
      kysely
        .insertInto('streak_pauses')
        .values(bindAll(bind, ['tenant_id', 'user_id', 'pause_id']))
        .onConflict((on) => on.doNothing()),
    ),
    remove: statement(traits, (bind) =>
      kysely
        .deleteFrom('streak_pauses')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('pause_id', '=', bind('pause_id')),
    ),
    find: statement(traits, (bind) =>
      kysely
        .selectFrom('streak_pauses')
        .select(['pause_id', 'user_id'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('pause_id', 'in', traits.jsonList(bind('ids'))),
    ),
  }
}

/** Which pauses a user has no more, and which are new. */
export function pausesOf(
  before: UserState | null,
  after: UserState,
): { readonly remove: readonly string[]; readonly put: readonly string[] } {
  const old = before?.pauses ?? []
  if (old === after.pauses) return { remove: [], put: [] }
  const isIn = (pauses: UserState['pauses'], id: string): boolean => pauses.some((pause) => pause.id === id)
  return {
    remove: old.filter(({ id }) => !isIn(after.pauses, id)).map(({ id }) => id),
    put: after.pauses.filter(({ id }) => !isIn(old, id)).map(({ id }) => id),
  }
}
