// Logs of users beside the naive walk: what arrives, what a void or a merge does to a log, and what stays completed.

import { addDays, firstInstant, localDate } from '../dates.ts'
import { isAllDone, NO_START, sortedOf } from './quests.ts'
import type { Call, ChallengeLook, Deployed, Entry, Game, Kept, Life, Look } from './types.ts'
import { fold, lapse, lookAt, replacement, windowOn } from './walk.ts'

export type Answer = 'done' | 'refused'

export interface Model {
  call(call: Call): Answer
  look(user: string, now: number): Look | null
  /** By challenge: how many users take part, and completed a quest. */
  counts(): Record<string, { participants: number; completed: number }>
  game(): Game
}

export function createModel(first: Game): Model {
  const games: Deployed[] = [{ game: first, since: Number.NEGATIVE_INFINITY }]
  const logs = new Map<string, Entry[]>()
  const aliases = new Map<string, string>()
  const idOf = (id: string): string => aliases.get(id) ?? id
  const newest = (log: readonly Entry[]): number => Math.max(Number.NEGATIVE_INFINITY, ...log.map(({ at }) => at))
  const game = (): Game => games.at(-1)?.game ?? first

  function call({ at: now, user, act }: Call): Answer {
    const id = idOf(user)
    if (act.type === 'deploy') {
      games.push({ game: act.game, since: now })
      return 'done'
    }
    const log = logs.get(id)
    if (act.type === 'event') {
      const at = act.occurredAt ?? Math.max(now, newest(log ?? []))
      const entry = { at, arrival: log?.length ?? 0, epoch: epochOf(log ?? [], at, act.occurredAt), act }
      enter(id, [...(log ?? []), entry])
      return 'done'
    }
    if (log === undefined) return 'refused'
    const at = Math.max(now, newest(log))
    const plain = { at, arrival: log.length, epoch: games.length - 1, act }
    if (act.type === 'merge') return merge(id, idOf(act.into))
    if (act.type === 'void') {
      const found = log.find((entry) => entry.act.type === 'event' && entry.act.key === act.key)
      if (found === undefined) return 'refused'
      if (found.isVoid) return 'done'
      const others = log.map((entry) => (entry === found ? { ...entry, isVoid: true as const } : entry))
      enter(id, [...others, plain])
      return 'done'
    }
    if (act.type === 'move' || act.type === 'suspend' || act.type === 'restore') {
      enter(id, [...log, plain])
      return 'done'
    }
    return decide(id, log, plain)
  }

  /** The game in force at the instant decides, but epochs only go up along a log. */
  function epochOf(log: readonly Entry[], at: number, occurredAt: number | undefined): number {
    if (occurredAt === undefined) return games.length - 1
    const sorted = sortedOf(log)
    const before = sorted.findLast((entry) => entry.at <= at)?.epoch ?? 0
    const after = sorted.find((entry) => entry.at > at)?.epoch ?? games.length - 1
    const inForce = games.findLastIndex(({ since }) => since <= at)
    return Math.max(before, Math.min(inForce, after))
  }

  function decide(id: string, log: readonly Entry[], entry: Entry): Answer {
    const { act, at } = entry
    const life = fold(games, id, log)
    lapse(life, at)
    life.epoch = games.length - 1
    const rule = 'challenge' in act ? game().challenges[act.challenge] : undefined
    if (rule === undefined || !('challenge' in act)) return 'refused'
    const today = localDate(life.tz, at)
    if (act.type === 'abandon' && rule.enrol === undefined) return 'refused'
    const isIn = life.enrolled.get(act.challenge) != null
    const end = life.windows.get(act.challenge)?.at(-1)?.end
    const isRunning = isIn && (rule.every !== undefined || end == null || today <= end)
    // Nothing changes, so the log has no entry of it.
    if ((act.type === 'enrol' && isRunning) || (act.type === 'abandon' && !isRunning)) return 'done'
    if (act.type === 'enrol') {
      const isOver = (rule.start !== undefined && today < rule.start) || (rule.end !== undefined && today > rule.end)
      if (rule.enrol === undefined || isOver) return 'refused'
      if (rule.every === undefined && life.windows.get(act.challenge)?.some(isAllDone)) return 'refused'
    }
    let took: string | undefined
    if (act.type === 'claim') {
      const having = (life.windows.get(act.challenge) ?? []).filter(
        ({ quests }) => quests.get(act.quest)?.doneAt != null,
      )
      const waits = having.findLast(({ quests }) => quests.get(act.quest)?.claimUntil != null)
      if (waits === undefined) return having.at(-1)?.quests.get(act.quest)?.isClaimed === true ? 'done' : 'refused'
      took = waits.start
    }
    if (act.type === 'reroll') {
      const known = log.find((each) => each.act.type === 'reroll' && each.act.key === act.key)
      if (known !== undefined) return 'done'
      if (replacement(life, act.challenge, act.quest, today) === null) return 'refused'
    }
    enter(id, [...log, took === undefined ? entry : { ...entry, took }])
    return 'done'
  }

  /** Stores a log. Completed quests and achievements stay completed. */
  function enter(id: string, log: readonly Entry[], had = fold(games, id, logs.get(id) ?? [])): void {
    const entries = [...log]
    for (;;) {
      const life = fold(games, id, entries)
      const lost: { at: number; act: Kept }[] = []
      for (const [key, at] of had.achieved)
        if (!life.achieved.has(key)) lost.push({ at, act: { type: 'keepAchievement', key } })
      // Quests of one instant are in order of their names, a choice between equals.
      for (const done of doneOf(had).sort((left, right) => (left.name < right.name ? -1 : 1))) {
        if (!doneOf(life).some((each) => each.name === done.name)) lost.push({ at: done.at, act: done.act })
      }
      if (lost.length === 0) break
      for (const { at, act } of lost) {
        const epoch = sortedOf(entries).findLast((entry) => entry.at <= at)?.epoch ?? 0
        entries.push({ at, arrival: entries.length, epoch, act })
      }
    }
    logs.set(id, entries)
  }

  function merge(from: string, into: string): Answer {
    const [own, theirs] = [logs.get(into), logs.get(from)]
    if (from === into) return 'done'
    if (own === undefined || theirs === undefined) return 'refused'
    let epoch = 0
    const keys = new Set<string>()
    const both = sortedOf([...own, ...theirs.map((entry) => ({ ...entry, arrival: entry.arrival + own.length }))]).map(
      (entry): Entry => {
        epoch = Math.max(epoch, entry.epoch)
        const { act } = entry
        if (act.type !== 'reroll') return { ...entry, epoch }
        // Only the first one of a key counts.
        const isRepeated = keys.has(act.key)
        keys.add(act.key)
        return { ...entry, epoch, act: isRepeated ? { ...act, quest: '' } : act }
      },
    )
    const [mine, other] = [fold(games, into, own), fold(games, from, theirs)]
    for (const [key, at] of other.achieved) mine.achieved.set(key, Math.min(at, mine.achieved.get(key) ?? at))
    const had = { ...mine, windows: new Map([...mine.windows].map(([key, windows]) => [key, [...windows]])) }
    for (const [key, windows] of other.windows) had.windows.set(key, [...(had.windows.get(key) ?? []), ...windows])
    enter(into, both, had)
    logs.delete(from)
    for (const [alias, id] of aliases) if (id === from) aliases.set(alias, into)
    aliases.set(from, into)
    return 'done'
  }

  function look(user: string, now: number): Look | null {
    const log = logs.get(idOf(user))
    if (log === undefined) return null
    const life = fold(games, idOf(user), log)
    const at = Math.max(now, newest(log))
    lapse(life, at)
    life.epoch = games.length - 1
    const today = localDate(life.tz, at)
    const challenges = Object.entries(game().challenges).map(([key, rule]): [string, ChallengeLook] => {
      const window = windowOn(life, key, rule, today)
      const others = (life.windows.get(key) ?? []).filter(({ start }) => start !== window?.start)
      return [
        key,
        {
          window: window === null ? null : { start: window.start === NO_START ? null : window.start, end: window.end },
          endsAt: window === null || window.end === null ? null : firstInstant(life.tz, addDays(window.end, 1)),
          isEnrolled: life.enrolled.get(key) != null,
          rerollsLeft: window === null ? 0 : Math.max(0, (window.rule.rerolls ?? 0) - window.rerolls),
          quests: window === null ? [] : window.picked.map((quest) => lookAt(life, window, quest)),
          waiting: others
            .flatMap(({ quests }) =>
              [...quests].flatMap(([quest, { claimUntil }]) => (claimUntil === null ? [] : [`${quest} ${claimUntil}`])),
            )
            .sort(),
        },
      ]
    })
    return { xp: life.xp, achieved: [...life.achieved.keys()].sort(), challenges: Object.fromEntries(challenges) }
  }

  function counts(): Record<string, { participants: number; completed: number }> {
    const found = Object.keys(game().challenges).map((key) => {
      const quests = [...logs].map(([id, log]) =>
        (fold(games, id, log).windows.get(key) ?? []).flatMap((window) => [...window.quests.values()]),
      )
      const participants = quests.filter((all) => all.some(({ isTouched }) => isTouched)).length
      const completed = quests.filter((all) => all.some(({ doneAt }) => doneAt !== null)).length
      return [key, { participants, completed }]
    })
    return Object.fromEntries(found)
  }

  return { call, look, counts, game }
}

function doneOf({ windows }: Life) {
  return [...windows].flatMap(([challenge, all]) =>
    all.flatMap(({ start, end, quests }) =>
      [...quests].flatMap(([quest, { doneAt }]) =>
        doneAt === null
          ? []
          : [
              {
                name: JSON.stringify([challenge, start, quest]),
                at: doneAt,
                act: { type: 'keepQuest' as const, challenge, start, end, quest },
              },
            ],
      ),
    ),
  )
}
