import type { ChallengeState, ChallengeWindow, QuestState } from '../rules/state.ts'

/*
 * The challenges of a user as a text. Lists without names take a third of the room of `stateText`: each event that moves
 * a quest writes the text again.
 */

type QuestText = readonly [
  quest: string,
  startedAt: number,
  counts: readonly (readonly [criterion: string, total: number, highest?: number])[],
  met: readonly string[],
  sums: readonly (readonly [criterion: string, dates: readonly (readonly [date: number, sum: number])[]])[],
  completed?: readonly [at: number | null, entryId: string | null, claimUntil: number | null, claimedAt: number | null],
]
type WindowText = readonly [
  start: number,
  end: number | null,
  epoch: number,
  picked: readonly string[],
  rerolls: number,
  quests: readonly QuestText[],
]
type ChallengeText = readonly [challenge: string, enrolledAt: number | null, windows: readonly WindowText[]]

/** Equal for equal states, however their maps are ordered. Returns `null` if there are none. */
export function toChallengesText(challenges: ReadonlyMap<string, ChallengeState>): string | null {
  if (challenges.size === 0) return null
  const all = inOrder(challenges).map(([challenge, { enrolledAt, windows }]): ChallengeText => {
    return [challenge, enrolledAt, windows.map(toWindowText)]
  })
  return JSON.stringify(all)
}

/** Throws if the text is none of `toChallengesText`. */
export function fromChallengesText(text: string | null): ReadonlyMap<string, ChallengeState> {
  const all: readonly ChallengeText[] = text === null ? [] : JSON.parse(text)
  return new Map(
    all.map(([challenge, enrolledAt, windows]) => [challenge, { enrolledAt, windows: windows.map(fromWindowText) }]),
  )
}

/** A map's entries in the order of its keys. */
function inOrder<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  const entries = [...map]
  return map.size < 2 ? entries : entries.sort(([left], [right]) => (left < right ? -1 : 1))
}

function toWindowText({ start, end, epoch, picked, rerolls, quests }: ChallengeWindow): WindowText {
  return [start, end, epoch, picked, rerolls, quests.map(toQuestText)]
}

function fromWindowText([start, end, epoch, picked, rerolls, quests]: WindowText): ChallengeWindow {
  return { start, end, epoch, picked, rerolls, quests: quests.map(fromQuestText) }
}

function toQuestText(state: QuestState): QuestText {
  const { quest, startedAt, counts, met, sums, completedAt, entryId, claimUntil, claimedAt } = state
  const open = [
    quest,
    startedAt,
    inOrder(counts).map(([id, { total, highest }]) =>
      total === highest ? ([id, total] as const) : ([id, total, highest] as const),
    ),
    met,
    inOrder(sums).map(([id, dates]) => [id, dates.map(({ date, sum }) => [date, sum] as const)] as const),
  ] as const
  return completedAt === null ? open : [...open, [completedAt, entryId, claimUntil, claimedAt]]
}

const OPEN = [null, null, null, null] as const

function fromQuestText([quest, startedAt, counts, met, sums, completed = OPEN]: QuestText): QuestState {
  const [completedAt, entryId, claimUntil, claimedAt] = completed
  return {
    ...{ quest, startedAt, met, completedAt, entryId, claimUntil, claimedAt },
    counts: new Map(counts.map(([id, total, highest = total]) => [id, { total, highest }])),
    sums: new Map(sums.map(([id, dates]) => [id, dates.map(([date, sum]) => ({ date, sum }))])),
  }
}
