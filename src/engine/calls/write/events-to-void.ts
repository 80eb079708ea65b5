import type { EventsOf } from '../../../requests/types/void.ts'
import { type Entry, type EventRecorded, isHeld } from '../../../rules/entry.ts'
import type { Storage, WrittenEvent } from '../../../storage.ts'
import type { Context } from '../../types.ts'
import { followMerges } from '../read/follow-merges.ts'

/** How many events one fold voids: it keeps an entry for each until it is saved. */
const MOST_IN_FOLD = 10_000

type Events = readonly [WrittenEvent, ...WrittenEvent[]]

/**
 * The events that count, or are held back, in groups of one user each, which one fold of the log voids together.
 * `begin` makes a context for each page that is read.
 */
export async function* findEvents(begin: () => Context, tenant: string, which: EventsOf): AsyncGenerator<Events> {
  const read = 'by' in which ? byKey(tenant, which.by) : await betweenInstants(begin().storage, tenant, which)
  let group: WrittenEvent[] = []
  for (let after: WrittenEvent | null | undefined = null; after !== undefined; ) {
    const page = await read(begin().storage, after)
    after = page.next
    for (const event of page.events) {
      if (group.length === MOST_IN_FOLD || (group[0] !== undefined && group[0].user !== event.user)) {
        yield* toGroup(group)
        group = []
      }
      group.push(event)
    }
  }
  yield* toGroup(group)
}

function toGroup([first, ...others]: readonly WrittenEvent[]): readonly Events[] {
  return first === undefined ? [] : [[first, ...others]]
}

interface Page {
  readonly events: readonly WrittenEvent[]
  /** Absent: there are no more. */
  readonly next: WrittenEvent | undefined
}

type ReadPage = (storage: Storage, after: WrittenEvent | null) => Promise<Page>

function byKey(tenant: string, by: string): ReadPage {
  return async (storage, after) => {
    const events = await storage.eventsBy(tenant, by, after === null ? {} : { after })
    return { events, next: events.at(-1) }
  }
}

async function betweenInstants(
  { readUser }: Pick<Storage, 'readUser'>,
  tenant: string,
  { user: named, between }: Extract<EventsOf, { readonly user: string }>,
): Promise<ReadPage> {
  const { user } = (await followMerges({ readUser }, { tenant, user: named })).key
  const [from, to] = [between.from.getTime(), between.to.getTime()]
  return async (storage, after) => {
    // Lines are counted from 1 on.
    const lines = await storage.readLog({ tenant, user }, { after: after ?? { at: from, seq: 0 } })
    const last = lines.at(-1)
    const events = lines
      .filter((line) => line.at < to && line.kind === 'eventRecorded' && !isVoided(line))
      .map(({ id, at, seq }) => ({ id, user, at, seq }))
    const isOver = last === undefined || last.at >= to
    return { events, next: isOver ? undefined : { id: last.id, user, at: last.at, seq: last.seq } }
  }
}

/** Whether an event is voided for good. One that is held back is not: it would count once it is approved. */
function isVoided(line: Entry & EventRecorded): boolean {
  return line.voidedBy !== undefined && !isHeld(line)
}
