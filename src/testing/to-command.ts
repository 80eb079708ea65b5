import { readOccurredAt } from '../engine/calls/write/record-event.ts'
import type { Command } from '../engine/types.ts'
import { parse } from '../requests/input.ts'
import { eventRequest, readIdempotencyKey } from '../requests/metric-event.ts'
import { toPreferencesBody } from '../requests/preferences.ts'
import { toPatch, userUpdate } from '../requests/user.ts'
import type { Instant } from '../rules/calendar.ts'
import type { EntryBody, ProfilePatch } from '../rules/entry.ts'
import type { AtStep, ClaimStep, EventStep, Step, WaitStep } from './steps.ts'
import { toInstant } from './test-clock.ts'

/** A step that the library is asked to record. */
export type RecordedStep = Exclude<Step, WaitStep | AtStep>

const USER = 'the user of the scenario'

/** What a step asks for, read as the library reads it. Throws a `GamificationError` as the library does. */
export function toCommand(step: RecordedStep, id: string, now: Instant): Command {
  const occurredAt =
    step.type === 'event' && step.at !== undefined ? readOccurredAt(new Date(toInstant(step.at)), now) : null
  return {
    tenant: '',
    user: USER,
    entryId: id,
    receivedAt: now,
    occurredAt,
    profile: toProfile(step),
    body: toBody(step),
    createsUser: step.type !== 'preferences',
  }
}

function toProfile(step: RecordedStep): ProfilePatch | null {
  return step.type === 'user' ? toPatch(parse(userUpdate, step.update, 'user')) : null
}

function toBody(step: RecordedStep): EntryBody {
  switch (step.type) {
    case 'event':
      return toEventBody(step)
    case 'claim':
      return toClaimBody(step)
    case 'user':
      return { kind: 'userUpserted' }
    case 'preferences':
      return toPreferencesBody(step.update)
    default:
      return step satisfies never
  }
}

function toClaimBody({ achievement, idempotencyKey: given }: ClaimStep): EntryBody {
  const idempotencyKey = readIdempotencyKey(given)
  const claim = { kind: 'achievementClaimed', achievement } as const
  return idempotencyKey === null ? claim : { ...claim, idempotencyKey }
}

function toEventBody({ metric, value: given, attributes: named }: EventStep): EntryBody {
  const request = { user: { id: USER }, value: given, ...(named === undefined ? {} : { attributes: named }) }
  const { value, attributes = new Map() } = parse(eventRequest, request, 'metric event')
  return { kind: 'eventRecorded', metric, value: value === 0 ? 0 : value, attributes, idempotencyKey: null }
}
