// A naive model of the rules, written from the specification and its decisions alone: every call runs all the
// accepted calls of its user again, in order, from nothing.
import { boostsOn, changed, namesOf } from './boosts.ts'
import { isAskedFor, isUsed, MOST_TOLD } from './completions.ts'
import { followingPeriod, isZone, localDate, periodEnd, periodOf } from './dates.ts'
import { fold, LIMIT } from './fold.ts'
import type { FullGame } from './full-game.ts'
import type { Boost, Game } from './game.ts'
import { gameOf, nameOfTrigger, repeatOf } from './game.ts'
import { limitsOn } from './limits.ts'
import { firstOf, mergeEntries } from './merge.ts'
import { emailsDue, type Fact, isFresh, occurrenceOf } from './messages.ts'
import { add } from './numbers.ts'
import { boostsOf } from './pay.ts'
import type { Ahead } from './reminders.ts'
import type { Entry, Personal, State } from './state.ts'
import { countOf, levelOf, subscribed } from './state.ts'
import { noStreak, readStreaks, streaksSince } from './streaks.ts'
import { timeSince } from './time.ts'
import type {
  Call,
  Change,
  Day,
  EventCall,
  Known,
  Model,
  OperationCall,
  Outcome,
  Patch,
  Place,
  Snapshot,
  Year,
} from './types.ts'

export type { FullGame } from './full-game.ts'
export type * from './types.ts'

const AHEAD = 5 * 60_000
const TYPES = ['achievement_completed', 'recap', 'reactivation', 'streak_reminder']
const MOST_BOOSTS = 100
const CHANNELS = ['email', 'push']

interface User {
  entries: Entry[]
  usedKeys: Set<string>
  state: State
}

type Status = 400 | 403 | 404 | 422

