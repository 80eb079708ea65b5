import { expect } from 'vitest'
import { checkFold } from '../../support/check-fold.ts'
import { clock, type Engine, type World } from './world.ts'

/** One event, and its caller's answer. */
export interface Told {
  /** Sent with the event: tells it from every other. */
  readonly note: string
  readonly user: string
  readonly key: string | null
  /** `stored`, or the code of the error. */
  readonly outcome: string
  readonly eventId: string | null
  readonly isReplay: boolean
}

export interface Wish {
  readonly user: string
  readonly key?: string
  readonly daysAgo?: number
  readonly value?: number
}

const DAY = 86_400_000
let notes = 0

/** An event with a note of its own. No two late ones are of the same instant. */
export function toEvent({ user, key, daysAgo, value = 3 }: Wish): {
  readonly note: string
  readonly request: Parameters<Engine['metrics']['event']>[1]
} {
  notes += 1
  const note = `note ${notes}`
  return {
    note,
    request: {
      user: { id: user },
      value,
      attributes: { note },
      ...(key === undefined ? {} : { idempotencyKey: key }),
      ...(daysAgo === undefined ? {} : { occurredAt: new Date(clock().getTime() - daysAgo * DAY - notes) }),
    },
  }
}

export async function tell(engine: Pick<Engine, 'metrics'>, wish: Wish): Promise<Told> {
  const { note, request } = toEvent(wish)
  const told = { note, user: wish.user, key: wish.key ?? null }
  try {
    const { eventId, idempotentReplayed = false } = await engine.metrics.event('words', request)
    return { ...told, outcome: 'stored', eventId, isReplay: idempotentReplayed }
  } catch (error) {
    return { ...told, outcome: codeOf(error), eventId: null, isReplay: false }
  }
}

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error)
}

export function outcomesOf(calls: readonly Told[]): readonly string[] {
  return calls.map(({ outcome }) => outcome)
}

interface LogRow {
  readonly user: string
  readonly id: string
  readonly note: string
  readonly key: string | null
}

function readEvents({ query }: Pick<World, 'query'>): Promise<readonly LogRow[]> {
  return query<LogRow>(`
    select user_id as user, entry_id as id, data::jsonb->>'note' as note, idempotency_key as key
      from laurels.view_log where kind = 'eventRecorded'`)
}

/** Expects the tables to match a replay of the log, and every caller's answer to match the stored rows. */
export async function expectTruth(world: World, calls: readonly Told[]): Promise<void> {
  await checkFold(world.direct)
  expectTold(await readEvents(world), calls)
}

function expectTold(events: readonly LogRow[], calls: readonly Told[]): void {
  const byNote = new Map<string, LogRow[]>()
  for (const event of events) byNote.set(event.note, [...(byNote.get(event.note) ?? []), event])
  const byId = new Map(events.map((event) => [event.id, event]))
  const wrong: string[] = []
  for (const { note, user, key, outcome, eventId, isReplay } of calls) {
    const own = byNote.get(note) ?? []
    if (own.length > 1) wrong.push(`${note} of ${user} was stored ${own.length} times`)
    if (outcome !== 'stored') {
      if (own.length > 0 && outcome !== 'outcome_unknown')
        wrong.push(`${note} of ${user}: ${outcome}, but it is stored`)
      continue
    }
    const answered = byId.get(eventId ?? '')
    if (answered === undefined) wrong.push(`${note} of ${user} was acknowledged, and is lost`)
    else if (answered.user !== user || answered.key !== key) wrong.push(`${note} of ${user} got the answer of another`)
    // A retry of the engine itself is no replay.
    else if (isReplay !== (answered.note !== note)) wrong.push(`${note} of ${user}: replayed is ${isReplay}`)
  }
  expect(wrong).toEqual([])
}
