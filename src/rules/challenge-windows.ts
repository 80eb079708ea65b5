import { type Day, type Instant, localDate } from './calendar.ts'
import {
  endOfWindow,
  nextQuest,
  pickQuests,
  questOf,
  ruleOfEpoch,
  ruleOfWindow,
  type Span,
  spanFrom,
  spanOn,
} from './challenge.ts'
import type { Change } from './change.ts'
import { amountOf, isEnoughFor } from './criteria.ts'
import type { ChallengeAbandoned, ChallengeKept, ChallengeReplaced, Entry, EventRecorded } from './entry.ts'
import type { ChallengeRule, Quest } from './game.ts'
import { aggregationOf, type Criterion, type Game, type MetricCriterion, matches } from './game.ts'
import { addOn, greatestAround } from './limit.ts'
import {
  type ChallengeMark,
  type ChallengeState,
  type ChallengeWindow,
  type QuestState,
  type UserState,
  zoneOf,
} from './state.ts'
import { addTo } from './total.ts'

/** A window with the rule that it has. */
export interface RunningWindow {
  readonly rule: ChallengeRule
  readonly window: ChallengeWindow
}

const NONE: readonly Change[] = []

function newWindow(rule: ChallengeRule, user: string, start: Day, end: Day | null, epoch: number): ChallengeWindow {
  return { start, end, epoch, picked: pickQuests(rule, user, start), rerolls: 0, quests: [] }
}

/**
 * The window of a challenge on a date, as the user has it or would begin it. Returns `null` if the challenge has none
 * then, or if the user has not enrolled.
 */
export function windowOn(game: Game, state: UserState, rule: ChallengeRule, date: Day): RunningWindow | null {
  const known = state.challenges.get(rule.key)
  if (rule.enrols && (known === undefined || known.enrolledAt === null)) return null
  if (rule.enrols && rule.every === null) {
    const window = known?.windows.at(-1)
    return window === undefined || (window.end !== null && date > window.end) ? null : { rule, window }
  }
  const span = spanOn(rule, game, date)
  if (span === null) return null
  const windows = known?.windows ?? []
  const window =
    windows.find(({ start }) => start === span.start) ??
    (rule.every === null ? windows.findLast((each) => isMoved(game, rule, each, span)) : undefined)
  if (window !== undefined) return { rule: ruleOfEpoch(game, rule, window.epoch), window: { ...window, end: span.end } }
  const { rule: own, epoch } = ruleOfWindow(game, rule, span, state)
  return { rule: own, window: newWindow(own, state.user, span.start, span.end, epoch) }
}

/** True if a deploy has moved the first date of the one window of a challenge to that of `span`. */
function isMoved(
  { challengeGames }: Game,
  { key }: ChallengeRule,
  window: ChallengeWindow,
  { start, end }: Span,
): boolean {
  const repeated = challengeGames.some(({ epoch, challenges }) => {
    return epoch === window.epoch && (challenges.get(key)?.every ?? null) !== null
  })
  return !repeated && window.start <= (end ?? window.start) && start <= (window.end ?? start)
}

/** The state of a quest of a window, or that of one that nothing has counted for yet. */
export function questStateOf({ quests }: ChallengeWindow, quest: string, at: Instant): QuestState {
  return quests.find((each) => each.quest === quest) ?? { ...NOT_STARTED, quest, startedAt: at }
}

const NOT_STARTED: Omit<QuestState, 'quest' | 'startedAt'> = {
  counts: new Map(),
  sums: new Map(),
  met: [],
  completedAt: null,
  entryId: null,
  claimUntil: null,
  claimedAt: null,
}

/** True if something has counted for a quest, or if it is completed. */
export function isTouched({ counts, completedAt }: QuestState): boolean {
  return counts.size > 0 || completedAt !== null
}

export function markOf(challenge: string, { start, end }: ChallengeWindow, state: QuestState): ChallengeMark {
  const { quest, startedAt, completedAt, entryId, claimUntil, claimedAt } = state
  return { challenge, quest, start, end, startedAt, completedAt, entryId, claimUntil, claimedAt }
}

function isCounted(criterion: Criterion): criterion is MetricCriterion {
  return criterion.type === 'metric' || criterion.type === 'events'
}

/** The user's value for a criterion of a quest, or `null` if there is none yet. `today` is the user's local date. */
export function amountIn(criterion: Criterion, quest: QuestState, state: UserState, today: Day): number | null {
  return isCounted(criterion) ? (quest.counts.get(criterion.id)?.total ?? null) : amountOf(criterion, state, today)
}

/** The criteria that are not met. With `inOrder`, the next one alone. */
function openCriteria({ criteria, inOrder }: Quest, { met }: QuestState): readonly Criterion[] {
  const open = criteria.filter(({ id }) => !met.includes(id))
  return inOrder ? open.slice(0, 1) : open
}