export function createModel(definition: FullGame): Model {
  const givenToAll: Boost[] = []
  const games = [gameOf(definition, [])] // by epoch
  const since = [Number.NEGATIVE_INFINITY] // by epoch, when its game came into force
  let game = games[0] as Game // the newest
  let newest = definition
  let boosts = 0
  const users = new Map<string, User>()
  const names = new Map<string, string>() // of merged users
  const published = new Map<string, Map<string, Fact>>() // emails of each user, by occurrence
  const ahead = new WeakMap<State, Ahead>()

  function call(asked: Call | OperationCall): Outcome {
    const refuse = (status: Status): Outcome => ({ ok: false, status })
    if (asked.call === 'merge') return merge(asked)
    if (asked.call === 'import') return importAll(asked.events)
    if (asked.call === 'deploy') return deploy(asked.definition, asked.now)
    if (asked.call === 'giveBoost' || asked.call === 'changeBoost' || asked.call === 'deleteBoost') {
      return decideBoost(structuredClone(asked))
    }
    const call = { ...structuredClone(asked), id: ownId(asked.id) }
    const user = users.get(call.id)

    if (call.call === 'approve' || call.call === 'void') return decideEvent(call, user)
    if (call.call === 'suspend' || call.call === 'restore') return suspend(call, user)
    const unreadable = checkForm(call)
    if (unreadable !== null) return refuse(unreadable)

    const usedKey =
      call.call === 'event' && call.idempotencyKey !== undefined
        ? JSON.stringify([call.metric, call.idempotencyKey])
        : null
    if (usedKey !== null && user?.usedKeys.has(usedKey) === true) return { ok: true, replayed: true, late: false }

    const wrong = checkRules(game, call, user)
    if (wrong !== null) return refuse(wrong)

    if (user !== undefined && isEmpty(call, user)) {
      const nothing = { ok: true as const, replayed: false, late: false }
      return call.call === 'complete' ? { ...nothing, achievements: [], points: {} } : nothing
    }

    if (call.call === 'complete' && call.idempotencyKey !== undefined && user !== undefined) {
      const repeats = repeatOf(game.achievements.get(call.achievement)) !== null
      if (repeats && isUsed(user.state, call.achievement, call.idempotencyKey)) {
        return { ok: true, replayed: false, late: false, achievements: [], points: {} }
      }
    }

    const newest = Math.max(...(user?.entries ?? []).map((entry) => entry.instant)) // -Infinity when there is none
    const occurredAt = call.call === 'event' ? call.occurredAt : undefined
    const late = occurredAt !== undefined && occurredAt < newest
    const instant = occurredAt ?? Math.max(call.now, newest)

    const epoch = epochOf(user, instant, occurredAt !== undefined, late)
    const entry: Entry = { instant, arrival: user?.entries.length ?? 0, epoch, act: call }
    const entries = [...(user?.entries ?? []), entry]
    let judged = fold(games, entries, entry)
    if (judged === null) return refuse(422)
    const limited = limitsOn(game, judged.state, entry)
    if (limited === 'refuse') return refuse(422)
    if (limited === 'hold') {
      entry.mode = 'held'
      judged = accepted(fold(games, entries, entry))
    }
    const { answer } = judged
    const state = keepCompletions(entries, made(user), judged.state)

    const usedKeys = user?.usedKeys ?? new Set<string>()
    if (usedKey !== null) usedKeys.add(usedKey)
    users.set(call.id, { entries, usedKeys, state })

    const held = limited === 'hold' ? { held: true as const } : {}
    const outcome = { ok: true as const, replayed: false, late, ...held }
    if (late || (call.call !== 'event' && call.call !== 'complete')) return outcome
    return { ...outcome, ...answer, achievements: newestTold(answer.achievements).sort(byCodePoint) }
  }

  function work(now: number): void {
    for (const [id, { state }] of users) {
      const emails = published.get(id) ?? new Map<string, Fact>()
      published.set(id, emails)
      const known = ahead.get(state) ?? new Map()
      ahead.set(state, known)
      for (const email of [...state.emails, ...emailsDue(state, now, known)]) {
        const occurrence = occurrenceOf(email)
        if (isFresh(state, email, now) && !emails.has(occurrence)) emails.set(occurrence, email)
      }
    }
  }

  function facts(now: number, id: string): Fact[] {
    const user = users.get(id)
    if (user === undefined) return []
    const { state } = user
    const at = Math.max(now, ...user.entries.map((entry) => entry.instant))
    return structuredClone([...state.facts, ...streaksSince(state.streaks, at), ...timeSince(state, at).levels])
  }

  /** As if each came alone. */
  function importAll(events: EventCall[]): Outcome {
    const imported = { recorded: 0, replayed: 0, refused: 0, held: 0 }
    for (const event of events) {
      const outcome = call(event)
      if (!outcome.ok) imported.refused += 1
      else if (outcome.replayed) imported.replayed += 1
      else imported.recorded += 1
      if (outcome.ok && outcome.held === true) imported.held += 1
    }
    return { ok: true, replayed: false, late: false, imported }
  }

  /** The game of its own instant decides a late entry, but epochs only go up along a log. */
  function epochOf(user: User | undefined, instant: number, isAnswered: boolean, late: boolean): number {
    const newest = games.length - 1
    if (!isAnswered) return newest
    const [before, next] = late ? around(user?.entries ?? [], instant) : [user?.state.epoch ?? -1, newest]
    const began = since.findLastIndex((from) => from <= instant)
    return Math.max(before, Math.min(began, next))
  }

  /** A kept completion is decided under the epoch of the entry before it, or of the first entry if there is none. */
  function epochIn(entries: Entry[], instant: number): number {
    const [before, next] = around(entries, instant)
    return before === -1 ? next : before
  }

  /** The epoch that a user has at an instant, -1 before the first entry; and that of the entry after it. */
  function around(entries: Entry[], instant: number): [number, number] {
    const inOrder = [...entries].sort((a, b) => a.instant - b.instant || a.arrival - b.arrival)
    const before = inOrder.filter((each) => each.instant <= instant)
    const next = inOrder[before.length]?.epoch ?? games.length - 1
    return [accepted(fold(games, before, null)).state.epoch, next]
  }

  function deploy(next: FullGame, now: number): Outcome {
    since.push(Math.max(now, since.at(-1) ?? now))
    newest = next
    game = gameOf(next, givenToAll)
    games.push(game)
    return { ok: true, replayed: false, late: false }
  }

  function boostAll(now: number): Outcome {
    if (JSON.stringify(gameOf(newest, givenToAll).boosts) !== JSON.stringify(game.boosts)) {
      deploy(newest, now)
    }
    return { ok: true, replayed: false, late: false }
  }

  /** One for all is part of the game from then on; one of a user is an entry. */
  function decideBoost(call: Extract<OperationCall, { boost: string }>): Outcome {
    const refuse = (status: Status): Outcome => ({ ok: false, status })
    if (call.call === 'giveBoost') {
      const { id, boost, system, fields } = call
      if (!game.systems.has(system)) return refuse(404)
      if (fields.end !== undefined && fields.end < fields.start) return refuse(422)
      if (id !== null) return enterBoost(ownId(id), call)
      const ofSystem = givenToAll.filter((each) => each.system === system)
      if (ofSystem.length >= MOST_BOOSTS) return refuse(422)
      givenToAll.push({ ...fields, id: boost, system, created: call.now, order: nextOrder() })
      return boostAll(call.now)
    }
    const index = givenToAll.findIndex(({ id }) => id === call.boost)
    const found = givenToAll[index]
    if (found === undefined) {
      const owner = [...users].find(([, { state }]) => state.boosts.some(({ id }) => id === call.boost))
      return owner === undefined ? refuse(422) : enterBoost(owner[0], call)
    }
    const after = call.call === 'changeBoost' ? changed(found, call.fields) : null
    if (call.call === 'changeBoost' && after === null) return refuse(422)
    givenToAll.splice(index, 1, ...(after === null ? [] : [after]))
    return boostAll(call.now)
  }

  function enterBoost(id: string, act: Extract<OperationCall, { boost: string }>): Outcome {
    const user = users.get(id)
    if (user === undefined) return { ok: false, status: 422 }
    const { state } = user
    const isForAll = act.call !== 'deleteBoost' && (act.fields.userAttributes ?? undefined) !== undefined
    if (isForAll || (act.call === 'giveBoost' && state.boosts.length >= MOST_BOOSTS)) return { ok: false, status: 422 }
    const found = act.call === 'changeBoost' ? state.boosts.find((boost) => boost.id === act.boost) : undefined
    if (act.call === 'changeBoost' && found !== undefined && changed(found, act.fields) === null) {
      return { ok: false, status: 422 }
    }
    append(id, user, act.now, act, act.call === 'giveBoost' ? { order: nextOrder() } : {})
    return { ok: true, replayed: false, late: false }
  }

  /** Ids grow one after the other, also where the clock goes back. */
  function nextOrder(): number {
    boosts += 1
    return boosts
  }

  /** An entry that nothing can refuse. */
  function append(id: string, user: User, now: number, act: Entry['act'], more: Pick<Entry, 'order'> = {}): State {
    const instant = Math.max(now, ...user.entries.map((entry) => entry.instant))
    const entries = [...user.entries, { instant, arrival: user.entries.length, epoch: games.length - 1, act, ...more }]
    const { state } = accepted(fold(games, entries, null))
    users.set(id, { ...user, entries, state })
    return state
  }

  /** An achievement once completed stays: one that is lost is completed again, once, when it was completed last. */
  function keepCompletions(entries: Entry[], completions: Map<string, number[]>, after: State): State {
    let state = after
    for (;;) {
      const lost = [...completions]
        .filter(([key, made]) => made.length > 0 && countOf(state, key) === 0)
        .map(([achievement, made]) => ({ achievement, count: 1, instant: made.at(-1) ?? 0 }))
        .sort((a, b) => a.instant - b.instant || (a.achievement < b.achievement ? -1 : 1))
      if (lost.length === 0) return state
      for (const { achievement, count, instant } of lost) {
        const act = { call: 'keep' as const, achievement, count }
        entries.push({ instant, arrival: entries.length, epoch: epochIn(entries, instant), act })
      }
      state = accepted(fold(games, entries, null)).state
    }
  }

  /** To approve or to void an event. */
  function decideEvent(call: Extract<Call, { call: 'approve' | 'void' }>, user: User | undefined): Outcome {
    const isMeant = ({ act }: Entry): boolean =>
      act.call === 'event' && act.metric === call.metric && act.idempotencyKey === call.idempotencyKey
    const found = user?.entries.find(isMeant)
    if (user === undefined || found === undefined) return { ok: false, status: 404 }
    const again: Outcome = { ok: true, replayed: true, late: true }
    if (call.call === 'void' && found.mode === 'void') return again
    if (call.call === 'approve' && found.mode !== 'held') {
      return found.approved === true && found.mode === undefined ? again : { ok: false, status: 422 }
    }
    const { mode: _, ...counting } = found
    const decided: Entry = call.call === 'void' ? { ...found, mode: 'void' } : { ...counting, approved: true }
    const newest = Math.max(...user.entries.map((entry) => entry.instant))
    const entry: Entry = {
      instant: Math.max(call.now, newest),
      arrival: user.entries.length,
      epoch: games.length - 1,
      act: call,
    }
    const entries = [...user.entries.map((each) => (each === found ? decided : each)), entry]
    const judged = fold(games, entries, entry)
    if (judged === null) return { ok: false, status: 422 }
    const state = keepCompletions(entries, made(user), judged.state)
    users.set(call.id, { ...user, entries, state })
    return { ok: true, replayed: false, late: true }
  }

  /** A suspended user is not suspended again. */
  function suspend(call: Extract<Call, { call: 'suspend' | 'restore' }>, user: User | undefined): Outcome {
    if (user === undefined) return { ok: false, status: 404 }
    const done = { ok: true as const, replayed: false, late: false }
    const { suspended } = user.state
    if ((suspended !== null) === (call.call === 'suspend')) return { ...done, suspended }
    return { ...done, suspended: append(call.id, user, call.now, call).suspended }
  }

  function ownId(id: string): string {
    const into = names.get(id)
    return into === undefined ? id : ownId(into)
  }

  /** Makes one history of two. */
  function merge(call: Extract<Call, { call: 'merge' }>): Outcome {
    if (call.id === call.into) return { ok: false, status: 422 }
    const [from, into] = [ownId(call.id), ownId(call.into)]
    const [old, user] = [users.get(from), users.get(into)]
    if (old === undefined || user === undefined) return { ok: false, status: 404 }
    const done = { ok: true as const, replayed: false, late: false }
    if (from === into) return { ...done, merged: { from, into, merged: false, entries: 0, repeated: 0 } }

    const { entries, repeated } = mergeEntries(user.entries, old.entries, {
      now: call.now,
      id: into,
      epoch: games.length - 1,
    })
    const together = fold(games, entries, 'all')
    if (together === null) return { ok: false, status: 422 }
    const state = keepCompletions(entries, firstOf(made(user), made(old)), together.state)
    users.set(into, { entries, usedKeys: new Set([...user.usedKeys, ...old.usedKeys]), state })
    users.delete(from)
    names.set(from, into)
    return { ...done, merged: { from, into, merged: true, entries: old.entries.length, repeated } }
  }

  function known(): Known[] {
    const own = [...users].map(([id, { state }]) => ({ id, suspended: state.suspended, mergedInto: null }))
    const others = [...names].map(([id, mergedInto]) => ({ id, suspended: null, mergedInto }))
    return structuredClone([...own, ...others].sort((a, b) => byCodePoint(a.id, b.id)))
  }

  function board(metric: string): Place[] {
    const places: { user: string; value: number; reachedAt: number }[] = []
    for (const [user, { state }] of users) {
      const [first, ...others] = state.events.filter((event) => event.metric === metric)
      if (first === undefined || state.suspended !== null) continue
      const place = { user, value: add(0, first.value), reachedAt: first.instant }
      for (const { value, instant } of others) {
        const sum = add(place.value, value)
        if (sum !== place.value) place.reachedAt = instant
        place.value = sum
      }
      places.push(place)
    }
    places.sort((a, b) => b.value - a.value || a.reachedAt - b.reachedAt || byCodePoint(a.user, b.user))
    return places.map(({ user, value }, index) => ({ user, value, rank: index + 1 }))
  }

  function days(): Day[] {
    type Counted = Omit<Day, 'points' | 'activeUsers'> & { active: Set<string>; points: Map<string, bigint> }
    const found = new Map<string, Counted>()
    const on = (date: string) => {
      const nothing = { date, events: 0, newUsers: 0, completions: 0, active: new Set<string>(), points: new Map() }
      const day: Counted = found.get(date) ?? nothing
      found.set(date, day)
      return day
    }
    const dateOf = (instant: number): string => localDate('UTC', instant)
    for (const [id, { state }] of users) {
      if (state.known) on(state.createdOn).newUsers += 1
      for (const { instant } of state.events) {
        const day = on(dateOf(instant))
        day.events += 1
        day.active.add(id)
      }
      for (const made of state.completions.values()) on(dateOf(made.at(-1) ?? 0)).completions += 1
      for (const { system, awarded, date } of state.awards) {
        const { points } = on(dateOf(date))
        points.set(system, (points.get(system) ?? 0n) + BigInt(awarded))
      }
    }
    // No order of the users is given, so the exact sum is rounded once.
    const rounded = (points: Map<string, bigint>) =>
      Object.fromEntries([...points].map(([system, sum]) => [system, add(0, Number(sum))]))
    return [...found.values()]
      .map(({ active, points, ...day }) => ({ ...day, points: rounded(points), activeUsers: active.size }))
      .sort((a, b) => (a.date < b.date ? -1 : 1))
  }

  function year(named: string, asked: number): Year {
    const state = users.get(ownId(named))?.state
    const found: Year = { completions: {}, metrics: {}, points: {}, events: {} }
    if (state === undefined) return found
    for (const [key, dates] of state.completedOn) {
      const index = dates.findLastIndex((date) => yearOf(date) === asked)
      const at = state.completions.get(key)?.[index]
      if (at !== undefined) found.completions[key] = { count: index + 1, at }
    }
    for (const { date } of state.events) {
      if (yearOf(date) === asked) found.events[date] = (found.events[date] ?? 0) + 1
    }
    const added = state.events.map(({ metric, date, value }) => ({ key: metric, date, value }))
    const awarded = state.awards.map(({ system, day, awarded }) => ({ key: system, date: day, value: awarded }))
    for (const { key, date, value } of sumDates(added)) note(found.metrics, key, value, yearOf(date) - asked)
    for (const { key, date, value } of sumDates(awarded)) note(found.points, key, value, yearOf(date) - asked)
    return found
  }

  function streakBoard(now: number, key: string | null): Place[] {
    const places: { user: string; value: number; reachedAt: number }[] = []
    for (const [user, { state }] of users) {
      if (state.suspended !== null) continue
      // Not that of the newest entry: no time passes with some (`isSilent`), so that a streak is not looked at then.
      const at = Math.max(now, state.newest)
      const { length = 0, reachedAt = 0 } = readStreaks(state.streaks, at).get(key ?? '') ?? {}
      if (length > 0) places.push({ user, value: length, reachedAt })
    }
    places.sort((a, b) => b.value - a.value || a.reachedAt - b.reachedAt || byCodePoint(a.user, b.user))
    return places.map(({ user, value }, index) => ({ user, value, rank: index + 1 }))
  }

  function held(named: string): { metric: string; value: number }[] {
    const entries = (users.get(ownId(named))?.entries ?? []).filter(({ mode }) => mode === 'held')
    return entries
      .sort((a, b) => a.instant - b.instant || a.arrival - b.arrival)
      .flatMap(({ act }) => (act.call === 'event' ? [{ metric: act.metric, value: act.value }] : []))
  }

  function snapshot(now: number, id: string): Snapshot | null {
    const user = users.get(ownId(id))
    if (user === undefined) return null
    const { state } = user
    // A user's time never goes back.
    const at = Math.max(now, ...user.entries.map((entry) => entry.instant))
    const { email, name, tz, deviceTokens, created, updated } = state
    const attributes = Object.fromEntries(state.attributes)
    const since = timeSince(state, at).awards
    const streaks = new Map(
      [...readStreaks(state.streaks, at)].map(([key, { reachedAt: _, ...streak }]) => [key, streak]),
    )
    const named = [...game.streaks.keys()].filter((key) => key !== '')
    const repeating = [...game.achievements].filter(([, achievement]) => repeatOf(achievement) !== null)
    const counts = repeating.map(([key]) => [key, countOf(state, key)] as const).filter(([, count]) => count > 0)
    return structuredClone({
      profile: { email, name, tz, subscribedToEmails: subscribed(state), deviceTokens, attributes, created, updated },
      totals: Object.fromEntries([...game.metrics.keys()].map((metric) => [metric, state.totals.get(metric) ?? 0])),
      marks: Object.fromEntries(
        [...game.systems].map(([key, system]) => [
          key,
          (system.triggers ?? []).map((trigger, index) =>
            trigger.type === 'metric' ? (state.triggerTotals.get(nameOfTrigger(key, trigger, index))?.mark ?? 0) : null,
          ),
        ]),
      ),
      achievements: Object.fromEntries([...state.completions].map(([key, made]) => [key, made.at(-1) ?? 0])),
      ...(repeating.length === 0 ? {} : { counts: Object.fromEntries(counts) }),
      boosts: Object.fromEntries(
        [...game.systems.keys()].map((key) => [
          key,
          namesOf(boostsOn(state, [...game.boosts, ...state.boosts], key, at)),
        ]),
      ),
      points: Object.fromEntries(
        [...game.systems].map(([key, system]) => {
          const names = (system.triggers ?? []).map((trigger, index) => nameOfTrigger(key, trigger, index))
          const come = since.filter((award) => award.system === key).at(-1)
          const total = come?.total ?? state.points.get(key) ?? 0
          const awards = state.awards
            .filter((award) => award.system === key)
            .map((award) => {
              const { trigger, awarded, total, date } = award
              return { trigger: names.indexOf(trigger), awarded, total, date, ...boostsOf(award) }
            })
          return [key, { total, level: levelOf(system, total), awards }]
        }),
      ),
      streak: streaks.get('') ?? noStreak,
      ...(game.hasNamed
        ? { streaks: Object.fromEntries(named.map((key) => [key, streaks.get(key) ?? noStreak])) }
        : {}),
      preferences: {
        notifications: Object.fromEntries(state.notifications),
        streak: preferencesOf(state.personal),
      },
    })
  }

  function summary(
    id: string,
    metric: string,
    aggregation: 'daily' | 'weekly' | 'monthly',
    startDate: string,
    endDate: string,
  ): { date: string; total: number; change: number }[] {
    const calendar = { frequency: aggregation, weekStartsOn: game.weekStartsOn }
    const events = (users.get(ownId(id))?.state.events ?? []).filter((event) => event.metric === metric)
    const sum = (from: string, to: string) => {
      let total = 0
      for (const event of events) if (event.date >= from && event.date <= to) total = add(total, event.value)
      return total
    }
    const items: { date: string; total: number; change: number }[] = []
    for (let date = periodOf(calendar, startDate); date <= endDate; date = followingPeriod(calendar, date)) {
      const first = date > startDate ? date : startDate
      const end = periodEnd(calendar, date)
      const last = end < endDate ? end : endDate
      items.push({ date, total: sum('0000-00-00', last), change: sum(first, last) })
    }
    return items
  }

  const emails = (id: string): Fact[] => [...(published.get(id)?.values() ?? [])]
  return { call, work, emails, facts, snapshot, summary, held, users: known, days, year, board, streakBoard }
}

