import { sql } from 'kysely'
import type { OwnedMessage, PlacedMessage, WrittenMessage } from '../../src/storage/outbox.ts'
import { columnList, rawStatement, type SqlTraits, type Statement, tableOf } from './database.ts'
import { COLUMNS, type MessagesTable, type UserColumns } from './tables.ts'

/** A message as it is inserted. Its number is `place` after the larger of `base` and the newest number of its user. */
export interface NewMessageRow extends Omit<MessagesTable, 'number' | 'position'> {
  readonly base: number
  readonly place: number
}

export type MessageRow = Omit<MessagesTable, 'position'>
export type PlacedRow = MessageRow & { readonly position: number }

interface OfTypes {
  readonly after: number
  /** A JSON list. */
  readonly types: string
  readonly limit: number
}

/** A JSON list of objects. */
interface Rows {
  readonly rows: string
}

type Nothing = Readonly<Record<string, never>>
type OfTenant = Pick<UserColumns, 'tenant_id'>

export interface MessageQueries {
  readonly newest: Statement<Nothing, { readonly position: number }>
  /** Answers a row where a message is to get a position. */
  readonly unplaced: Statement<Nothing, unknown>
  /** Whoever has the head gives positions alone. */
  readonly lockHead: Statement<Nothing, unknown>
  /** Gives positions behind the head, and answers a row for each. */
  readonly place: Statement<{ readonly limit: number }, unknown>
  readonly advanceHead: Statement<{ readonly by: number }, unknown>
  /** Locks the users of new messages, and answers those who are there. */
  readonly lockUsers: Statement<Rows, UserColumns>
  /** Locks waiting messages by id and number, and answers a row for each that is there. */
  readonly lock: Statement<Rows, unknown>
  readonly remove: Statement<Rows, unknown>
  /** Inserts rows (`NewMessageRow`) whose users are locked. */
  readonly insert: Statement<Rows, unknown>
  readonly read: Statement<Omit<OfTypes, 'types'>, PlacedRow>
  readonly ofTypes: Statement<OfTypes, PlacedRow>
  readonly count: Statement<OfTypes, { readonly count: number }>
  readonly due: Statement<{ readonly now: number; readonly limit: number }, MessageRow>
  /** Answers a row for each message that it removed. */
  readonly removeOld: Statement<{ readonly up_to: number; readonly before: number; readonly limit: number }, unknown>
  readonly dueUsers: Statement<{ readonly now: number; readonly limit: number }, UserColumns>
  readonly ofUser: Statement<UserColumns, unknown>
  readonly ofTenant: Statement<OfTenant, unknown>
}

const MESSAGE = sql`number, message_id, type, at, tenant_id, user_id, data, due`
const PLACED = sql`${MESSAGE}, position`
const KEY = { message_id: COLUMNS.messages.message_id, number: COLUMNS.messages.number }
const { number: _, position: __, ...GIVEN } = COLUMNS.messages
const OWNER = { tenant_id: GIVEN.tenant_id, user_id: GIVEN.user_id }
const NEW_MESSAGE: { readonly [Name in keyof NewMessageRow]: string } = {
  ...GIVEN,
  ...{ base: 'integer', place: 'integer' },
}

export function messageQueries(traits: SqlTraits): MessageQueries {
  const messages = tableOf('messages')
  const head = tableOf('outbox_head')
  return {
    newest: rawStatement(traits, () => sql`select position from ${head}`),
    unplaced: rawStatement(
      traits,
      () => sql`select number from ${messages} where position is null and due is null limit 1`,
    ),
    lockHead: rawStatement(
      traits,
      () => sql`insert into ${head} as h (id, position) values (1, 0)
        on conflict (id) do update set position = h.position returning position`,
    ),
    // A message that is being removed is passed over, not waited for: all of one user's are removed together.
    place: rawStatement(
      traits,
      (bind) => sql`with next as materialized (
        select message_id, number from ${messages} where position is null and due is null
          order by number, message_id limit ${bind('limit')} ${traits.locking('for no key update skip locked')}
      ), n as materialized (
        select message_id, number, row_number() over (order by number, message_id) as place from next
      )
      update ${messages} as m set position = (select h.position from ${head} h) + n.place
        from n where m.message_id = n.message_id and m.number = n.number returning position`,
    ),
    advanceHead: rawStatement(
      traits,
      (bind) => sql`update ${head} set position = position + ${bind('by')} returning id`,
    ),
    lockUsers: rawStatement(
      traits,
      (bind) => sql`select u.tenant_id, u.user_id from ${tableOf('users')} u join (
        select distinct tenant_id, user_id from ${traits.jsonRows(bind('rows'), OWNER)}
      ) r on u.tenant_id = r.tenant_id and u.user_id = r.user_id
        order by u.tenant_id, u.user_id ${traits.locking('for no key update of u')}`,
    ),
    lock: rawStatement(
      traits,
      (bind) => sql`select m.number from ${messages} m join ${traits.jsonRows(bind('rows'), KEY)}
        on m.message_id = r.message_id and m.number = r.number where m.position is null
        order by m.message_id, m.number ${traits.locking('for update of m')}`,
    ),
    remove: rawStatement(
      traits,
      (bind) => sql`delete from ${messages} where (message_id, number) in (
        select r.message_id, r.number from ${traits.jsonRows(bind('rows'), KEY)}
      ) returning number`,
    ),
    insert: rawStatement(
      traits,
      (bind) => sql`insert into ${messages} (number, ${columnList(Object.keys(GIVEN))})
        select case when newest > base then newest else base end + place, ${columnList(Object.keys(GIVEN))} from (
          select r.*, coalesce((
            select max(m.number) from ${messages} m where m.tenant_id = r.tenant_id and m.user_id = r.user_id
          ), 0) as newest from ${traits.jsonRows(bind('rows'), NEW_MESSAGE)}
        ) n returning number`,
    ),
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
      (bind) => sql`delete from ${messages} where position in (
        select position from ${messages} where position is not null and at < ${bind('before')}
          and position <= ${bind('up_to')} order by at limit ${bind('limit')}
      ) returning position`,
    ),
    dueUsers: rawStatement(
      traits,
      (
        bind,
      ) => sql`select tenant_id, user_id from ${tableOf('users')} where next_notice_at is not null and next_notice_at <= ${bind('now')}
        order by next_notice_at, tenant_id, user_id limit ${bind('limit')}`,
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

let newestBase = 0

/**
 * New messages of one user, or of none, in their order. The numbers grow with the clock, but never go back in this process;
 * along one user's messages they grow whatever the clocks of processes say.
 */
export function toMessageRows(messages: readonly OwnedMessage[]): readonly NewMessageRow[] {
  const base = Math.max(Date.now() * 1_000, newestBase)
  newestBase = base + messages.length
  return messages.map(({ id, type, at, tenant, user, data, due }, index) => ({
    ...{ message_id: id, type, at, tenant_id: tenant, user_id: user ?? NOBODY, data, due },
    ...{ base, place: index + 1 },
  }))
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
