import { expect } from 'vitest'
import type { Question } from './proxy.ts'
import type { World } from './world.ts'

export const isLoad = ({ text }: Pick<Question, 'text'>): boolean =>
  text.startsWith('select') && /load\(\$1::text::jsonb\)::text/.test(text)
export const isSave = ({ text }: Pick<Question, 'text'>): boolean => /\.save\(/.test(text)
const isRegistration = ({ text }: Pick<Question, 'text'>): boolean => text.includes("'registered'")
export const isFence = ({ text }: Pick<Question, 'text'>): boolean => text.includes('fence')

/** The function that a question calls, or `register`; else its text. */
export function kindOf(question: Pick<Question, 'text'>): string {
  if (isRegistration(question)) return 'register'
  if (question.text.includes('.migrations m)')) return 'tables'
  if (question.text.includes('set seen_at =')) return 'seen'
  return /\.(\w+)\(/.exec(question.text)?.[1] ?? question.text
}

/** A save or a fence that the server got. */
interface Sent {
  readonly process: string
  readonly batch: number
  /** Ids of the log by user, or `null` for a fence. */
  readonly entries: readonly (readonly string[])[] | null
}

interface SavedDocument {
  readonly process: string
  readonly batch: number
  /** The text of an array of rows. */
  readonly log?: string
}

/** The number of its user, and after the tenant, the user, the instant and its place the bytes of its id. */
const LINE = /"\((\d+),[^()]*?,([0-9a-f]{32}),/g

function toSent(question: Question): Sent | null {
  const [first, second] = question.values
  if (!question.isDelivered || typeof first !== 'string') return null
  if (isFence(question)) return { process: first, batch: Number(second), entries: null }
  if (!isSave(question)) return null
  const { process, batch, log = '' } = JSON.parse(first) as SavedDocument
  const users = new Map<string, string[]>()
  for (const [, n = '', id = ''] of log.matchAll(LINE)) users.set(n, [...(users.get(n) ?? []), id])
  return { process, batch, entries: [...users.values()] }
}

/** Expects the table of processes to say of each process's last batch what the log says. */
export async function expectHonestProcesses(world: World): Promise<void> {
  const rows = await world.query<{ id: string; batch: number; outcome: string }>(
    'select id, batch::int, outcome from laurels.processes',
  )
  const log = await world.query<{ id: string }>(`select encode(entry_id, 'hex') as id from laurels.log`)
  const stored = new Set(log.map(({ id }) => id))
  const sent = world.proxy.questions.flatMap((question) => toSent(question) ?? [])
  for (const { id, batch, outcome } of rows) {
    const own = sent.filter(({ process }) => process === id)
    const last = own.filter((each) => each.batch === batch)
    const save = last.find(({ entries }) => entries !== null)
    expect([id, Math.max(...own.map((each) => each.batch))]).toEqual([id, batch])
    if (outcome === 'saved') {
      // Each user whole; another process may have changed some meanwhile.
      const isWhole = (save?.entries ?? []).map((ids) => new Set(ids.map((each) => stored.has(each))).size)
      expect([id, save !== undefined, isWhole.filter((kinds) => kinds !== 1)]).toEqual([id, true, []])
    } else {
      const others = sent.filter((each) => each !== save).flatMap(({ entries }) => entries?.flat() ?? [])
      const wrong = (save?.entries?.flat() ?? []).filter((each) => stored.has(each) && !others.includes(each))
      expect([id, outcome, last.some(({ entries }) => entries === null), wrong]).toEqual([id, 'fenced', true, []])
    }
  }
  const known = new Set(sent.flatMap(({ entries }) => entries?.flat() ?? []))
  expect(log.filter(({ id }) => !known.has(id))).toEqual([])
}
