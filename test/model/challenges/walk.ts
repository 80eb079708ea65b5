// A naive walk through the challenges of a user: every call runs the whole log again. It is written from the
// specification alone, and shares only dates with the other models.

import { addDays, firstInstant, localDate } from '../dates.ts'
import { isAllDone, newQuest, openCriteria, orderOf, questOf, sortedOf, spanOn } from './quests.ts'
import type { Challenge, Criterion, Deployed, Entry, Filters, Game, Life, QuestLook, Window } from './types.ts'

export function fold(games: readonly Deployed[], user: string, log: readonly Entry[]): Life {
  const life: Life = {
    games,
    user,
    tz: 'UTC',
    epoch: 0,
    totals: new Map(),
    xp: 0,
    achieved: new Map(),
    enrolled: new Map(),
    windows: new Map(),
  }
  for (const entry of sortedOf(log)) step(life, entry)
  return life
}

function step(life: Life, { at, epoch, act, took, isVoid }: Entry): void {
  if (isVoid || act.type === 'void' || act.type === 'suspend' || act.type === 'restore') return
  lapse(life, at)
  life.epoch = Math.max(life.epoch, epoch)
  if (act.type === 'move') life.tz = act.tz
  const today = localDate(life.tz, at)
  meet(life, today, at)
  if (act.type === 'event') countIn(life, act, today, at)
  if (act.type === 'enrol') enrol(life, act.challenge, today, at)
  if (act.type === 'abandon') abandon(life, act.challenge, today)
  if (act.type === 'reroll') {
    const found = replacement(life, act.challenge, act.quest, today)
    if (found !== null) {
      const window = keep(life, act.challenge, found.window)
      window.picked = window.picked.map((key) => (key === act.quest ? found.next : key))
      window.rerolls += 1
      window.quests.delete(act.quest)
    }
  }
  if (act.type === 'claim') {
    const window = life.windows.get(act.challenge)?.find(({ start }) => start === took)
    const quest = window?.quests.get(act.quest)
    if (window !== undefined && quest !== undefined && quest.doneAt !== null && !quest.isClaimed) {
      quest.claimUntil = null
      pay(life, window, act.quest, at)
    }
  }
  if (act.type === 'keepAchievement') achieve(life, act.key, at)
  if (act.type === 'keepQuest') {
    const rule = inForce(life).challenges[act.challenge]
    if (rule === undefined) throw new Error('A deploy of the histories removes no challenge')
    const window =
      life.windows.get(act.challenge)?.find(({ start }) => start === act.start) ??
      keep(life, act.challenge, newWindow(life, act.challenge, ruleAt(life, act.challenge, rule, act.start), act))
    const isOpen = (quest: string): boolean => window.quests.get(quest)?.doneAt == null
    const left = window.picked.findLast(isOpen)
    if (isOpen(act.quest) && !window.picked.includes(act.quest) && left !== undefined) {
      window.picked = window.picked.map((key) => (key === left ? act.quest : key))
      window.quests.delete(left)
    }
    complete(life, act.challenge, window, act.quest, today, at)
  }
  meet(life, today, at)
}

const inForce = ({ epoch, games }: Life): Game => (games[epoch] as Deployed).game

/** Takes rewards away that were not claimed in time. */
export function lapse(life: Life, at: number): void {
  const today = localDate(life.tz, at)
  for (const windows of life.windows.values())
    for (const { quests } of windows)
      for (const quest of quests.values())
        if (quest.claimUntil !== null && quest.claimUntil < today) quest.claimUntil = null
}

/** The window of a date, also if the user has not begun it. */
export function windowOn(life: Life, key: string, rule: Challenge, date: string): Window | null {
  if (rule.enrol !== undefined && life.enrolled.get(key) == null) return null
  const known = life.windows.get(key) ?? []
  if (rule.enrol !== undefined && rule.every === undefined) {
    const last = known.at(-1)
    return last === undefined || (last.end !== null && date > last.end) ? null : last
  }
  const span = spanOn(rule, date)
  if (span === null) return null
  return (
    known.find(({ start }) => start === span.start) ?? newWindow(life, key, ruleAt(life, key, rule, span.start), span)
  )
}

/** A window keeps the rule of the game that was in force when it began. */
function ruleAt(life: Life, key: string, rule: Challenge, start: string): Challenge {
  if (rule.every === undefined) return rule
  const began = firstInstant(life.tz, start)
  const known = life.games.slice(0, life.epoch + 1)
  const found = known.findLast(({ since }) => since <= began) ?? known[0]
  return found?.game.challenges[key] ?? rule
}

