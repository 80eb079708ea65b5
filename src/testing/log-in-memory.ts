import { NO_BOOSTS } from '../game/stored-game.ts'
import { acceptCommand } from '../record/accept/accept-command.ts'
import { acceptLate } from '../record/accept-late.ts'
import { compareCursors, readFrom } from '../record/replay/read-log.ts'
import type { Change } from '../rules/change.ts'
import { newValueOf } from '../rules/distinct-values.ts'
import type { Entry, EntryBody } from '../rules/entry.ts'
import { foldLog, gameOf } from '../rules/fold.ts'
import type { Games } from '../rules/game.ts'
import { type Spends, spendIdOf, startSpends } from '../rules/spends.ts'
import type { UserState } from '../rules/state.ts'
import type { Command, CommandRefusal } from '../runtime/command.ts'
import type { CurrentGame } from '../runtime/context.ts'
import { usedKeyOf } from '../sql/entry-rows.ts'
import { runSteps, wait } from '../storage/steps.ts'

/** A user's log and its result, in memory. */
export interface History {
  /** In the order (at, seq). */
  readonly log: readonly Entry[]
  /** `null` if there is no user yet. */
  readonly state: UserState | null
}

export type Recording =
  /** `changes` lists the changes that the entry caused at its own place. */
  | { readonly history: History; readonly refusal: null; readonly changes: readonly Change[] }
  | { readonly history: null; readonly refusal: CommandRefusal }

const EPOCH = 1

export function recordInto(games: Games, history: History, command: Command): Recording {
  const { log, state } = history
  const first = { epoch: EPOCH, baselineEpoch: EPOCH, baselines: [], boosts: NO_BOOSTS, gamesFrom: [], noticesFrom: [] }
  const current: CurrentGame = { ...first, game: gameOf(games, EPOCH), games, messages: null }
  const found = find(history, command)
  const metricOf = (body: EntryBody): string | null => (body.kind === 'eventRecorded' ? body.metric : null)
  const isKnownValue = (value: string): boolean =>
    log.some((entry) => newValueOf(entry) === value && metricOf(entry) === metricOf(command.body))
  const { find: findSpend } = spendsOf(games, history, command)
  const decision = acceptCommand(command, state, { ...current, found, isKnownValue, findSpend })
  switch (decision.type) {
    case 'refused':
      return { history: null, refusal: decision.refusal }
    case 'unchanged':
      return { history, refusal: null, changes: [] }
    case 'accepted': {
      const { entry, decided } = decision
      return { history: { log: [...log, entry], state: decided.state }, refusal: null, changes: decided.changes }
    }
    case 'late':
      return recordLateEvent(current, history, command)
    default:
      return decision satisfies never
  }
}

/** The spends of the log, if the command is about one. */
function spendsOf(games: Games, { log }: History, { body, user }: Command): Spends {
  const spends = startSpends()
  if (spendIdOf(body) !== null) foldLog(games, log, (_, { changes }) => spends.see(changes), user)
  return spends
}

function find({ log }: History, { body }: Command): string | null {
  const asked = usedKeyOf(body)
  const isAsked = (entry: Entry): boolean => {
    const used = usedKeyOf(entry)
    return used?.metric === asked?.metric && used?.idempotencyKey === asked?.idempotencyKey
  }
  return asked === null ? null : (log.find(isAsked)?.id ?? null)
}

/** Judges a late event at its own place, with the log in memory. */
function recordLateEvent(current: CurrentGame, history: History, command: Command): Recording {
  const { log, state } = history
  const rows = { awards: [], movements: [], periods: [], challenges: [], redemptions: [], leaderboards: [] }
  const storedUser = { ...rows, state, version: 0, epoch: EPOCH, found: [], notices: null }
  let kept = 0
  const newId = (): string => {
    kept += 1
    return `kept ${kept} by ${command.entryId}`
  }
  const source = {
    readLog: readFrom(log),
    readSnapshot: () => null,
    eventAt: null,
    *readRows() {
      return yield* wait(rows)
    },
    newId,
  }
  const decided = runSteps(acceptLate(source, { storedUser, current, commands: [command] }))
  if (decided === null || decided instanceof Promise) throw new RangeError('A log in memory is read at once')
  const [outcome] = decided.outcomes
  if (outcome?.type === 'refused') return { history: null, refusal: outcome.refusal }
  if (decided.save === null) return { history, refusal: null, changes: [] }
  const { after, appended, updatedEntries } = decided.save
  const updated = new Map(updatedEntries.map((entry) => [entry.id, entry]))
  // An updated entry comes without its profile.
  const lines = log.map(({ profile, ...line }) => ({ ...line, ...updated.get(line.id), profile }) as Entry)
  const merged = [...lines, ...appended].sort(compareCursors)
  let changes: readonly Change[] = []
  foldLog(
    current.games,
    merged,
    (entry, decided) => {
      if (entry.id === command.entryId) changes = decided.changes
    },
    command.user,
  )
  return { history: { log: merged, state: after }, refusal: null, changes }
}
