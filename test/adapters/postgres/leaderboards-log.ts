// Entries of the leaderboards of `leaderboards-game.ts`, beside plain sums of the log.

import { expect } from 'vitest'
import type { Entry } from '../../../src/rules/entry.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import type { Storage } from '../../../src/storage/storage.ts'

const PAGE = 500
const FIRST_MONDAY = Date.UTC(2026, 0, 5) / 86_400_000

interface Score {
  group: string
  value: number
  reachedAt: number
}

async function everyUser(storage: Storage): Promise<readonly UserKey[]> {
  const users: UserKey[] = []
  for (;;) {
    const last = users.at(-1)
    const chunk = await storage.listUsers({ limit: PAGE, ...(last === undefined ? {} : { after: last }) })
    users.push(...chunk)
    if (chunk.length < PAGE) return users
  }
}

async function wholeLog(storage: Storage, key: UserKey): Promise<readonly Entry[]> {
  const log: Entry[] = []
  for (;;) {
    const last = log.at(-1)
    const chunk = await storage.readLog(key, { limit: PAGE, ...(last && { after: { at: last.at, seq: last.seq } }) })
    log.push(...chunk)
    if (chunk.length < PAGE) return log
  }
}

function add(scores: Map<string, Score>, key: string, group: string, by: number, at: number): void {
  const known = scores.get(key)
  if (known === undefined) scores.set(key, { group, value: by, reachedAt: at })
  else Object.assign(known, { group, value: known.value + by, ...(by === 0 ? {} : { reachedAt: at }) })
}

/** What one user has, by leaderboard and run; values are such that every sum of them is exact. */
function scoresOf(log: readonly Entry[], awards: readonly { entryId: string; awarded: number }[]): Map<string, Score> {
  const scores = new Map<string, Score>()
  const given = new Map<string, number>()
  for (const { entryId, awarded } of awards) given.set(entryId, (given.get(entryId) ?? 0) + awarded)
  let country = ''
  for (const entry of log) {
    const { at, dating, profile } = entry
    country = profile?.attributes?.get('country') ?? country
    const group = JSON.stringify([['country', country]])
    const monday = dating.date - ((((dating.date - FIRST_MONDAY) % 7) + 7) % 7)
    const week = `weekly ${new Date(monday * 86_400_000).toISOString().slice(0, 10)}`
    if (entry.kind === 'eventRecorded' && entry.metric === 'words') {
      for (const key of ['all 2026-01-01', 'top 2026-01-01']) add(scores, key, '', entry.value, at)
      add(scores, week, group, entry.value, at)
    }
    const points = given.get(entry.id)
    if (points !== undefined) add(scores, 'xp 2026-01-01', '', points, at)
    const current = scores.get(week)
    if (current !== undefined) current.group = group
  }
  return scores
}

/** Expects the entries of every user to be the sums of its log; returns by leaderboard and run how many take part. */
export async function expectSumsOfLog(storage: Storage): Promise<ReadonlyMap<string, number>> {
  const participants = new Map<string, number>()
  const [counted, stored]: [Map<string, Score>, Map<string, Score>] = [new Map(), new Map()]
  for (const key of await everyUser(storage)) {
    const view = await storage.readUser(key, { awards: {}, leaderboards: {} })
    for (const [name, score] of scoresOf(await wholeLog(storage, key), view.awards)) {
      counted.set(`${key.user} ${name}`, score)
      participants.set(name, (participants.get(name) ?? 0) + 1)
    }
    for (const { leaderboard, run, group, value, reachedAt } of view.leaderboards) {
      stored.set(`${key.user} ${leaderboard} ${run.slice(0, 10)}`, { group, value, reachedAt })
    }
  }
  expect(stored).toEqual(counted)
  return participants
}
