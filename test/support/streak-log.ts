import { expect } from 'vitest'
import { toPauses, toStreak, toStreakHistory } from '../../src/answers/streaks.ts'
import { areInPlace, followPeriods } from '../../src/api/streaks/read-streaks.ts'
import { type DefinedGame, defineGame } from '../../src/game/define-game.ts'
import type { GameDefinition } from '../../src/index.ts'
import { acceptCommand } from '../../src/record/accept/accept-command.ts'
import { addDerivedRows, noDerivedRows } from '../../src/record/accept/derived-rows.ts'
import { parseDate } from '../../src/rules/calendar.ts'
import type { EntryBody } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { settle } from '../../src/rules/settle.ts'
import { emptyState, type UserState } from '../../src/rules/state.ts'
import type { Command } from '../../src/runtime/command.ts'
import type { Streak, StreakHistoryItem, StreakPause } from '../../src/shapes/streaks.ts'
import type { StreakPeriod } from '../../src/storage/rows.ts'
import { type History, recordInto } from '../../src/testing/log-in-memory.ts'

/** When and of what a call is; the instants ISO 8601 or in milliseconds. */
interface Asked {
  readonly at: number
  readonly body: EntryBody
  readonly id?: string
  readonly tz?: string
  readonly occurredAt?: number
}

export interface StreakRead extends Streak {
  readonly pauses: readonly StreakPause[]
  readonly history: readonly StreakHistoryItem[]
}

interface StreakLog {
  /** `accepted`, or why it was refused. */
  ask(asked: Asked): string
  /** The streak as `users.streak` tells it, with its last periods. Throws if there is no user. */
  read(at: number, periods: number, key?: string): StreakRead
}

/** One user's log and the streak that follows from it, without a storage; `key`: of a named one. */
export function openStreakLog({ rules }: DefinedGame, key?: string): StreakLog {
  const games = new Map([[1, rules]])
  let history: History = { log: [], state: null }
  let projection = noDerivedRows()
  let count = 0

  function ask({ at, body: said, id, tz, occurredAt }: Asked): string {
    count += 1
    const isOfStreak = ['freezesGranted', 'streakRestored', 'streakReset'].includes(said.kind)
    const body = isOfStreak && key !== undefined ? { ...said, streakKey: key } : said
    const command: Command = {
      tenant: '',
      user: 'ann',
      entryId: id ?? `entry-${count}`,
      receivedAt: at,
      occurredAt: occurredAt ?? null,
      profile: tz === undefined ? null : { tz },
      body,
      createsUser: body.kind === 'eventRecorded' || body.kind === 'userUpserted',
    }
    const decision = acceptCommand(command, history.state, {
      games,
      epoch: 1,
      gamesFrom: [],
      baselineEpoch: 1,
      found: null,
      isKnownValue: () => false,
      findSpend: () => null,
    })
    if (decision.type === 'refused') return decision.refusal.code
    if (decision.type === 'accepted') {
      const { entry, decided: step } = decision
      addDerivedRows(projection, entry, step.changes)
      history = { log: [...history.log, entry], state: step.state }
      return 'accepted'
    }
    const recording = recordInto(games, history, command)
    if (recording.history === null) return recording.refusal.code
    history = recording.history
    projection = noDerivedRows()
    foldLog(games, history.log, (entry, step) => addDerivedRows(projection, entry, step.changes))
    return 'accepted'
  }

  function read(now: number, periods: number, of = key): StreakRead {
    const { state } = history
    if (state === null) throw new RangeError('Nothing happened')
    const at = Math.max(now, state.at)
    const rows = [...projection.periods.values()]
      .filter(({ streak }) => streak === of)
      .sort((left, right) => right.start - left.start)
    const newest = rows.slice(0, periods + 2)
    const shown = areInPlace(rules, state, at, newest, periods + 2, of) ? newest : moved(state, at, periods + 2, of)
    return {
      ...toStreak(rules, state, at, of),
      pauses: toPauses(state, at),
      history: toStreakHistory(rules, state, at, shown, periods, of),
    }
  }

  function moved(state: UserState, at: number, most: number, of: string | undefined): readonly StreakPeriod[] {
    const followed = followPeriods(games, most, of)
    let before: UserState | null = null
    foldLog(games, history.log, (entry, step) => {
      followed.see(before ?? emptyState(entry.at, entry.epoch), step.changes, entry)
      before = step.state
    })
    followed.see(state, settle(rules, state, at), null)
    return followed.rows()
  }

  return { ask, read }
}

