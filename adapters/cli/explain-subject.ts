import type { ExplainRequest } from '../../src/index.ts'
import { wrongCall } from './text.ts'

interface Values {
  readonly achievement?: string | undefined
  readonly event?: string | undefined
  readonly metric?: string | undefined
  readonly key?: string | undefined
  readonly streak?: string | undefined
  readonly named?: string | undefined
}

/** Throws `invalid_request` unless exactly one thing is to be explained. */
export function readSubject({ achievement, event, metric, key, streak, named }: Values): ExplainRequest {
  const isNamed = metric !== undefined || key !== undefined
  const given = [achievement, event, streak].filter((value) => value !== undefined)
  if (given.length + Number(isNamed) !== 1 || given[0] === '') {
    throw wrongCall('say what to explain, one thing: give --achievement, --event, --metric with --key, or --streak')
  }
  if (named !== undefined && streak === undefined)
    throw wrongCall('--named says which streak: give --streak with a date')
  if (achievement !== undefined) return { achievement }
  if (event !== undefined) return { event }
  if (streak !== undefined) return { streak: readDate(streak), ...(named === undefined ? {} : { key: named }) }
  if (metric && key) return { event: { metric, idempotencyKey: key } }
  throw wrongCall('an event that is named by its idempotency key takes both: give --metric and --key')
}

function readDate(streak: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(streak)) return streak
  throw wrongCall(`--streak must be a date such as 2026-03-02, not '${streak}'`)
}