const yearOf = (date: string): number => Number(date.slice(0, 4))

interface Dated {
  readonly key: string
  readonly date: string
  value: number
}

/** Above 1e15 each addition rounds to 15 digits, so the order matters: the sum of each date first, then the dates. */
function sumDates(values: readonly Dated[]): Dated[] {
  const sums = new Map<string, Dated>()
  for (const { key, date, value } of values) {
    const sum = sums.get(`${date} ${key}`) ?? { key, date, value: 0 }
    sum.value = add(sum.value, value)
    sums.set(`${date} ${key}`, sum)
  }
  return [...sums.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** `away`: 0 is the year that is asked for, -1 the one before. */
function note(changes: { [key: string]: Change }, key: string, value: number, away: number): void {
  if (away !== 0 && away !== -1) return
  const { change, before } = changes[key] ?? { change: 0, before: 0 }
  changes[key] = away === 0 ? { change: add(change, value), before } : { change, before: add(before, value) }
}

function preferencesOf(personal: Personal | null): Snapshot['preferences']['streak'] {
  if (personal === null) return null
  const { enabled, metrics } = personal
  const mode = personal.mode ?? (metrics === undefined ? undefined : 'OR')
  const streak: Snapshot['preferences']['streak'] = {}
  if (enabled !== undefined) streak.enabled = enabled
  if (mode !== undefined) streak.evaluationMode = mode
  if (metrics !== undefined) streak.metrics = metrics.map(({ key, threshold }) => ({ key, threshold: threshold ?? 0 }))
  return streak
}

function made(user: User | undefined): Map<string, number[]> {
  return user?.state.completions ?? new Map<string, number[]>()
}

/** A call that says nothing new about a known user is not recorded. */
function isEmpty(call: Call, user: User): boolean {
  if (call.call === 'preferences') return Object.keys({ ...call.streak, ...call.notifications }).length === 0
  if (call.call !== 'complete' && call.call !== 'identify' && call.call !== 'update') return false
  const { attributes, ...rest } = call.profile ?? {}
  const saysNothing = Object.keys({ ...rest, ...attributes }).length === 0
  return saysNothing && (call.call !== 'complete' || !isAskedFor(user.state, call))
}

function accepted<T>(result: T | null): T {
  if (result === null) throw new Error('what was accepted cannot be refused')
  return result
}

/** Refusals that depend on the call and the clock alone. */
function checkForm(call: Call): Status | null {
  if (call.call === 'event' && call.idempotencyKey !== undefined) {
    if (!/^[\x21-\x7e]{1,255}$/.test(call.idempotencyKey)) return 400
  }
  if (!isText(call.id) || call.id.length < 1 || call.id.length > 255 || call.id === '.' || call.id === '..') return 422
  if ('profile' in call && call.profile !== undefined && !isPatch(call.profile)) return 422
  if (call.call === 'event') {
    if (!Number.isFinite(call.value) || Math.abs(call.value) > LIMIT) return 422
    if (!areAttributes(call.attributes ?? {})) return 422
    const { occurredAt } = call
    if (occurredAt !== undefined && !(occurredAt >= 0 && occurredAt <= call.now + AHEAD)) return 422
  }
  if (call.call === 'preferences') {
    for (const [type, channels] of Object.entries(call.notifications ?? {})) {
      if (!TYPES.includes(type) || !channels.every((channel) => CHANNELS.includes(channel))) return 422
    }
    if (call.streak?.metrics?.length === 0) return 422
    for (const { threshold } of call.streak?.metrics ?? []) {
      if (threshold !== undefined && !(Number.isFinite(threshold) && threshold >= 0)) return 422
    }
  }
  return null
}

/** Refusals that depend on the game or the user, apart from those that only the run itself can tell. */
function checkRules(game: Game, call: Call, user: User | undefined): Status | null {
  const active = (metric: string) => {
    const found = game.metrics.get(metric)
    return found !== undefined && found.status !== 'archived'
  }
  // To switch it off or on is allowed in any game.
  if (call.call === 'preferences' && !game.customization) {
    if (call.streak?.evaluationMode !== undefined || call.streak?.metrics !== undefined) return 403
  }
  if ((call.call === 'preferences' || call.call === 'update') && user === undefined) return 404
  if (call.call === 'complete') {
    const achievement = game.achievements.get(call.achievement)
    if (achievement === undefined || achievement.status === 'inactive' || achievement.trigger !== 'api') return 404
    if (achievement.status === 'locked' && (user === undefined || countOf(user.state, call.achievement) === 0))
      return 422
  }
  if ('profile' in call && !Object.keys(call.profile?.attributes ?? {}).every((key) => game.userAttributes.has(key))) {
    return 422
  }
  if (call.call === 'event') {
    if (!active(call.metric)) return 422
    if (!Object.keys(call.attributes ?? {}).every((key) => game.eventAttributes.has(key))) return 422
  }
  if (call.call === 'preferences') {
    const keys = (call.streak?.metrics ?? []).map((metric) => metric.key)
    if (!keys.every(active) || new Set(keys).size < keys.length) return 422
  }
  return null
}

function isText(text: string): boolean {
  return !/\p{Surrogate}/u.test(text) && !text.includes('\0')
}

function areAttributes(attributes: { [key: string]: string }): boolean {
  return Object.entries(attributes).every(([key, value]) => isText(key) && isText(value) && value.length <= 1024)
}

function isPatch(patch: Patch): boolean {
  const texts = [patch.email, patch.name, ...(patch.deviceTokens ?? [])]
  if (!texts.every((text) => text === undefined || text === null || isText(text))) return false
  if (patch.tz !== undefined && patch.tz !== null && !isZone(patch.tz)) return false
  return areAttributes(patch.attributes ?? {})
}

function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, (c) => c.codePointAt(0) ?? 0)
  const right = Array.from(b, (c) => c.codePointAt(0) ?? 0)
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** If an achievement repeats (`a 1`, `a 2`, …), the answer has its newest hundred completions. */
function newestTold(achievements: readonly string[]): string[] {
  const countOf = (told: string): [string, number] => {
    const [key = '', count] = told.split(' ')
    return [key, Number(count ?? 1)]
  }
  const newest = new Map<string, number>()
  for (const [key, count] of achievements.map(countOf)) newest.set(key, Math.max(count, newest.get(key) ?? 0))
  return achievements.filter((told) => {
    const [key, count] = countOf(told)
    return count > (newest.get(key) ?? 0) - MOST_TOLD
  })
}
