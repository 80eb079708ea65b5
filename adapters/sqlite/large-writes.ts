import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import type { DatabaseHandle } from './database.ts'

/** A write that is done in one turn of the event loop where it is small. */
export interface Writing<Answer> {
  /** Within a transaction. Tells `checkSize` how many rows it writes, about, before it writes the first. */
  atOnce(connection: Connection, checkSize: (rows: number) => void): Written<Answer>
  /** The same in many turns; see `inTurns`. */
  inTurns(turns: Turns): Promise<Answer>
}

export interface Written<Answer> {
  readonly answer: Answer
  /** Called after the commit, before anything else can happen on the connection. */
  committed(): void
}

/** A transaction that is open for some turns of the event loop. */
export interface Turns {
  /** Answers with the connection as long as the transaction is open, else rejects. */
  begin(): Promise<Connection>
  /** Lets the event loop have its turn, unless somebody else in the process has opened the file meanwhile. */
  turn(): Promise<void>
}

/** What takes some milliseconds. */
const MOST_IN_A_TURN = 1_000
const MOST_AT_ONCE = 2 * MOST_IN_A_TURN

const LARGE: unique symbol = Symbol('large')

export type LargeWriter = Pick<DatabaseHandle, 'write' | 'writeInTurns' | 'isAlone'>

/**
 * Writes in turns what is large, where nobody else in the process has the file open; else at once. A large write has a
 * connection of its own, so that reads go on between its turns; caches find out from SQLite that another connection has
 * written.
 */
export async function writeAny<Answer>(
  { write, writeInTurns, isAlone }: LargeWriter,
  { atOnce, inTurns }: Writing<Answer>,
  deadline?: number,
): Promise<Answer> {
  let isLarge = false
  const turn = async (): Promise<void> => {
    if (isAlone()) await nextTurn()
  }
  const checkSize = (rows: number): void => {
    isLarge = rows > MOST_AT_ONCE && isAlone()
    if (isLarge) throw LARGE
  }
  try {
    const { answer } = await write(
      (connection) => atOnce(connection, checkSize),
      deadline,
      (done) => done.committed(),
    )
    return answer
  } catch (error) {
    if (!isLarge) throw error
    return await writeInTurns((begin) => inTurns({ begin, turn }), deadline)
  }
}

/** Writes what belongs to each item; before each thousand of them the event loop has its turn. */
export async function inTurns<Item>(
  { begin, turn }: Turns,
  items: readonly Item[],
  write: (connection: Connection, item: Item) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += MOST_IN_A_TURN) {
    await turn()
    const connection = await begin()
    for (const item of items.slice(from, from + MOST_IN_A_TURN)) write(connection, item)
  }
}

/** Asks for removals of at most `limit` rows until there are none left, each in a turn of its own. */
export async function removeInTurns(
  { begin, turn }: Turns,
  removeSome: (connection: Connection, limit: number) => number,
): Promise<void> {
  while (removeSome(await begin(), MOST_IN_A_TURN) > 0) await turn()
}
