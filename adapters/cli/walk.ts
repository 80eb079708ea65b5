import type { WalkProgress } from '../../src/index.ts'
import type { Environment } from './environment.ts'
import type { Screen } from './screen.ts'
import { plural } from './text.ts'

/** What a walk over the users is given. */
export interface WalkOptions {
  readonly signal: AbortSignal
  readonly onProgress: (progress: WalkProgress) => void
}

interface Walk {
  readonly screen: Screen
  /** How many users there are about. */
  readonly total: number
  /** What an interruption leaves behind, and how to go on. */
  readonly goOn: string
}

/** Goes through the users and shows how far it is. null when it was interrupted, which has then been said. */
export async function walk<Report>(
  { interruption }: Environment,
  { screen, total, goOn }: Walk,
  work: (options: WalkOptions) => Promise<Report>,
): Promise<Report | null> {
  const signal = interruption()
  let users = 0
  let entries = 0

  const onProgress = (progress: WalkProgress): void => {
    ;({ users, entries } = progress)
    const counts = (): readonly string[] => [toUsers(users), toEntries(entries)]
    screen.show({ done: entries, counts, fraction: total === 0 ? null : Math.min(1, users / total) })
  }

  try {
    return await work({ signal, onProgress })
  } catch (error) {
    const isInterrupted = signal.aborted && error === signal.reason
    if (isInterrupted || users > 0) {
      const how = isInterrupted ? 'Interrupted' : 'Stopped'
      screen.line(`${how} after ${toUsers(users)}, ${toEntries(entries)}. ${goOn}`)
    }
    if (!isInterrupted) throw error
    return null
  }
}

export function toUsers(count: number): string {
  return plural(count, 'user')
}

export function toEntries(count: number): string {
  return plural(count, 'entry', 'entries')
}
