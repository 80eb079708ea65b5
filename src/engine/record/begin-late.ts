import type { UserView } from '../../storage.ts'
import { isLate, liveInstant } from '../accept/accept-command.ts'
import { changedAwards } from '../accept/award-rows.ts'
import { chain } from '../accept/chain.ts'
import { awardKey } from '../accept/derived-rows.ts'
import { stateText } from '../accept/snapshot.ts'
import { CHANGED } from '../on-newest-game.ts'
import { findStart, startsTooLate } from '../replay/fold-start.ts'
import { type FollowedLog, followLog } from '../replay/follow-log.ts'
import { type LateCommands, type LateResult, toLateEntries } from '../replay/late-entries.ts'
import { limitedMetrics, startLimits } from '../replay/late-limits.ts'
import type { LogOpener } from '../replay/read-log.ts'
import { beginReplay } from '../replay/replay.ts'
import type { Command, Eventually } from '../types.ts'
import { decideOn, type LateSource, lostBy, verdictsOf } from './accept-late.ts'
import type { Decision } from './late-answers.ts'
import { beginLateMessages, silentMessages } from './late-messages.ts'
import type { LockedUser } from './locked-user.ts'
import { withEveryVoid } from './several-voids.ts'

/** Late commands with which a log was folded while others went on writing to it. */
export interface BegunLate {
  readonly log: Pick<FollowedLog, 'lines'>
  /**
   * Folds what was written since, too. `view` is the user as it is now. false: what was folded is not how the log
   * goes any more.
   */
  goOn(view: UserView, openLog: LogOpener): Eventually<boolean>
  /** Makes what needs no view, so that `end` takes less. */
  prepare(): Eventually<void>
  /**
   * As `goOn`, where nobody else changes the user meanwhile, and decides; not twice. CHANGED: as false. null: the
   * commands are to be folded once more, with what they led to.
   */
  end(locked: LockedUser): Eventually<Decision | typeof CHANGED | null>
}

/** Folds a log with late commands as far as it has been read. null: that cannot be done in parts. */
export function beginLate(source: LateSource, late: LateCommands): Eventually<BegunLate | null> {
  const { view, current, commands } = late
  const { state } = view
  const [first] = commands
  if (first === undefined || state === null || state.mergedInto !== null) return null
  const { tenant, user, receivedAt: now } = first
  const key = { tenant, user }
  const limited = limitedMetrics(late)
  return chain(findStart(source, late, limited.size > 0), (start) => {
    const each = withEveryVoid(late)
    const limits = startLimits(each, limited)
    const verdicts = verdictsOf(each.commands)
    const entries = toLateEntries(each, verdicts, limits.exceeded)
    const isSilent = first.isSilent === true
    const messages = isSilent ? null : beginLateMessages(key, current)
    const watch = (watched: 'old' | 'next') => (messages === null ? {} : { watch: () => messages[watched] })
    const old = beginReplay(current, [], { start, ...watch('old') })
    const next = beginReplay(current, entries.insertions, { verdicts, summed: limited, start, ...watch('next') })
    const log = followLog(start, (line) => old.step(line) && next.step(line))
    /** Of awards that change, as far as is known: each is a hash. */
    const ids = new Map<string, string>()
    let isEnded = false

    function goOn(newest: UserView, openLog: LogOpener): Eventually<boolean> {
      const { lines } = log
      if (isEnded || newest.state === null || newest.state.seq < lines || !isAsked(late, newest)) return false
      next.renumber(lines, newest.state.seq - lines)
      entries.renumber(newest.state.seq - lines)
      return log.goOn(newest.state.seq, openLog)
    }

    function prepare(): void {
      const { remove, put } = changedAwards(old.rows.awards.values(), next.rows.awards, ids)
      for (const award of [...remove, ...put]) ids.set(awardKey(award), award.id)
    }

    function end(locked: LockedUser): ReturnType<BegunLate['end']> {
      return chain(
        goOn(locked.view, () => locked.readLog),
        (isSame) => {
          isEnded = true
          return isSame ? decide(locked) : CHANGED
        },
      )
    }

    function decide({ view: newest, readLog }: LockedUser): ReturnType<BegunLate['end']> {
      const [before, fold] = [old.end(newest.state?.seq), next.end()]
      const known = before?.state ?? null
      if (before === null || known === null || newest.state === null || fold === null) return CHANGED
      if (stateText(known) !== stateText(newest.state)) return CHANGED
      if (fold.overflow !== null || limits.judge(fold) || lostBy(commands, newest, fold).length > 0) return null
      const { awards, periods, leaderboards } = before.rows
      const rows = { awards: [], periods: [...periods.values()], leaderboards: [...leaderboards.values()] }
      if (startsTooLate({ start, rows }, fold) !== null) return null
      const view = { ...newest, ...rows }
      const options = { key, readLog, view, current, now, start }
      const told = isSilent ? silentMessages(options) : (messages?.end(options, known) ?? null)
      const results = entries.results.map((result, index) => asOf(newest, result, each.commands[index]))
      const changes = changedAwards(awards.values(), fold.rows.awards, ids)
      return decideOn({ ...late, view }, { results, fold }, changes, told)
    }

    return chain(log.goOn(state.seq, source.openLog), (isKnown) => (isKnown ? { log, goOn, prepare, end } : null))
  })
}

/** Whether the commands ask the same of the user as when they were folded. */
function isAsked({ view, commands, current }: LateCommands, newest: UserView): boolean {
  return (
    newest.epoch === current.epoch &&
    newest.state?.mergedInto === null &&
    newest.found.length === view.found.length &&
    newest.found.every((found, index) => found === view.found[index]) &&
    commands.every((command) => isLate(command, newest.state) === isLate(command, view.state))
  )
}

/** What a command answers that was recorded before is dated by the user as it is now. */
function asOf({ state }: UserView, result: LateResult, command: Command | undefined): LateResult {
  if (command === undefined || !('outcome' in result) || result.outcome.type !== 'unchanged') return result
  return { outcome: { ...result.outcome, at: liveInstant(state, command.receivedAt) } }
}
