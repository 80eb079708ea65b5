import type { Action } from '../endpoint.ts'
import type { ParsedPreferences, ParsedUpdate } from './requests.ts'

const NOTHING: readonly Action[] = [{ type: 'user' }]

const FIELDS = ['name', 'email', 'tz', 'deviceTokens', 'signUpDate', 'subscribedToEmails'] as const

export function assertedActions(update: ParsedUpdate): readonly Action[] {
  const subscribedToEmails = update.subscribedToEmails ?? update.subscribeToEmails
  const given = { ...update, subscribedToEmails }
  return [
    ...FIELDS.flatMap((field): Action[] => (given[field] === undefined ? [] : [{ type: 'field', field }])),
    ...[...(update.attributes?.keys() ?? [])].map((attribute): Action => ({ type: 'attribute', attribute })),
  ]
}

export function updateActions(update: ParsedUpdate): readonly Action[] {
  const asserted = assertedActions(update)
  return asserted.length === 0 ? NOTHING : asserted
}

const SETTINGS = ['notifications', 'streak'] as const
const CHOICES = ['leaderboards', 'gamification'] as const

export function preferenceActions(update: ParsedPreferences): readonly Action[] {
  const actions = [
    ...SETTINGS.flatMap((field): Action[] => (update[field] === undefined ? [] : [{ type: 'field', field }])),
    ...CHOICES.flatMap((choice): Action[] => (update[choice] === undefined ? [] : [{ type: 'choice', choice }])),
  ]
  return actions.length === 0 ? NOTHING : actions
}