function newWindow(life: Life, key: string, rule: Challenge, { start, end }: Pick<Window, 'start' | 'end'>): Window {
  const picked = rule.pool === undefined ? [''] : orderOf(life.user, key, rule, start).slice(0, rule.pick)
  return { start, end, rule, picked, rerolls: 0, quests: new Map() }
}

interface Counted {
  readonly metric: string
  readonly value: number
  readonly attributes: Filters
}

function countIn(life: Life, { metric, value, attributes }: Counted, today: string, at: number): void {
  life.totals.set(metric, (life.totals.get(metric) ?? 0) + value)
  for (const { key, window, quest, criteria } of openQuests(life, today)) {
    const known = window.quests.get(quest) ?? newQuest(criteria)
    for (const index of openCriteria(window.rule, quest, known)) {
      const criterion = criteria[index] as Criterion
      const fits = Object.entries(('eventAttributes' in criterion ? criterion.eventAttributes : undefined) ?? {}).every(
        ([name, wanted]) => attributes[name] === wanted,
      )
      if (!fits) continue
      if ('events' in criterion && criterion.events === metric) known.counts[index] = (known.counts[index] ?? 0) + 1
      else if ('metric' in criterion && criterion.metric === metric) {
        if (criterion.within === undefined) known.counts[index] = (known.counts[index] ?? 0) + value
        else {
          known.sums[index]?.push({ date: today, value })
          const best = greatest(known.sums[index] ?? [], criterion.within.days, today)
          known.counts[index] = Math.max(known.counts[index] ?? 0, best)
        }
      } else continue
      known.isCounted = true
      known.isTouched = true
    }
    if (known.isTouched) keep(life, key, window).quests.set(quest, known)
  }
  for (const [key, condition] of Object.entries(inForce(life).achievements))
    if (condition !== null && (life.totals.get(condition.metric) ?? 0) >= condition.value) achieve(life, key, at)
}

function openQuests(life: Life, today: string) {
  return Object.entries(inForce(life).challenges).flatMap(([key, rule]) => {
    const window = windowOn(life, key, rule, today)
    if (window === null) return []
    return window.picked.flatMap((quest) => {
      const criteria = questOf(window.rule, quest)?.of
      const isDone = window.quests.get(quest)?.doneAt != null
      return criteria === undefined || isDone ? [] : [{ key, window, quest, criteria }]
    })
  })
}

/** Until nothing more follows: a reward may meet a criterion of another challenge. */
function meet(life: Life, today: string, at: number): void {
  for (let more = true; more; ) {
    more = false
    for (const { key, window, quest, criteria } of openQuests(life, today)) {
      const known = window.quests.get(quest) ?? newQuest(criteria)
      if (known.doneAt !== null) continue
      for (let again = true; again; ) {
        again = false
        for (const index of openCriteria(window.rule, quest, known)) {
          if (!isEnough(life, criteria[index] as Criterion, known.counts[index] ?? 0)) continue
          known.met[index] = true
          known.isTouched = true
          again = true
          more = true
        }
      }
      if (!known.isTouched) continue
      keep(life, key, window).quests.set(quest, known)
      const needed = questOf(window.rule, quest)?.atLeast ?? criteria.length
      if (known.met.filter(Boolean).length >= needed) complete(life, key, window, quest, today, at)
    }
  }
}

function isEnough(life: Life, criterion: Criterion, counted: number): boolean {
  if ('achievement' in criterion) return life.achieved.has(criterion.achievement)
  if ('points' in criterion) return life.xp >= criterion.total
  return counted >= ('events' in criterion ? criterion.count : criterion.value)
}

function complete(life: Life, key: string, window: Window, quest: string, today: string, at: number): void {
  const known = window.quests.get(quest) ?? newQuest(questOf(window.rule, quest)?.of ?? [])
  if (known.doneAt !== null) return
  window.quests.set(quest, known)
  known.doneAt = at
  known.isTouched = true
  const { claim } = window.rule
  if (claim !== undefined) known.claimUntil = addDays(today, claim.within.days)
  countIn(life, { metric: `challenge:${key}`, value: 1, attributes: {} }, today, at)
  if (claim === undefined) pay(life, window, quest, at)
}

