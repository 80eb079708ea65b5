import type { DefinedGame, EventsOf, GamificationApi, VoidEventsResponse, VoidRequest } from '../../src/index.ts'
import { EXIT, type ExitCode } from './command.ts'
import { plural, toLine, wrongCall } from './text.ts'

/** What names several events on the command line. */
export interface SeveralOptions {
  readonly by?: string | undefined
  readonly user?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** null: none of the options for several events is there. */
export function readSeveral({ by, user, from, to }: SeveralOptions): EventsOf | null {
  if (by !== undefined) {
    if (by === '' || user !== undefined || from !== undefined || to !== undefined) {
      throw wrongCall('--by is the id of an API key, and goes with none of --user, --from and --to')
    }
    return { by }
  }
  if (from === undefined && to === undefined) return null
  if (user === undefined || user === '') throw wrongCall('--from and --to want --user, whose events they are')
  return { user, between: { from: readInstant('from', from), to: readInstant('to', to) } }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/

function readInstant(name: string, given: string | undefined): Date {
  const instant = new Date(given !== undefined && INSTANT.test(given) ? given : Number.NaN)
  if (!Number.isNaN(instant.getTime())) return instant
  throw wrongCall(`--${name} must be an instant, as 2026-03-10T12:00:00Z`)
}

/** Goes on until there are no more users. */
export async function voidSeveral(
  api: GamificationApi<DefinedGame>,
  events: EventsOf,
  request: VoidRequest,
): Promise<VoidEventsResponse> {
  const users: VoidEventsResponse['users'][number][] = []
  for (;;) {
    const { issues, hasMore, voided, users: more } = await api.events.void(events, request)
    users.push(...more)
    // With nothing voided the next call would begin with the same users.
    if (hasMore && voided > 0) continue
    return { voided: users.reduce((sum, user) => sum + user.voided, 0), users, issues, hasMore }
  }
}

export function toSeveralText({ voided, users, issues }: VoidEventsResponse): string {
  const lines = [
    voided === 0 && issues.length === 0
      ? 'there are no such events that count: nothing changed'
      : `voided ${plural(voided, 'event')} of ${plural(users.length, 'user')}`,
    ...issues.map(({ userId, message }) => `the events of ${userId} stay: ${message}`),
  ]
  return lines.map((line) => `${toLine(line)}\n`).join('')
}

export function toSeveralExit({ issues }: VoidEventsResponse): ExitCode {
  return issues.length === 0 ? EXIT.ok : EXIT.refused
}
