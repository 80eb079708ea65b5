import { sql } from 'kysely'
import type { OwnedMessage, PlacedMessage, WrittenMessage } from '../../src/storage-outbox.ts'
import { rawStatement, tableOf } from './row-queries.ts'
import type { Statement } from './statement.ts'
import type { MessagesTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

/** A message as it is inserted: the database numbers it. */
export type NewMessageRow = Omit<MessagesTable, 'number' | 'position'>

export type MessageRow = Omit<MessagesTable, 'position'>
export type PlacedRow = MessageRow & { readonly position: number }

interface OfTypes {
  readonly after: number
  /** A JSON list. */
  readonly types: string
  readonly limit: number
}

type OfTenant = Pick<UserColumns, 'tenant_id'>

export interface MessageQueries {
  readonly newest: Statement<Readonly<Record<string, never>>, { readonly position: number }>
  readonly read: Statement<Omit<OfTypes, 'types'>, PlacedRow>
  readonly ofTypes: Statement<OfTypes, PlacedRow>
  readonly count: Statement<OfTypes, { readonly count: number }>
  readonly due: Statement<{ readonly now: number; readonly limit: number }, MessageRow>
  /** Answers the numbers of the messages that it removed. */
  readonly removeOld: Statement<{ readonly up_to: number; readonly before: number; readonly limit: number }, unknown>
  readonly dueUsers: Statement<{ readonly now: number; readonly limit: number }, UserColumns>
  readonly ofUser: Statement<UserColumns, unknown>
  readonly ofTenant: Statement<OfTenant, unknown>
}

const MESSAGE = sql`number, message_id, type, at, tenant_id, user_id, data, due`
const PLACED = sql`${MESSAGE}, position`

export function messageQueries(traits: SqlTraits): MessageQueries {
  const messages = tableOf('messages')
  return {
    newest: rawStatement(traits, () => sql`select position from ${tableOf('outbox_head')}`),
    read: rawStatement(
      traits,
      (bind) => sql`select ${PLACED} from ${messages} where position > ${bind('after')} order by position
        limit ${bind('limit')}`,
    ),
    ofTypes: rawStatement(
      traits,
      (bind) => sql`select ${PLACED} from ${messages} where position > ${bind('after')}
        and type in ${traits.jsonList(bind('types'))} order by position limit ${bind('limit')}`,
    ),
    count: rawStatement(
      traits,
      (bind) => sql`select count(*) as count from (
        select 1 from ${messages} where position > ${bind('after')} and type in ${traits.jsonList(bind('types'))}
          limit ${bind('limit')}
      ) m`,
    ),
    // The order of the index, in which messages of one id stand together: they are due at one time.
    due: rawStatement(
      traits,
      (
        bind,
      ) => sql`select ${MESSAGE} from ${messages} where position is null and due is not null and due <= ${bind('now')}
        order by due, message_id, number limit ${bind('limit')}`,
    ),
    removeOld: rawStatement(
      traits,
      (bind) => sql`delete from ${messages} where number in (
        select number from ${messages} where position is not null and at < ${bind('before')}
          and position <= ${bind('up_to')} order by at limit ${bind('limit')}
      ) returning number`,
    ),
    dueUsers: rawStatement(
      traits,
      (
        bind,
      ) => sql`select tenant_id, user_id from ${tableOf('users')} where due_at is not null and due_at <= ${bind('now')}
        order by due_at, tenant_id, user_id limit ${bind('limit')}`,
    ),
    ofUser: rawStatement(
      traits,
      (bind) => sql`delete from ${messages} where tenant_id = ${bind('tenant_id')} and user_id = ${bind('user_id')}`,
    ),
    ofTenant: rawStatement(traits, (bind) => sql`delete from ${messages} where tenant_id = ${bind('tenant_id')}`),
  }
}

/** The column `user_id` of a message about no user: no user has an empty id. */
const NOBODY = ''

export function toMessageRow({ id, type, at, tenant, user, data, due }: OwnedMessage): NewMessageRow {
  return { message_id: id, type, at, tenant_id: tenant, user_id: user ?? NOBODY, data, due }
}

export function fromUserColumn(userId: string): string | null {
  return userId === NOBODY ? null : userId
}

export function fromMessageRow({
  number,
  message_id,
  type,
  at,
  tenant_id,
  user_id,
  data,
  due,
}: MessageRow): WrittenMessage {
  return { number, tenant: tenant_id, user: fromUserColumn(user_id), id: message_id, type, at, data, due }
}

export function toPlaced({ position, ...row }: PlacedRow): PlacedMessage {
  return { ...fromMessageRow(row), position }
}
