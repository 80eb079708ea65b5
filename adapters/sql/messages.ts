import type { OwnedMessage, PlacedMessage, WrittenMessage } from '../../src/storage/outbox.ts'
import { compiler, type SqlTraits, type Statement } from './database.ts'
import { COLUMNS, type MessagesTable, type UserColumns } from './tables.ts'

/** A message as it is inserted. Its number is `place` after the larger of `base` and the newest number of its user. */
export interface NewMessageRow extends Omit<MessagesTable, 'number' | 'position'> {
  readonly base: number
  readonly place: number
}

type MessageRow = Omit<MessagesTable, 'position'>
type PlacedRow = MessageRow & { readonly position: number }

interface Page {
  readonly after: number
  readonly limit: number
}

interface Rows {
  readonly rows: string
}

interface DuePage {
  readonly now: number
  readonly limit: number
}

type None = Readonly<Record<string, never>>

const MESSAGE = 'number, message_id, type, at, tenant_id, user_id, data, due'
const KEY = { message_id: COLUMNS.messages.message_id, number: COLUMNS.messages.number }
const { number: _, position: __, ...GIVEN } = COLUMNS.messages
const OWNER = { tenant_id: GIVEN.tenant_id, user_id: GIVEN.user_id }
const NEW_MESSAGE: { readonly [Name in keyof NewMessageRow]: string } = {
  ...GIVEN,
  ...{ base: 'integer', place: 'integer' },
}

export interface MessageQueries {
  readonly newest: Statement<None, { readonly position: number }>
  /** Returns a row if a message waits for a position. */
  readonly unplaced: Statement<None, unknown>
  /** The transaction that has the head is the only one that gives positions. */
  readonly lockHead: Statement<None, unknown>
  /** Gives positions behind the head. Skips a message that is being removed: all of its user's are removed together. */
  readonly place: Statement<{ readonly limit: number }, unknown>
  readonly advanceHead: Statement<{ readonly by: number }, unknown>
  /** Locks the users of new messages, and returns those who exist. */
  readonly lockUsers: Statement<Rows, UserColumns>
  readonly lock: Statement<Rows, unknown>
  readonly remove: Statement<Rows, unknown>
  /** Inserts rows (`NewMessageRow`) whose users are locked, except emails that are stored already. */
  readonly insert: Statement<Rows, unknown>
  readonly read: Statement<Page, PlacedRow>
  /** `types`: a JSON list. */
  readonly ofTypes: Statement<Page & { readonly types: string }, PlacedRow>
  readonly count: Statement<Page & { readonly types: string }, { readonly count: number }>
  readonly due: Statement<DuePage, MessageRow>
  readonly removeOld: Statement<{ readonly up_to: number; readonly before: number; readonly limit: number }, unknown>
  readonly dueUsers: Statement<DuePage, UserColumns>
}

/** Statements that write or lock return a row for each message. */
export function messageQueries(traits: SqlTraits): MessageQueries {
  const sql = compiler(traits)
  const { jsonList, jsonRows, locking } = traits
  const given = Object.keys(GIVEN).join(', ')
  const placed = `select ${MESSAGE}, position from laurels.messages where position > :after`
  const ofTypes = `type in ${jsonList(':types')}`
  return {
    newest: sql(() => traits.kysely.selectFrom('outbox_head').select('position')),
    unplaced: sql('select number from laurels.messages where position is null and due is null limit 1'),
    lockHead: sql(
      `insert into laurels.outbox_head as h (id, position) values (1, 0)
        on conflict (id) do update set position = h.position returning position`,
    ),
    place: sql(
      `with next as materialized (
        select message_id, number from laurels.messages where position is null and due is null
          order by number, message_id limit :limit ${locking('for no key update skip locked')}
      ), n as materialized (
        select message_id, number, row_number() over (order by number, message_id) as place from next
      )
      update laurels.messages as m set position = (select h.position from laurels.outbox_head h) + n.place
        from n where m.message_id = n.message_id and m.number = n.number returning position`,
    ),
    advanceHead: sql('update laurels.outbox_head set position = position + :by returning id'),
    lockUsers: sql(
      `select u.tenant_id, u.user_id from laurels.users u join (
        select distinct tenant_id, user_id from ${jsonRows(':rows', OWNER)}
      ) r on u.tenant_id = r.tenant_id and u.user_id = r.user_id
        order by u.tenant_id, u.user_id ${locking('for no key update of u')}`,
    ),
    lock: sql(
      `select m.number from laurels.messages m join ${jsonRows(':rows', KEY)}
        on m.message_id = r.message_id and m.number = r.number where m.position is null
        order by m.message_id, m.number ${locking('for update of m')}`,
    ),
    remove: sql(
      `delete from laurels.messages where (message_id, number) in (
        select r.message_id, r.number from ${jsonRows(':rows', KEY)}
      ) returning number`,
    ),
    insert: sql(
      `insert into laurels.messages (number, ${given})
        select case when newest > base then newest else base end + place, ${given} from (
          select r.*, coalesce((
            select max(m.number) from laurels.messages m where m.tenant_id = r.tenant_id and m.user_id = r.user_id
          ), 0) as newest from ${jsonRows(':rows', NEW_MESSAGE)}
        ) n where type not like 'emails.%'
          or not exists (select 1 from laurels.messages m where m.message_id = n.message_id) returning number`,
    ),
    read: sql(`${placed} order by position limit :limit`),
    ofTypes: sql(`${placed} and ${ofTypes} order by position limit :limit`),
    count: sql(
      `select count(*) as count from (
        select 1 from laurels.messages where position > :after and ${ofTypes} limit :limit
      ) m`,
    ),
    // The order of the index, in which messages of one id are neighbours: they are due at one time.
    due: sql(
      `select ${MESSAGE} from laurels.messages where position is null and due is not null and due <= :now
        order by due, message_id, number limit :limit`,
    ),
    removeOld: sql(
      `delete from laurels.messages where position in (
        select position from laurels.messages where position is not null and at < :before
          and position <= :up_to order by at limit :limit
      ) returning position`,
    ),
    dueUsers: sql(
      `select tenant_id, user_id from laurels.users where next_notice_at is not null and next_notice_at <= :now
        order by next_notice_at, tenant_id, user_id limit :limit`,
    ),
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
