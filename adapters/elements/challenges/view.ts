/// <reference lib="dom" preserve="true" />
import type { UserChallenge, UserQuest, WaitingQuest } from '../../../src/shapes/challenges.ts'
import { type Formats, isolated } from '../parts/formats.ts'
import { gifts } from '../parts/gifts.ts'
import { bar, h, hidden, icon, nameText, picture } from '../parts/markup.ts'
import type { ChallengesLabels } from './labels.ts'

/** The act of a button. `quest` is empty for a challenge without a pool, and for `enrol`. */
export interface ChallengeAct {
  readonly act: 'enrol' | 'claim' | 'reroll'
  readonly challenge: string
  readonly quest: string
}

export interface ChallengesView {
  readonly texts: ChallengesLabels
  readonly formats: Formats
  /** `null` if there are no buttons. */
  readonly act: ((act: ChallengeAct) => void) | null
  /** True while an act is under way. */
  readonly isBusy: boolean
  readonly now: number
}

const CHECK = 'M9.6 17.6 4.4 12.400l1.900-1.900 3.300 3.300 8.100-8.200 1.900 1.900z'
const CLOCK =
  'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm0 2a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm1 2.500v4.100l2.900 2.900-1.400 1.400L11 12.400V7.500z'
const SWAP =
  'M7 4v3h9a4 4 0 0 1 4 4v1h-2v-1a2 2 0 0 0-2-2H7v3L3 8zm10 16v-3H8a4 4 0 0 1-4-4v-1h2v1a2 2 0 0 0 2 2h9v-3l4 4z'

/** False if a challenge has not begun, or is over, and the user has nothing to do in it. */
export function isShown({ window, canEnrol, waiting }: UserChallenge): boolean {
  return window !== null || canEnrol || waiting.length > 0
}

/** One challenge with its quests. */
export function challengeCard(challenge: UserChallenge, view: ChallengesView): HTMLElement {
  const { texts, formats } = view
  const { key, name, description, window, canEnrol, quests, waiting, replaceable, rerollsLeft } = challenge
  const id = `name-${key}`
  const title = h('p', { class: 'title', part: 'title', id }, nameText(name))
  const swaps = replaceable.length === 0 ? null : formats.label(texts.rerollsLeft, { count: rerollsLeft })
  const rows = window === null ? [] : quests.map((quest) => questRow(challenge, quest, null, view))
  const waitingRows = waiting.map((quest) => questRow(challenge, quest, quest.window, view))
  const join = canEnrol ? button('enrol', { act: 'enrol', challenge: key, quest: '' }, name, view) : null
  return h(
    'div',
    { class: 'challenge', part: `challenge ${stateOf(challenge)}`, role: 'group', 'aria-labelledby': id },
    h('div', { class: 'head' }, title, timeLeft(challenge, view)),
    description === null ? null : h('p', { class: 'muted', part: 'description' }, description),
    join === null ? null : h('div', { class: 'join' }, join),
    rows.length === 0 ? null : h('ul', { role: 'list', part: 'quests' }, ...rows),
    swaps === null || view.act === null ? null : h('p', { class: 'muted swaps', part: 'rerolls' }, swaps),
    waitingRows.length === 0 ? null : h('p', { class: 'earlier', id: `earlier-${key}` }, formats.label(texts.waiting)),
    waitingRows.length === 0
      ? null
      : h('ul', { role: 'list', part: 'waiting', 'aria-labelledby': `earlier-${key}` }, ...waitingRows),
  )
}

function stateOf({ window, completedAt }: UserChallenge): 'open' | 'completed' | 'closed' {
  if (completedAt !== null) return 'completed'
  return window === null ? 'closed' : 'open'
}

function timeLeft({ endsAt, completedAt, window, every }: UserChallenge, view: ChallengesView): HTMLElement | null {
  const { texts, formats, now } = view
  if (completedAt !== null && every === null) {
    return h('p', { class: 'left muted', part: 'left' }, formats.label(texts.completed))
  }
  if (window === null || endsAt === null) return null
  const left = Date.parse(endsAt) - now
  const time = left > 0 ? formats.duration(left) : ''
  const text = left <= 0 ? texts.over : completedAt === null ? texts.left : texts.next
  return h('p', { class: 'left muted', part: 'left' }, icon(CLOCK), formats.label(text, { time }))
}