/** Counts an event in the windows of its date. */
export function countInChallenges(game: Game, state: UserState, entry: Entry & EventRecorded): readonly Change[] {
  const { metric } = entry
  const mayCount = (rule: ChallengeRule): boolean => hasEarlierRules(game) || countsMetric(rule, metric)
  return changeWindows(game, state, entry, mayCount, (quest, known) => {
    let counted = known
    for (const criterion of openCriteria(quest, known)) {
      if (
        isCounted(criterion) &&
        criterion.metric === entry.metric &&
        matches(criterion.eventAttributes, entry.attributes)
      )
        counted = countFor(game, criterion, counted, entry)
    }
    return counted
  })
}

/** True if a window may have the rule of an earlier game. */
function hasEarlierRules({ challengeGames }: Game): boolean {
  return challengeGames.length > 1
}

function countsMetric({ quests }: ChallengeRule, metric: string): boolean {
  return quests.some(({ criteria }) => criteria.some((each) => isCounted(each) && each.metric === metric))
}

/** True if all criteria of a quest count events of its window, so that nothing else moves it. */
export function countsOnly({ criteria }: Quest): boolean {
  return criteria.every(isCounted)
}

function countFor(game: Game, criterion: MetricCriterion, quest: QuestState, entry: Entry & EventRecorded): QuestState {
  const { id, within, type } = criterion
  const isCount = type === 'events'
  const value = isCount ? 1 : entry.value
  const known = quest.counts.get(id)
  if (within === null) {
    const total = addTo(isCount ? 'sum' : aggregationOf(game, entry.metric), known, value)
    return { ...quest, counts: new Map(quest.counts).set(id, total) }
  }
  const sums = addOn(quest.sums.get(id) ?? [], entry.dating.date, value, within)
  const best = Math.max(known?.total ?? 0, greatestAround(within, sums, entry.dating.date))
  return {
    ...quest,
    counts: new Map(quest.counts).set(id, { total: best, highest: best }),
    sums: new Map(quest.sums).set(id, sums),
  }
}

/**
 * Marks the criteria that are met now, and completes the quests that have enough of them. The marks stay. `before`: the
 * state after the entry before this one, if that was decided by the same game.
 */
export function meetChallenges(
  game: Game,
  { state, before }: { readonly state: UserState; readonly before: UserState | null },
  entry: Entry,
): readonly Change[] {
  const mayMeet = (rule: ChallengeRule): boolean => {
    if (hasEarlierRules(game) || !rule.quests.every(countsOnly)) return true
    const known = state.challenges.get(rule.key)
    return known !== undefined && known !== before?.challenges.get(rule.key)
  }
  return changeWindows(game, state, entry, mayMeet, (quest, known, rule) => {
    const met = metNow(quest, known, state, entry.dating.date)
    if (met.length === known.met.length) return known
    const marked = { ...known, met }
    return met.length >= quest.atLeast ? completed(rule, marked, entry) : marked
  })
}

/** The ids of the criteria of a quest that are met on a date, those that were met before among them. */
export function metNow(quest: Quest, known: QuestState, state: UserState, today: Day): readonly string[] {
  let met = known
  for (let more = true; more; ) {
    const next = openCriteria(quest, met).filter((each) => isEnoughFor(each, amountIn(each, met, state, today)))
    if (next.length > 0) met = { ...met, met: [...met.met, ...next.map(({ id }) => id)] }
    more = quest.inOrder && next.length > 0
  }
  return met.met
}

/** The counts are no longer needed. */
function completed({ claimDays }: ChallengeRule, quest: QuestState, { at, id, dating }: Entry): QuestState {
  const waits = claimDays !== null
  const claim = { claimUntil: waits ? dating.date + claimDays : null, claimedAt: waits ? null : at }
  return { ...NOT_STARTED, quest: quest.quest, startedAt: quest.startedAt, completedAt: at, entryId: id, ...claim }
}

type ChangeQuest = (quest: Quest, known: QuestState, rule: ChallengeRule) => QuestState

/** Changes the open quests of the windows on the date of an entry, of the rules that may change. `change` returns the same state if nothing changes. */
function changeWindows(
  game: Game,
  state: UserState,
  entry: Entry,
  mayChange: (rule: ChallengeRule) => boolean,
  change: ChangeQuest,
): readonly Change[] {
  let changes: Change[] | null = null
  for (const rule of game.challenges.values()) {
    if (!mayChange(rule)) continue
    const running = windowOn(game, state, rule, entry.dating.date)
    if (running === null) continue
    const more = changeWindow(state, running, entry, change)
    if (more.length === 0) continue
    changes ??= []
    changes.push(...more)
  }
  return changes ?? NONE
}