interface WriteOptions {
  readonly value?: number
  readonly tz?: string
  readonly occurredAt?: string
}

/** A user of a game with a streak, spoken to at instants such as `2026-03-10T12:00Z`. */
export interface Writer {
  /** Writes words, and answers the streak after it. */
  write(at: string, options?: WriteOptions): StreakRead
  move(at: string, tz: string): StreakRead
  /** These answer `accepted` or why they were refused. */
  grant(at: string): string
  pause(at: string, start: string, end: string, id?: string): string
  unpause(at: string, id?: string): string
  restore(at: string): string
  turn(at: string, enabled: boolean): string
  read(at: string): StreakRead
  /** The last periods, the lengths alone; `f` follows those that used a freeze, `p` those that used a pause. */
  history(at: string, periods: number): string
}

/**
 * The log of a game with a streak, lived through three times: with the game's `streak`, with a named one under the same
 * rules in its place, and with both. Throws where the answers differ by a byte.
 */
function openTwins(game: GameDefinition): StreakLog {
  const { streak, ...rest } = game
  const log = openStreakLog(defineGame(game))
  if (streak === undefined || streak.customization === true) return log
  const { customization: _, ...rules } = streak
  const alone: GameDefinition = { ...rest, streaks: { gym: rules } }
  const both: GameDefinition = { ...game, ...alone }
  const named = [
    openStreakLog(defineGame(alone), 'gym'),
    openStreakLog(defineGame(both), 'gym'),
    openStreakLog(defineGame(both)),
  ]
  const alike = <Answer>(answers: readonly [Answer, ...Answer[]]): Answer => {
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    return answers[0]
  }
  return {
    ask: (asked) => alike([log.ask(asked), ...named.map((each) => each.ask(asked))]),
    read: (at, periods) => alike([log.read(at, periods), ...named.map((each) => each.read(at, periods))]),
  }
}

/** Default: a daily streak of words. */
export function openWriter(streak: Partial<NonNullable<GameDefinition['streak']>> = {}): Writer {
  const metrics = { words: { name: 'Words' }, laps: { name: 'Laps' } }
  const game: GameDefinition = { metrics, streak: { frequency: 'daily', metrics: { words: {} }, ...streak } }
  const log = openTwins(game)
  const dayOf = (text: string): number => parseDate(text) ?? Number.NaN
  const read = (at: string): StreakRead => log.read(Date.parse(at), 1)
  return {
    write: (at, { value = 1, tz, occurredAt } = {}) => {
      const body = {
        kind: 'eventRecorded',
        metric: 'words',
        value,
        attributes: new Map(),
        idempotencyKey: null,
      } as const
      const when = occurredAt === undefined ? {} : { occurredAt: Date.parse(occurredAt) }
      log.ask({ at: Date.parse(at), body, ...(tz === undefined ? {} : { tz }), ...when })
      return read(at)
    },
    move: (at, tz) => {
      log.ask({ at: Date.parse(at), body: { kind: 'userUpserted' }, tz })
      return read(at)
    },
    grant: (at) => log.ask({ at: Date.parse(at), body: { kind: 'freezesGranted', count: 1 } }),
    pause: (at, start, end, id = 'pause') =>
      log.ask({ at: Date.parse(at), body: { kind: 'pauseCreated', start: dayOf(start), end: dayOf(end) }, id }),
    unpause: (at, id = 'pause') => log.ask({ at: Date.parse(at), body: { kind: 'pauseDeleted', pause: id } }),
    restore: (at) => log.ask({ at: Date.parse(at), body: { kind: 'streakRestored' } }),
    turn: (at, enabled) =>
      log.ask({
        at: Date.parse(at),
        body: { kind: 'preferencesChanged', notifications: new Map(), streak: { enabled } },
      }),
    read,
    history: (at, periods) =>
      log
        .read(Date.parse(at), periods)
        .history.map(({ length, usedFreeze, usedPause }) => `${length}${usedFreeze ? 'f' : ''}${usedPause ? 'p' : ''}`)
        .join(' '),
  }
}