/** A quest of the current window, or with `window` one of an earlier window whose reward waits. */
function questRow(
  { key: challenge, name: challengeName, replaceable }: UserChallenge,
  quest: UserQuest,
  window: WaitingQuest['window'] | null,
  view: ChallengesView,
): HTMLElement {
  const { texts, formats } = view
  const { key, name, description, badgeUrl, completedAt, claimUntil } = quest
  const isWaiting = claimUntil !== null
  const state = isWaiting ? 'claimable' : completedAt === null ? 'missing' : 'completed'
  // Without a pool the quest has the name of its challenge, which is above it.
  const isNamed = key !== '' || window !== null
  const day = window === null ? null : (window.end ?? window.start)
  const text = h(
    'div',
    { class: 'text' },
    isNamed ? h('p', { class: 'name', part: 'name' }, nameText(name)) : null,
    isNamed && description !== null ? h('p', { class: 'muted', part: 'about' }, description) : null,
    day === null ? null : h('p', { class: 'muted', part: 'window' }, formats.day(day)),
    progress(quest, view),
    gifts(quest.reward, view),
    isWaiting && claimUntil !== null
      ? h('p', { class: 'muted until', part: 'until' }, formats.label(texts.claimBy, { date: formats.day(claimUntil) }))
      : null,
  )
  const called = isNamed ? name : challengeName
  const claim = isWaiting ? button('claim', { act: 'claim', challenge, quest: key }, called, view) : null
  const canSwap = window === null && replaceable.includes(key)
  const swap = canSwap ? button('reroll', { act: 'reroll', challenge, quest: key }, called, view) : null
  return h(
    'li',
    { class: `quest ${state}${isNamed ? '' : ' unnamed'}`, part: `quest ${state}` },
    mark(badgeUrl, name, state, view),
    text,
    claim,
    swap,
  )
}

function mark(badgeUrl: string | null, name: string, state: string, { texts, formats }: ChallengesView): HTMLElement {
  const done = state === 'missing' ? null : icon(CHECK)
  const said = hidden(formats.label(state === 'missing' ? texts.open : texts.completed))
  const shown = badgeUrl === null ? null : picture(badgeUrl, name, false)
  if (shown === null) return h('span', { class: 'mark', part: 'mark' }, done, said)
  return h(
    'span',
    { class: 'mark pictured', part: 'mark' },
    shown,
    done === null ? null : h('span', { class: 'tick' }, done),
    said,
  )
}

function progress({ progress, name }: UserQuest, { texts, formats }: ChallengesView): HTMLElement | null {
  if (progress === undefined) return null
  const { current, target, ratio, criteria = [] } = progress
  const [only] = criteria
  const isOne = criteria.length === 1 && only !== undefined
  const of = isOne ? { count: only.current ?? 0, max: only.target } : { count: current ?? 0, max: target }
  const text = formats.label(isOne ? texts.progress : texts.steps, of)
  const line = bar({ value: ratio, max: 1, name: formats.label(texts.progressName, { name: isolated(name) }), text })
  return h('div', { class: 'progress' }, line, h('span', { class: 'muted', 'aria-hidden': 'true' }, text))
}

function button(
  kind: ChallengeAct['act'],
  chosen: ChallengeAct,
  name: string,
  { texts, formats, act, isBusy }: ChallengesView,
): HTMLElement | null {
  if (act === null) return null
  const made = h(
    'button',
    {
      type: 'button',
      class: kind === 'reroll' ? 'swap' : 'main',
      part: `button ${kind}`,
      'aria-disabled': isBusy ? 'true' : null,
      'aria-label': formats.label(texts.buttonName, { button: formats.label(texts[kind]), name: isolated(name) }),
      'data-focus': `${kind} ${chosen.challenge} ${chosen.quest}`,
    },
    kind === 'reroll' ? icon(SWAP) : null,
    formats.label(texts[kind]),
  )
  made.addEventListener('click', () => act(chosen))
  return made
}
