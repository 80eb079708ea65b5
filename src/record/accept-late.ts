import type { Instant } from '../rules/calendar.ts'
import { type Refusal, refuseTotal } from '../rules/refuse.ts'
import type { Command, CommandOutcome } from '../runtime/command.ts'
import { isReplaced } from '../runtime/game-registry.ts'
import { type Steps, wait } from '../storage/steps.ts'
import type { StoredUser, UserSave } from '../storage/storage.ts'
import { isLate } from './accept/accept-command.ts'
import { type AwardChanges, changedAwards, type OpenSnapshot, type StoredRows } from './accept/derived-rows.ts'
import { type Decision, toLateOutcomes } from './late-answers.ts'
import { type LateMessages, type LateMessagesOptions, silentMessages, startLateMessages } from './late-messages.ts'
import {
  keepCompletion,
  keepQuestEntry,
  lostAchievements,
  lostQuests,
  replayKeeping,
} from './replay/keep-completions.ts'
import {
  insertAgain,
  judgeLimits,
  type LateCommands,
  type LateLimits,
  type LateResult,
  limitedMetrics,
  toLateEntries,
} from './replay/late-entries.ts'
import type { ReadChunk } from './replay/read-log.ts'
import { type Corrections, type Replay, type ReplayOptions, replay } from './replay/replay.ts'
import { toReplaySave } from './replay/replay-save.ts'
import { BEFORE_ALL, findReplayStart, type ReplaySource, startsTooLate } from './replay/replay-start.ts'

/** With one more command for each further void, so that each void has an entry of its own in one replay. */
function withEveryVoid(late: LateCommands): LateCommands {
  if (late.commands.every(({ voids }) => voids === undefined)) return late
  const commands: Command[] = []
  const found: (string | null)[] = []
  for (const [index, command] of late.commands.entries()) {
    commands.push(command)
    found.push(late.storedUser.found[index] ?? null)
    const { body, voids = [] } = command
    if (body.kind !== 'eventVoided') continue
    for (const { entryId, event } of voids) {
      commands.push({ ...command, entryId, body: { ...body, event } })
      found.push(null)
    }
  }
  return { ...late, commands, storedUser: { ...late.storedUser, found } }
}

/** The outcomes of the commands as they came. Several voids of one event have the outcome of the first recorded one. */
function ofCommands(late: LateCommands, outcomes: readonly CommandOutcome[]): readonly CommandOutcome[] {
  let start = 0
  return late.commands.map(({ voids }) => {
    const own = outcomes.slice(start, start + 1 + (voids?.length ?? 0))
    start += own.length
    const recorded = own.filter((outcome) => outcome.type === 'recorded')
    const first = recorded[0] ?? own[0]
    if (first === undefined) throw new RangeError('Every command has an outcome')
    return voids === undefined || first.type !== 'recorded' ? first : { ...first, voided: recorded.length }
  })
}

export function toRows({ awards, movements, periods, challenges, redemptions, leaderboards }: StoredUser): StoredRows {
  return { awards, movements, periods, challenges, redemptions, leaderboards }
}

/** So many times a replay may have to start earlier. The last one starts at the first line. */
const MOST_STARTS = 8

/**
 * The one decision on late commands. The stored user needs none of the rows that grow with the log. `isRefused`: a total left its
 * bounds, so none is stored. `until`: as for `findReplayStart`. Returns null if an entry has an unknown game, or the log changed.
 */
export function* acceptLate(
  source: ReplaySource & Pick<ReplayInput, 'newId'>,
  known: LateCommands,
): Steps<(Decision & { readonly isRefused: boolean }) | null> {
  const into = known.storedUser.state?.mergedInto ?? null
  if (into !== null) {
    return { outcomes: known.commands.map(() => ({ type: 'merged', into })), save: null, isRefused: false }
  }
  const limited = limitedMetrics(known)
  let until: Instant | null = null
  for (let starts = 1; starts <= MOST_STARTS; starts += 1) {
    const replayStart = yield* findReplayStart(source, known, limited.size > 0, until)
    const late = { ...known, storedUser: { ...known.storedUser, ...replayStart.rows } }
    const each = withEveryVoid(late)
    const from = { readLog: replayStart.readLog, newId: source.newId, start: replayStart.start }
    const messages = yield* startMessages(from, late)
    const result = yield* replayWith(from, each, messages, { metrics: limited, exceeded: new Map() })
    if (result === null) return null
    const { results, replayed, refusal } = result
    const earlier = startsTooLate(replayStart, replayed)
    if (earlier !== null) {
      until = starts + 1 < MOST_STARTS ? earlier : BEFORE_ALL
      continue
    }
    if (refusal !== null) {
      return { outcomes: late.commands.map(() => ({ type: 'refused', refusal })), save: null, isRefused: true }
    }
    const awards = changedAwards(late.storedUser.awards, replayed.rows.awards)
    const outcomes = ofCommands(late, toLateOutcomes(each, results, replayed, awards))
    return { outcomes, save: yield* toSave(late, replayed, awards, messages), isRefused: false }
  }
  throw new RangeError('A replay from the first line does not start too late')
}

interface ReplayInput {
  readonly readLog: ReadChunk
  readonly newId: (now: Instant) => string
  readonly start: OpenSnapshot | null
}

function* startMessages(
  { readLog, start }: ReplayInput,
  { storedUser, current, commands }: LateCommands,
): Steps<LateMessages | null> {
  const [first] = commands
  if (first === undefined) return null
  const { tenant, user, receivedAt: now } = first
  const options = { key: { tenant, user }, readLog, storedUser, current, now, start }
  return first.isSilent === true ? silentMessages(options) : yield* startLateMessages(options)
}

