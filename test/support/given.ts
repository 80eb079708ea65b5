import { defineGame } from '../../src/game/define-game.ts'
import type { Change } from '../../src/rules/change.ts'
import type { Entry, EntryBody, EventRecorded, ProfilePatch } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import type { Game } from '../../src/rules/game.ts'
import type { UserState } from '../../src/rules/state.ts'

/** The parts of an entry that a test sets; the rest has defaults. */
export interface Said {
  /** ISO 8601. */
  readonly at: string
  readonly metric?: string
  readonly value?: number
  readonly attributes?: { readonly [name: string]: string }
  readonly profile?: ProfilePatch
  readonly epoch?: number
  /** Only the profile, no event. */
  readonly isProfileOnly?: boolean
  /** An achievement claimed or kept, in place of an event. */
  readonly claims?: string
  readonly keeps?: string
  /** Another kind of entry. */
  readonly body?: EntryBody
}

export function toEntry(said: Said, index: number): Entry {
  const at = Date.parse(said.at)
  const base = {
    id: `entry-${index + 1}`,
    seq: index + 1,
    at,
    recordedAt: at,
    epoch: said.epoch ?? 1,
    // Without a zone, so that the replay dates it.
    dating: { zone: '', date: 0, time: 0 },
    profile: said.profile ?? null,
  }
  if (said.body !== undefined) return { ...base, ...said.body }
  if (said.isProfileOnly) return { ...base, kind: 'userUpserted' }
  if (said.claims !== undefined) return { ...base, kind: 'achievementClaimed', achievement: said.claims }
  if (said.keeps !== undefined) return { ...base, kind: 'completionKept', achievement: said.keeps }
  const event: EventRecorded = {
    kind: 'eventRecorded',
    metric: said.metric ?? 'words',
    value: said.value ?? 1,
    attributes: new Map(Object.entries(said.attributes ?? {})),
    idempotencyKey: null,
  }
  return { ...base, ...event }
}

interface Folded {
  readonly state: UserState
  /** The changes of each entry. */
  readonly changes: readonly (readonly Change[])[]
  /** The state after each entry. */
  readonly states: readonly UserState[]
}

/** Given games by epoch (one: of epoch 1), when these things happened: what is known then. */
export function given(games: Game | readonly Game[], said: readonly Said[]): Folded {
  const list = 'metrics' in games ? [games] : games
  const byEpoch = new Map(list.map((game, index) => [index + 1, game]))
  const changes: (readonly Change[])[] = []
  const states: UserState[] = []
  const state = foldLog(byEpoch, said.map(toEntry), (_, step) => {
    changes.push(step.changes)
    states.push(step.state)
  })
  if (state === null) throw new RangeError('Nothing happened')
  return { state, changes, states }
}

type Definition = Parameters<
  typeof defineGame<string, string, string, string, string, string, Record<never, never>, string>
>[0]

/** The rules of a game with the metrics `words` and `laps`, an event attribute `source` and a user attribute `plan`. */
export function rules(definition: Omit<Partial<Definition>, 'metrics'>): Game {
  return defineGame({
    metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
    eventAttributes: ['source'],
    userAttributes: ['plan'],
    ...definition,
  } as Definition).rules
}
