import type { Change, Movement } from './change.ts'
import { withNewValue } from './distinct-values.ts'
import type { Entry, EntryBody, EntryOf, Spend } from './entry.ts'

/** The spends that were seen so far, by id, with their refunds. */
export interface Spends {
  find(id: string): Spend | null
  see(moved: readonly (Change | SpendMovement)[]): void
}

type SpendMovement = Pick<Movement, 'system' | 'kind' | 'points' | 'lots'> & { readonly spend?: string | null }

/** `moved`: the movements of spends that were made before. */
export function startSpends(moved: readonly SpendMovement[] = []): Spends {
  const spends = new Map<string, Spend>()
  const add = ({ spend: id, kind, system, points, lots = [] }: SpendMovement): void => {
    if (id == null) return
    const known = spends.get(id)
    if (kind === 'spent' || kind === 'captured') spends.set(id, { system, amount: points, lots, refunded: 0 })
    else if (kind === 'refunded' && known !== undefined) spends.set(id, { ...known, refunded: known.refunded + points })
  }
  for (const each of moved) add(each)
  return {
    find: (id) => spends.get(id) ?? null,
    see: (more) => {
      for (const each of more) if (!('type' in each) || each.type === 'pointsMoved') add(each)
    },
  }
}

type AboutSpend = EntryOf<'pointsRefunded' | 'redemptionCancelled'>

function isAboutSpend(entry: Entry): entry is AboutSpend {
  return entry.kind === 'pointsRefunded' || entry.kind === 'redemptionCancelled'
}

/** The id of the spend that an entry gives back, or `null` if it gives back none. */
export function spendIdOf(body: EntryBody): string | null {
  if (body.kind === 'pointsRefunded') return body.spend
  return body.kind === 'redemptionCancelled' ? body.redemption : null
}

export function spendOf(entry: Entry): Spend | undefined {
  return isAboutSpend(entry) ? entry.of : undefined
}

/** The same entry if it has the spend already. */
export function withSpend(entry: Entry, spend: Spend | undefined): Entry {
  if (!isAboutSpend(entry) || isSameSpend(entry.of, spend)) return entry
  const { of: _, ...rest } = entry
  return spend === undefined ? rest : { ...rest, of: spend }
}

function isSameSpend(left: Spend | undefined, right: Spend | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  const isSame = left.system === right.system && left.amount === right.amount && left.refunded === right.refunded
  return (
    isSame &&
    left.lots.length === right.lots.length &&
    left.lots.every(({ expires, amount }, index) => {
      const other = right.lots[index]
      return other?.expires === expires && other.amount === amount
    })
  )
}

/** An entry with the spend that it is about. A refund of 0 points is one of all that is left, at least of one point. */
export function withFoundSpend(entry: Entry, find: Spends['find']): Entry {
  const id = spendIdOf(entry)
  if (id === null) return entry
  const found = withSpend(entry, find(id) ?? undefined)
  if (found.kind !== 'pointsRefunded' || found.amount !== 0 || found.of === undefined) return found
  return { ...found, amount: Math.max(1, found.of.amount - found.of.refunded) }
}

/** A line of the log with what the fold has looked up for it. */
export function withLookedUp(line: Entry, applied: Entry): Entry {
  const valued = withNewValue(line, applied.kind === 'eventRecorded' ? applied.newValue : undefined)
  return withSpend(valued, spendOf(applied))
}