function changeWindow(
  state: UserState,
  { rule, window }: RunningWindow,
  { at }: Entry,
  change: ChangeQuest,
): readonly Change[] {
  let quests = window.quests
  const marks: Change[] = []
  for (const key of window.picked) {
    const quest = questOf(rule, key)
    const known = questStateOf(window, key, at)
    if (quest === null || known.completedAt !== null) continue
    const next = change(quest, known, rule)
    if (next === known) continue
    const isNew = !quests.some((each) => each.quest === key)
    quests = isNew ? [...quests, next] : quests.map((each) => (each.quest === key ? next : each))
    const isCompleted = next.completedAt !== null
    if (isNew || isCompleted)
      marks.push({
        type: isCompleted ? 'challengeCompleted' : 'challengeStarted',
        mark: markOf(rule.key, window, next),
      })
  }
  return quests === window.quests ? NONE : [putWindow(state, rule, { ...window, quests }), ...marks]
}

/** Local dates may go back by two, by changes of zone. */
const BACKWARD = 2

const NOTHING: ChallengeState = { enrolledAt: null, windows: [] }

export function putWindow(
  { challenges }: UserState,
  rule: ChallengeRule,
  window: ChallengeWindow,
  enrolledAt: Instant | null = challenges.get(rule.key)?.enrolledAt ?? null,
): Change {
  const { key, every } = rule
  const known = challenges.get(key) ?? NOTHING
  const others = known.windows.filter(({ start }) => start !== window.start)
  const windows = [...others, window].sort((left, right) => left.start - right.start)
  const newest = windows.at(-1)?.start ?? window.start
  const isKept = (each: ChallengeWindow): boolean =>
    // Its reward is still to be given.
    each === window ||
    each.end === null ||
    each.end >= newest - BACKWARD ||
    // A reward that was claimed is still known, because a claim may be sent again.
    (rule.claimDays !== null && each.quests.some(isDone) && lastClaim(rule, each) >= newest - BACKWARD) ||
    // A deploy may shorten the time for claims, but not of a reward that waits.
    each.quests.some(({ claimUntil }) => claimUntil !== null && claimUntil >= newest - BACKWARD) ||
    // A challenge without `every` is completed once.
    (every === null && isCompleted(each))
  return changed(key, { enrolledAt, windows: windows.filter((each) => each.start === newest || isKept(each)) })
}

function isDone({ completedAt }: QuestState): boolean {
  return completedAt !== null
}

export function changed(challenge: string, state: ChallengeState): Change {
  return { type: 'challengeChanged', challenge, state }
}

/** True if the user takes part by an enrolment on a date. A window that is over is no longer one. */
export function isEnrolled(state: UserState, rule: ChallengeRule, date: Day): boolean {
  const known = state.challenges.get(rule.key)
  if (known === undefined || known.enrolledAt === null) return false
  const last = known.windows.at(-1)
  return rule.every !== null || (last !== undefined && (last.end === null || date <= last.end))
}

/** Without `every`, an enrolment begins a window, unless the user has completed the challenge before. */
export function enrolIn(state: UserState, rule: ChallengeRule, { at, epoch, dating }: Entry): readonly Change[] {
  const known = state.challenges.get(rule.key)
  if (!rule.enrols || isEnrolled(state, rule, dating.date) || hasCompleted(state, rule)) return NONE
  if (rule.every !== null) return [changed(rule.key, { enrolledAt: at, windows: known?.windows ?? [] })]
  const { start, end } = spanFrom(rule, dating.date)
  // After an enrolment of the same date was abandoned, its completed quests stay.
  const before = known?.windows.find((window) => window.start === start)
  const window = before === undefined ? newWindow(rule, state.user, start, end, epoch) : { ...before, end }
  return [putWindow(state, rule, window, at)]
}

/** True if every quest of a window of a challenge without `every` is completed. */
export function hasCompleted({ challenges }: UserState, { key, every }: ChallengeRule): boolean {
  return every === null && (challenges.get(key)?.windows ?? []).some(isCompleted)
}

export function isCompleted({ picked, quests }: ChallengeWindow): boolean {
  return picked.every((key) => quests.some(({ quest, completedAt }) => quest === key && completedAt !== null))
}

/** Ends an enrolment. Completed quests and windows that are over stay; what the running one has counted is gone. */
export function abandon(
  { challenges }: UserState,
  { challenge, dating }: Entry & ChallengeAbandoned,
): readonly Change[] {
  const known = challenges.get(challenge)
  if (known === undefined || known.enrolledAt === null) return NONE
  const gone: Change[] = []
  const windows = known.windows.map((window) => {
    if (window.end !== null && window.end < dating.date) return window
    const open = window.quests.filter(({ completedAt }) => completedAt === null)
    gone.push(...open.map((quest): Change => ({ type: 'challengeAbandoned', mark: markOf(challenge, window, quest) })))
    return { ...window, quests: window.quests.filter(({ completedAt }) => completedAt !== null) }
  })
  return [changed(challenge, { enrolledAt: null, windows: windows.filter(({ quests }) => quests.length > 0) }), ...gone]
}