interface ReplayedWith {
  readonly results: readonly LateResult[]
  readonly replayed: Replay
  readonly refusal: Refusal | null
}

/**
 * Replays with the commands, and again while limits refuse or hold more of them, then while a completion would get lost,
 * with an entry that keeps it. Returns null if an entry has an unknown game, or if the log has changed.
 */
function* replayWith(
  source: ReplayInput,
  late: LateCommands,
  messages: LateMessages | null,
  limits: LateLimits,
): Steps<ReplayedWith | null> {
  const { readLog, start } = source
  const { storedUser, current, commands } = late
  const watched = { user: commands[0]?.user ?? '', lines: storedUser.state?.seq ?? 0, start, watch: messages?.watch }
  // Each round but the last finds one more command that exceeds a limit.
  const mostRounds = commands.length + 1
  for (let rounds = 0; rounds < mostRounds; rounds += 1) {
    const corrections = correctionsOf(commands)
    const { insertions, results } = toLateEntries(late, corrections, limits)
    const replayed = yield* replay(readLog, current, insertions, { corrections, summed: limits.metrics, ...watched })
    if (replayed === null) return null
    // An event whose total leaves its bounds is refused, not held back: as at the end of a log.
    if (replayed.overflow === null && judgeLimits(late, limits, replayed)) continue
    const whole = yield* keepLost(source, late, replayed, { corrections, ...watched })
    return (
      whole && {
        results,
        replayed: whole,
        refusal: whole.overflow && refuseTotal(whole.overflow.metric, whole.overflow.total),
      }
    )
  }
  throw new RangeError('More limits were exceeded than there are commands')
}

/** Replays again while a completion would get lost, with an entry that keeps it. */
function keepLost(
  { readLog, newId }: ReplayInput,
  { storedUser, current, commands }: LateCommands,
  first: Replay,
  options: ReplayOptions,
): Steps<Replay | null> {
  const recordedAt = commands[0]?.receivedAt ?? 0
  const isLast = new Set(commands.filter((command) => !isLate(command, storedUser.state)).map(({ entryId }) => entryId))
  const accepted = first.inserted.map(({ entry }) => entry)
  const inOrder = accepted.filter(({ id }) => !isLast.has(id))
  const last = accepted.filter(({ id }) => isLast.has(id))
  return replayKeeping({
    most: (storedUser.state?.completions.size ?? 0) + storedUser.challenges.length,
    replay(kept) {
      if (kept.length === 0) return wait(first)
      // At equal instants the order of arrival has to match the replay: kept completions come before the last entries.
      const inserted = [...inOrder, ...kept, ...last].map((entry, index) =>
        insertAgain(current, { ...entry, seq: (storedUser.state?.seq ?? 0) + 1 + index }, isLast.has(entry.id)),
      )
      return replay(readLog, current, inserted, options)
    },
    toKeep: (replayed) => {
      const made = () => ({ id: newId(recordedAt), seq: 0, recordedAt })
      return [
        ...lostBy(commands, storedUser, replayed).map(([achievement, completion]) =>
          keepCompletion(achievement, completion, made()),
        ),
        ...(revokes(commands) ? [] : lostQuests(storedUser.challenges, replayed)).map((mark) =>
          keepQuestEntry(mark, made()),
        ),
      ]
    },
  })
}

function revokes(commands: readonly Command[]): boolean {
  return commands.some(({ body }) => body.kind === 'eventVoided' && body.revokes)
}

/** The completions to keep although a replay with the commands, which did not revoke them, does not find them. */
function lostBy(
  commands: readonly Command[],
  { state }: StoredUser,
  replayed: Replay,
): ReturnType<typeof lostAchievements> {
  if (revokes(commands)) return []
  const revoked = new Set(
    replayed.inserted.flatMap(({ entry }) => (entry.kind === 'achievementRevoked' ? [entry.achievement] : [])),
  )
  return lostAchievements(state, replayed).filter(([achievement]) => !revoked.has(achievement))
}

function correctionsOf(commands: readonly Command[]): Corrections {
  const corrections: Corrections = new Map()
  for (const { body, entryId } of commands) {
    if (body.kind !== 'eventVoided' && body.kind !== 'eventApproved') continue
    const voidedBy = body.kind === 'eventVoided' ? entryId : null
    corrections.set(body.event, { voidedBy, entry: null, approvedBy: null })
  }
  return corrections
}

/**
 * Updates a user to the game that replaced the earlier ones. The stored user has all rows. Returns `null` if a game is not
 * known.
 */
export function* toReplacement(options: LateMessagesOptions): Steps<UserSave | null> {
  const { readLog, current, storedUser } = options
  const messages = yield* startLateMessages(options)
  const replayed = yield* replay(readLog, current, [], {
    user: storedUser.state?.user ?? '',
    lines: storedUser.state?.seq,
    watch: messages?.watch,
  })
  if (replayed === null) return null
  return yield* toSave(
    { storedUser, current },
    replayed,
    changedAwards(storedUser.awards, replayed.rows.awards),
    messages,
  )
}

function* toSave(
  { storedUser, current }: Pick<LateCommands, 'storedUser' | 'current'>,
  replayed: Replay,
  awards: AwardChanges,
  messages: LateMessages | null,
): Steps<UserSave | null> {
  if (replayed.state === null || (replayed.inserted.length === 0 && !isReplaced(storedUser.state, current))) return null
  const save = toReplaySave(current, storedUser, replayed, awards)
  return messages === null ? save : yield* messages.toSave(save, replayed)
}
