import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { CREATE_USER, isGamificationError } from '../../src/errors.ts'

/** About 10,000 tokens. */
export const MOST_BYTES = 40_000

/** An answer as JSON, from the byte `from` on. Issues of the one item that a tool names make it an error. */
export function toResult(
  answer: unknown,
  { showsContacts, from }: { readonly showsContacts: boolean; readonly from: number },
): CallToolResult {
  const { text, rest } = cut(JSON.stringify(answer, showsContacts ? undefined : withoutContact), from)
  const content = [text, ...(rest === null ? [] : [rest])].map((part) => ({ type: 'text' as const, text: part }))
  return hasIssues(answer) ? { content, isError: true } : { content }
}

/** The bytes of a text from `from` on, at most `MOST_BYTES` and no part of a character. `rest`: how to read on. */
function cut(text: string, from: number): { readonly text: string; readonly rest: string | null } {
  const bytes = Buffer.from(text)
  const isInside = (index: number): boolean => ((bytes[index] ?? 0) & 0xc0) === 0x80
  let end = Math.min(from + MOST_BYTES, bytes.length)
  while (isInside(end)) end -= 1
  const part = bytes.subarray(from, end).toString()
  if (end === bytes.length) return { text: part, rest: null }
  const rest = `This answer was cut: it has ${bytes.length} bytes, and these are ${from} to ${end}.`
  return {
    text: part,
    rest: `${rest} Call the tool again with fromByte: ${end} for the rest, or ask for less, with a smaller limit.`,
  }
}

function hasIssues(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('issues' in answer)) return false
  return Array.isArray(answer.issues) && answer.issues.length > 0
}

/** Advice for an agent about an error. */
export function toAdvice(error: unknown): Error {
  if (!isGamificationError(error)) return error instanceof Error ? error : new Error(String(error))
  return new Error(error.message.replace(CREATE_USER, 'find_users has the ids.'), { cause: error })
}

/** Leaves out what reaches a person. A part of a game may be called `email`: it is no text. */
function withoutContact(name: string, value: unknown): unknown {
  const isContact = (name === 'email' && typeof value === 'string') || (name === 'deviceTokens' && Array.isArray(value))
  return isContact ? undefined : value
}