/** The last date on which a quest of a window can be claimed if it is completed on the last date of the window. */
export function lastClaim({ claimDays }: ChallengeRule, { end }: ChallengeWindow): Day {
  return end === null ? Number.POSITIVE_INFINITY : end + (claimDays ?? 0)
}

/** The quest that takes the place of another in the window of a date, or `null` if none can. */
export function replacementOf(
  game: Game,
  state: UserState,
  rule: ChallengeRule,
  quest: string,
  date: Day,
): (RunningWindow & { readonly next: string }) | null {
  const running = windowOn(game, state, rule, date)
  if (running === null || !running.window.picked.includes(quest)) return null
  const { start, rerolls, quests } = running.window
  if (quests.some((each) => each.quest === quest && isTouched(each))) return null
  const next = nextQuest(running.rule, state.user, start, rerolls)
  return next === null ? null : { ...running, next }
}

export function replaceQuest(
  game: Game,
  state: UserState,
  rule: ChallengeRule,
  entry: Entry & ChallengeReplaced,
): readonly Change[] {
  const found = replacementOf(game, state, rule, entry.quest, entry.dating.date)
  if (found === null) return NONE
  const { window, next } = found
  const picked = window.picked.map((key) => (key === entry.quest ? next : key))
  const [quests, gone] = withoutQuest(rule, window, entry.quest)
  return [putWindow(state, rule, { ...window, picked, rerolls: window.rerolls + 1, quests }), ...gone]
}

/** The quests of a window that no longer has one of them, and the change that it is gone. */
function withoutQuest(
  { key }: ChallengeRule,
  window: ChallengeWindow,
  left: string | null,
): readonly [readonly QuestState[], readonly Change[]] {
  const gone = window.quests.filter(({ quest }) => quest === left)
  return [
    window.quests.filter(({ quest }) => quest !== left),
    gone.map((quest) => ({ type: 'challengeAbandoned', mark: markOf(key, window, quest) })),
  ]
}

/**
 * Completes a quest that a replay would otherwise lose. If the window has other quests, as after a merge, it takes the
 * place of the last one that is not completed.
 */
export function keepQuest(
  game: Game,
  state: UserState,
  rule: ChallengeRule,
  entry: Entry & ChallengeKept,
): readonly Change[] {
  const { at, quest, start, end } = entry
  const known = state.challenges.get(rule.key)?.windows.find((window) => window.start === start)
  const begun = ruleOfWindow(game, rule, { start, end }, state)
  const window = known ?? newWindow(begun.rule, state.user, start, end, begun.epoch)
  const before = questStateOf(window, quest, at)
  if (before.completedAt !== null) return NONE
  const next = completed(ruleOfEpoch(game, rule, window.epoch), before, entry)
  const { picked } = window
  const isOpen = (key: string): boolean => questStateOf(window, key, at).completedAt === null
  const left = picked.includes(quest) ? null : (picked.findLast(isOpen) ?? null)
  const [others, gone] = withoutQuest(rule, window, left)
  const quests = [...others.filter((each) => each.quest !== quest), next]
  return [
    putWindow(state, rule, { ...window, picked: picked.map((key) => (key === left ? quest : key)), quests }),
    ...gone,
    { type: 'challengeCompleted', mark: markOf(rule.key, window, next) },
  ]
}

interface EndingWindow {
  readonly challenge: string
  readonly start: Day
  readonly ends: Instant
  /** How many hours before its end it causes a message. */
  readonly hours: number
}

/**
 * The windows on the date of the newest entry that a user has begun and not completed, and whose end causes a message.
 * An enrolment for one window begins it; otherwise something has counted in it.
 */
export function endingWindows(game: Game, state: UserState): readonly EndingWindow[] {
  if (state.challenges.size === 0) return []
  const ending: EndingWindow[] = []
  const today = localDate(zoneOf(state.profile), state.at)
  for (const rule of game.challenges.values()) {
    const { key, endingHours: hours } = rule
    const window = hours === null ? null : (windowOn(game, state, rule, today)?.window ?? null)
    const ends = window === null ? null : endOfWindow(window, state)
    if (hours === null || window === null || ends === null || isCompleted(window)) continue
    const isBegun = window.quests.length > 0 || (rule.enrols && rule.every === null)
    if (isBegun) ending.push({ challenge: key, start: window.start, ends, hours })
  }
  return ending
}
