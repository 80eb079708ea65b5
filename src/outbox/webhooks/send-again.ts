import type { Storage } from '../../storage.ts'
import type { Delivery } from '../../storage-outbox.ts'
import type { Desk } from './desk.ts'

const PAGE = 200

/** Sends deliveries of a receiver again that are in a state, or of these messages, as if they had never been tried. */
export async function sendAgain(
  storage: Storage,
  desk: Desk,
  receiver: string,
  {
    ids,
    states,
    now,
  }: { readonly ids?: readonly string[]; readonly states: readonly Delivery['state'][]; readonly now: () => number },
): Promise<number> {
  const wanted = ids === undefined ? null : new Set(ids)
  let before: number | null = null
  let replayed = 0
  do {
    const from: number | null = before
    const page: Page = await desk.change(async () => {
      const found = await storage.deliveries({ receiver, limit: PAGE, ...(from === null ? {} : { before: from }) })
      const again = found
        .filter(({ state, messageId }) => states.includes(state) && (wanted === null || wanted.has(messageId)))
        .map((delivery): Delivery => ({ ...delivery, state: 'waiting', tries: 0, nextAt: now() }))
      const next = found.length < PAGE ? null : (found.at(-1)?.position ?? null)
      return { deliveries: again, result: { count: again.length, next } }
    })
    replayed += page.count
    before = page.next
  } while (before !== null && (wanted === null || replayed < wanted.size))
  return replayed
}

interface Page {
  readonly count: number
  readonly next: number | null
}
