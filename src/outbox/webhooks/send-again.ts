import type { Storage } from '../../storage.ts'
import type { Delivery } from '../../storage-outbox.ts'

const PAGE = 200

interface Replay {
  /** Default: all messages. */
  readonly ids?: readonly string[]
  readonly states: readonly Delivery['state'][]
  readonly now: number
}

/** Replays the deliveries of a receiver that have one of the states. Returns how many. */
export async function sendAgain(storage: Storage, receiver: string, { ids, states, now }: Replay): Promise<number> {
  const wanted = ids === undefined ? null : new Set(ids)
  let before = Number.MAX_SAFE_INTEGER
  let replayed = 0
  for (;;) {
    const page = await storage.deliveries({ receiver, limit: PAGE, before })
    const again = page
      .filter(({ state, messageId }) => states.includes(state) && (wanted === null || wanted.has(messageId)))
      .map(({ position }) => position)
    if (again.length > 0) replayed += await storage.replayDeliveries(receiver, again, now)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || replayed === wanted?.size) return replayed
    before = last.position
  }
}
