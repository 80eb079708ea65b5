import { z } from 'zod'
import type { Instant } from '../rules/calendar.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Context, CurrentGame, Wanted } from './context.ts'
import { readDocument } from './documents.ts'

/** A pass through all users begins with the first wish for messages of time, and with each game with other notices. */
export interface SweepPass {
  readonly since: Instant
  /** The newest epoch with other notices than the epoch before. 0 if there is none. */
  readonly notices: number
  readonly after: UserKey | null
  /** Users who were locked when the pass reached them, and who are visited later. */
  readonly missed: readonly UserKey[]
  readonly isDone: boolean
}

const key = z.object({ tenant: z.string(), user: z.string() })
const pass: z.ZodType<SweepPass> = z.object({
  since: z.number(),
  notices: z.number().default(0),
  after: key.nullable(),
  missed: z.array(key).default([]),
  isDone: z.boolean(),
})

export const SWEEP = 'sweep'

export function readPass(
  context: Pick<Context, 'storage'>,
): Promise<{ readonly stored: SweepPass | null; readonly version: number }> {
  return readDocument(context, SWEEP, pass)
}

export function newPass({ noticesFrom }: Pick<CurrentGame, 'noticesFrom'>, { since }: Wanted): SweepPass {
  return { since, notices: noticesFrom.at(-1)?.epoch ?? 0, after: null, missed: [], isDone: false }
}

export function isPassed(stored: SweepPass | null, wanted: SweepPass): boolean {
  return isSamePass(stored, wanted) && stored.isDone && stored.missed.length === 0
}

export function isSamePass(stored: SweepPass | null, wanted: SweepPass): stored is SweepPass {
  return stored?.since === wanted.since && stored.notices === wanted.notices
}
