import { messageId, revokedMessageId } from '../game/ids.ts'
import { ALL_TYPES, REVOCABLE_TYPES } from '../game/message-types.ts'
import type { Instant } from '../rules/calendar.ts'
import type { GamificationMessage, MessagePayloads, MessageType, RevocableType } from '../shapes/messages.ts'
import type { User } from '../shapes/users.ts'
import type { Message, PlacedMessage } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'
import { toInstantText } from './users.ts'

type Revocability = { readonly [Type in keyof MessagePayloads]: Type extends RevocableType ? true : false }

const ALL: ReadonlySet<string> = new Set([...Object.keys(REVOCABLE_TYPES satisfies Revocability), ...ALL_TYPES])

export const MESSAGE_TYPES: readonly MessageType[] = [...ALL].filter(isMessageType)

export function isMessageType(type: string): type is MessageType {
  return ALL.has(type)
}

function revokedType(type: string): MessageType | null {
  const revoked = `${type}.revoked`
  return isMessageType(revoked) ? revoked : null
}

/** True if any subscription wants messages of a type or their revocations. */
export function isWanted(types: ReadonlySet<string>, type: keyof MessagePayloads): boolean {
  return types.has(type) || types.has(`${type}.revoked`)
}

/** A message whose data is computed only if the message is written. */
export interface Draft {
  readonly id: string
  readonly type: string
  readonly at: Instant
  readonly due: Instant | null
  /** Milliseconds after which the message is no longer published. If absent, it is always published. */
  readonly staleAfter?: number
  /** Key of the achievement whose completion it is about, if it is about one. */
  readonly completed?: string
  toData(): object
}

/**
 * Identifies a message within one user and one type: its cause and, if the type can be revoked, its content. If a
 * replay changes the content, the old id is revoked and the new one is published. Texts of the game do not count.
 */
export type Occurrence = readonly (string | number | null | undefined)[]

/** The user as a part of an occurrence: the same text in whatever order the attributes were set. */
export function says(user: User): string {
  const attributes = Object.entries(user.attributes).sort(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify({ ...user, attributes })
}

export function draft<Type extends keyof MessagePayloads>(
  { tenant, user }: UserKey,
  type: Type,
  occurrence: Occurrence,
  at: Instant,
  toData: () => MessagePayloads[Type],
): Draft {
  const parts = occurrence.map((part) => part ?? '')
  return { id: messageId(tenant, user, type, ...parts), type, at, due: null, toData }
}

export function toMessage({ id, type, at, due, toData }: Draft): Message {
  return { id, type, at, due, data: JSON.stringify(toData()) }
}

/** The draft of the message that revokes one. Returns `null` if the type cannot be revoked. */
export function revoke(published: Draft, at: Instant): Draft | null {
  const type = revokedType(published.type)
  return type === null ? null : { id: revokedMessageId(published.id), type, at, due: null, toData: published.toData }
}

export function isFresh({ at, staleAfter }: Draft, now: Instant): boolean {
  return staleAfter === undefined || now - at <= staleAfter
}

export function named(streakKey: string | undefined): { readonly streakKey?: string } {
  return streakKey === undefined ? {} : { streakKey }
}

/** A message as receivers get it. */
export function toPublicMessage(
  { id, type, at, tenant, user, data }: Pick<PlacedMessage, 'id' | 'type' | 'at' | 'tenant' | 'user' | 'data'>,
  isMultiTenant: boolean,
): Omit<GamificationMessage, 'type' | 'data'> & { readonly type: string; readonly data: unknown } {
  const payload: unknown = JSON.parse(data)
  return { id, type, at: toInstantText(at), tenant: visibleTenant(tenant, isMultiTenant), userId: user, data: payload }
}

/** The tenant in a message. Returns `null` if the game has no tenants, or the message is about all of them. */
export function visibleTenant(tenant: string, isMultiTenant: boolean): string | null {
  return isMultiTenant && tenant !== '' ? tenant : null
}
