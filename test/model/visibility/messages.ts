// Messages about ranks, as a subscription receives them, beside the model.

import { expect } from 'vitest'
import type { GamificationMessage } from '../../../src/index.ts'
import { DAY } from '../../support/zones.ts'
import { compare, type Played, shown } from './drive.ts'
import { CITIES, STARTS } from './histories.ts'
import type { Board, Call } from './model.ts'

const QUARTER = 900_000
const TYPES = ['leaderboard.changed', 'leaderboard.rank_changed'] as const

type RankMessage = GamificationMessage<(typeof TYPES)[number]>

interface Moved {
  readonly key: string
  readonly run: number
  readonly user: string
  readonly due: number
}

export interface Listener {
  /** Compares all messages that are due now. Call it before the next entry. */
  check(now: number): Promise<void>
  /** Remembers the leaderboards that a call moves its user on. */
  see(call: Call): void
}

export async function listen(played: Played): Promise<Listener> {
  const { engine, model, game } = played
  const received: RankMessage[] = []
  await engine.subscribe('ranks', { types: [...TYPES] }, (messages) => {
    for (const message of messages) received.push(message as RankMessage)
  })
  const runOf = (key: string, start: string): number => {
    const { days } = game.boards[key] as Board
    return days === null ? 0 : Math.round((Date.parse(start) - STARTS) / (days * DAY))
  }
  let moved: Moved[] = []

  function checkPage({ data: { leaderboard } }: GamificationMessage<'leaderboard.changed'>): string {
    const { key, start, rankings, participants } = leaderboard
    const run = runOf(key, start)
    // The message does not name its group.
    const groups = game.boards[key]?.byCity === true ? CITIES : [null]
    const isOf = (city: string | null): boolean => {
      const values = (rows: readonly { readonly rank: number; readonly value: number }[]) =>
        JSON.stringify(rows.map(({ rank, value }) => [rank, value]))
      const rows = model.rows(key, run, city)
      return participants === model.participants(key, run, city) && values(rankings) === values(rows.slice(0, 10))
    }
    const [city] = groups.filter(isOf)
    expect({ key, run, rankings, isKnown: city !== undefined }).toEqual({ key, run, rankings, isKnown: true })
    if (city === null) compare(played, `${key} ${run}`, rankings, model.rows(key, run, null).slice(0, 10), shown)
    return `${key} ${run}`
  }

  function checkRank({ data: { user, leaderboard } }: GamificationMessage<'leaderboard.rank_changed'>): void {
    const { key, start, rank, anonymous } = leaderboard
    const run = runOf(key, start)
    const visibility = anonymous === true ? 'anonymous' : 'shown'
    const place = model.place(key, run, user.id)
    const found = { key, run, user: user.id, visibility, rank }
    expect(found).toEqual({ ...found, visibility: model.visibility(key, user.id), rank: place.rank })
  }

  return {
    check: async (now) => {
      await engine.workOnce()
      const pages: string[] = []
      for (const message of received.splice(0)) {
        if (message.type === 'leaderboard.changed') pages.push(checkPage(message))
        else checkRank(message)
      }
      const due = moved.filter((move) => move.due <= now)
      moved = moved.filter((move) => move.due > now)
      for (const { key, run, user } of due) {
        // A user who left in the meantime takes the message along.
        if (model.place(key, run, user).value !== null) expect(pages).toContain(`${key} ${run}`)
      }
    },
    see: ({ at, user, action }) => {
      if (action.type !== 'add' || action.late !== undefined) return
      const due = (Math.floor(at / QUARTER) + 1) * QUARTER
      for (const [key, { ends = Number.POSITIVE_INFINITY, byStreak }] of Object.entries(game.boards)) {
        const run = model.runs(key).at(-1) ?? 0
        if (at >= ends || byStreak === true || model.place(key, run, user).value === null) continue
        moved.push({ key, run, user, due })
      }
    },
  }
}
