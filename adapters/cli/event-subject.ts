import { wrongCall } from './text.ts'

/** How a command names an event. */
export type EventSubject = string | { readonly user: string; readonly metric: string; readonly idempotencyKey: string }

export interface NamedByKey {
  readonly user?: string
  readonly metric?: string
  readonly key?: string
}

/** `how` says how the id is given, `others` which other ways there are to say what is meant. */
export function readEvent(id: string | undefined, named: NamedByKey, how: string, others = ''): EventSubject {
  const { user, metric, key: idempotencyKey } = named
  const isNamed = user !== undefined || metric !== undefined || idempotencyKey !== undefined
  if (id !== undefined && id !== '' && !isNamed) return id
  if (id === undefined && user && metric && idempotencyKey) return { user, metric, idempotencyKey }
  throw wrongCall(`say which event: give ${how}, or --user, --metric and --key${others}`)
}