function pay(life: Life, window: Window, quest: string, at: number): void {
  const known = window.quests.get(quest)
  if (known === undefined) return
  known.isClaimed = true
  const { points, achievement } = questOf(window.rule, quest)?.reward ?? {}
  life.xp += points?.xp ?? 0
  if (achievement !== undefined) achieve(life, achievement, at)
}

function achieve(life: Life, key: string, at: number): void {
  if (!life.achieved.has(key)) life.achieved.set(key, at)
}

function enrol(life: Life, key: string, today: string, at: number): void {
  const rule = inForce(life).challenges[key]
  if (rule?.enrol === undefined) return
  const last = life.windows.get(key)?.at(-1)
  const isIn = life.enrolled.get(key) != null
  if (rule.every !== undefined) {
    if (!isIn) life.enrolled.set(key, at)
    return
  }
  if (life.windows.get(key)?.some(isAllDone) || (isIn && (last?.end == null || today <= last.end))) return
  life.enrolled.set(key, at)
  const ends = [rule.within && addDays(today, rule.within.days - 1), rule.end].filter((end) => end !== undefined).sort()
  const opened = newWindow(life, key, rule, { start: today, end: ends[0] ?? null })
  const before = life.windows.get(key)?.find(({ start }) => start === today)
  keep(life, key, before === undefined ? opened : { ...before, end: opened.end })
}

function abandon(life: Life, key: string, today: string): void {
  if (life.enrolled.get(key) == null) return
  life.enrolled.set(key, null)
  const running = (life.windows.get(key) ?? []).filter(({ end }) => end === null || end >= today)
  for (const { quests } of running) for (const [quest, { doneAt }] of quests) if (doneAt === null) quests.delete(quest)
  life.windows.set(
    key,
    (life.windows.get(key) ?? []).filter(({ quests }) => quests.size > 0),
  )
}

export function replacement(
  life: Life,
  key: string,
  quest: string,
  today: string,
): { window: Window; next: string } | null {
  const rule = inForce(life).challenges[key]
  const window = rule === undefined ? null : windowOn(life, key, rule, today)
  if (window === null || !window.picked.includes(quest)) return null
  const known = window.quests.get(quest)
  if (known !== undefined && (known.isCounted || known.doneAt !== null)) return null
  if (window.rule.pool === undefined || window.rerolls >= (window.rule.rerolls ?? 0)) return null
  const next = orderOf(life.user, key, window.rule, window.start)[(window.rule.pick ?? 0) + window.rerolls]
  return next === undefined ? null : { window, next }
}

export function lookAt(life: Life, window: Window, key: string): QuestLook {
  const criteria = questOf(window.rule, key)?.of ?? []
  const known = structuredClone(window.quests.get(key) ?? newQuest(criteria))
  const isDone = known.doneAt !== null
  for (let more = true; more; ) {
    const met = openCriteria(window.rule, key, known).filter((index) =>
      isEnough(life, criteria[index] as Criterion, known.counts[index] ?? 0),
    )
    for (const index of met) known.met[index] = true
    more = met.length > 0
  }
  return {
    key,
    isDone,
    isClaimed: known.isClaimed,
    claimUntil: known.claimUntil,
    criteria: isDone
      ? null
      : criteria.map((criterion, index) => {
          const isMet = known.met[index] === true
          if (isMet) return { isMet, current: null }
          if ('points' in criterion) return { isMet, current: life.xp }
          if ('achievement' in criterion) return { isMet, current: life.achieved.has(criterion.achievement) ? 1 : 0 }
          return { isMet, current: known.counts[index] ?? 0 }
        }),
  }
}

/** A window is in the life of a user once something has happened in it. */
function keep(life: Life, key: string, window: Window): Window {
  const others = (life.windows.get(key) ?? []).filter(({ start }) => start !== window.start)
  life.windows.set(
    key,
    [...others, window].sort((left, right) => (left.start < right.start ? -1 : 1)),
  )
  return window
}

/** The greatest sum of so many consecutive dates that contain this one. */
function greatest(sums: readonly { date: string; value: number }[], days: number, today: string): number {
  const all = Array.from({ length: days }, (_, back) => {
    const from = addDays(today, -back)
    const to = addDays(from, days - 1)
    return sums.filter(({ date }) => date >= from && date <= to).reduce((sum, { value }) => sum + value, 0)
  })
  return Math.max(...all)
}
