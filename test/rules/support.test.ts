import { expect, test } from 'vitest'
import type { Change } from '../../src/rules/change.ts'
import type { Entry, EntryBody } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import type { Game } from '../../src/rules/game.ts'
import { progressOf } from '../../src/rules/progress.ts'
import { refuse } from '../../src/rules/refuse.ts'
import type { UserState } from '../../src/rules/state.ts'
import { rules, toEntry } from '../support/given.ts'

// Corrections by support: adjusted points, granted and revoked achievements.

const GAME = rules({
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 100 },
    hundreds: { name: 'Hundreds', trigger: 'metric', metric: 'words', value: 100, repeat: { max: 4 } },
    closed: { name: 'Closed', trigger: 'api', status: 'locked' },
    hidden: { name: 'Hidden', trigger: 'api', status: 'inactive' },
    tour: { name: 'Tour', trigger: 'api' },
    pro: { name: 'Pro', trigger: 'api', userAttributes: { plan: 'pro' } },
    all: { name: 'All', trigger: 'achievement', achievements: ['novelist', 'tour'] },
  },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 200,
      cap: { points: 120, per: 'day' },
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 1 },
        { type: 'achievement', achievement: 'closed', points: 7 },
      ],
      levels: { bronze: { name: 'Bronze', points: 100 }, silver: { name: 'Silver', points: 150 } },
      boosts: { double: { name: 'Double', start: '2026-01-01', multiplier: 2 } },
    },
  },
})

const words = (value: number): EntryBody => ({
  kind: 'eventRecorded',
  metric: 'words',
  value,
  attributes: new Map(),
  idempotencyKey: null,
})
const adjust = (amount: number): EntryBody => ({ kind: 'pointsAdjusted', system: 'xp', amount, reason: 'Goodwill' })
const grant = (achievement: string): EntryBody => ({ kind: 'achievementGranted', achievement, reason: 'Lost words' })
const revoke = (achievement: string): EntryBody => ({ kind: 'achievementRevoked', achievement, reason: 'Generated' })
const claim = (achievement: string): EntryBody => ({ kind: 'achievementClaimed', achievement })
const keep = (achievement: string): EntryBody => ({ kind: 'completionKept', achievement })

/** Each body at noon of another day of March 2026, from the first on. */
function entriesOf(bodies: readonly EntryBody[]): readonly Entry[] {
  return bodies.map((body, index) => {
    const { kind: _, ...place } = toEntry(
      { at: `2026-03-${String(index + 1).padStart(2, '0')}T12:00:00.000Z`, isProfileOnly: true },
      index,
    )
    return { ...place, ...body } as Entry
  })
}

function after(bodies: readonly EntryBody[], game: Game = GAME): UserState & { readonly last: readonly Change[] } {
  let last: readonly Change[] = []
  const state = foldLog(new Map([[1, game]]), entriesOf(bodies), (_, { changes }) => {
    last = changes
  })
  if (state === null) throw new RangeError('Nothing happened')
  return { ...state, last }
}

const refusalOf = (before: readonly EntryBody[], body: EntryBody): string | null => {
  const entry = entriesOf([...before, body]).at(-1)
  return entry === undefined ? null : (refuse(GAME, after(before), entry)?.code ?? null)
}

test('An adjustment gives exactly its points, whatever boosts and caps there are, and the level follows', () => {
  const { points, last } = after([words(30), adjust(125)])
  expect(points.get('xp')).toEqual({ total: 185, level: 'silver' })
  const awarded = last.filter(({ type }) => type === 'pointsAwarded')
  expect(awarded).toMatchObject([{ system: 'xp', due: 125, awarded: 125, total: 185 }])
  expect(last.some(({ type }) => type === 'capUsed')).toBe(false)
})

test('An adjustment takes no more than there is, and gives no more than maxPoints', () => {
  expect(after([words(30), adjust(-100)]).points.get('xp')).toEqual({ total: 0, level: null })
  expect(after([words(30), adjust(500)]).points.get('xp')).toEqual({ total: 200, level: 'silver' })
})

test('A cap that is used up leaves an adjustment alone, and the adjustment leaves the cap as it was', () => {
  const { caps } = after([words(60), adjust(50)])
  expect([...caps.values()].flat().map(({ sum }) => sum)).toEqual([120])
})

test('An adjustment of a system that the game lacks now does nothing', () => {
  expect(after([words(30), adjust(125)], rules({})).points.size).toBe(0)
})

test('Support grants what is locked, and what the user has not the attributes for, with what it pays', () => {
  const { completions, points } = after([words(1), grant('closed'), grant('pro')])
  expect([...completions.keys()]).toEqual(['closed', 'pro'])
  expect(completions.get('closed')).toMatchObject({ entryId: 'entry-2', count: 1 })
  expect(points.get('xp')?.total).toBe(16)
})

test('An adjustment may meet a criterion, and what was revoked stays gone though its criteria are met', () => {
  const game = rules({
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
    achievements: { rich: { name: 'Rich', trigger: 'criteria', of: [{ points: 'xp', total: 100 }] } },
  })
  const { completions } = after([words(30), adjust(70), adjust(-100)], game)
  expect(completions.get('rich')).toMatchObject({ entryId: 'entry-2' })
  expect(after([words(30), adjust(70), revoke('rich'), adjust(1)], game).completions.size).toBe(0)
})

test('A grant may complete a composite', () => {
  expect([...after([claim('tour'), grant('novelist')]).completions.keys()]).toEqual(['tour', 'novelist', 'all'])
})

test('A grant completes an achievement that repeats once more, up to its most, and any other once', () => {
  const { completions } = after([words(250), grant('hundreds'), grant('novelist')])
  expect([completions.get('hundreds')?.count, completions.get('novelist')?.count]).toEqual([3, 1])
  expect(after([words(900), grant('hundreds')]).completions.get('hundreds')?.count).toBe(4)
})

test('A revocation takes all completions, and keeps points and composites', () => {
  const before = after([claim('tour'), words(250)])
  const { completions, points } = after([claim('tour'), words(250), revoke('hundreds'), revoke('tour')])
  expect([...completions.keys()]).toEqual(['novelist', 'all'])
  expect(points).toEqual(before.points)
})

test('What was revoked is completed again by grants only, each once', () => {
  const revoked = [words(100), revoke('novelist'), revoke('hundreds'), words(300), claim('tour')]
  expect([...after(revoked).completions.keys()]).toEqual(['tour'])
  const { completions } = after([...revoked, grant('novelist'), grant('hundreds'), words(100)])
  expect([completions.get('novelist')?.count, completions.get('hundreds')?.count]).toEqual([1, 1])
  expect(after([claim('tour'), revoke('tour'), claim('tour')]).completions.size).toBe(0)
})

test('A completion that a replay keeps stays beside a revocation before it', () => {
  expect(after([words(100), revoke('novelist'), keep('novelist')]).completions.has('novelist')).toBe(true)
})

test('There is no progress towards what was revoked', () => {
  const [novelist, state] = [GAME.achievements.get('novelist'), after([words(100), revoke('novelist')])]
  expect(novelist === undefined ? undefined : progressOf(novelist, state, state.at)).toBe(null)
})

test.each([
  ['a grant of an unknown achievement', [words(1)], grant('nobody'), 'unknown_achievement'],
  ['a grant of an inactive one', [words(1)], grant('hidden'), 'unknown_achievement'],
  ['a grant of a locked one', [words(1)], grant('closed'), null],
  ['a revocation of what the user lacks', [words(1)], revoke('novelist'), 'achievement_not_completed'],
  ['a revocation of an unknown achievement', [words(1)], revoke('nobody'), 'unknown_achievement'],
  ['a second revocation', [words(100), revoke('novelist')], revoke('novelist'), 'achievement_not_completed'],
  ['a claim of what was revoked', [claim('tour'), revoke('tour')], claim('tour'), 'achievement_revoked'],
  ['an adjustment of an unknown system', [words(1)], { ...adjust(5), system: 'gold' }, 'unknown_points_system'],
  ['an adjustment that would take more than there is', [words(1)], adjust(-500), null],
] as const)('%s', (_, before, body, code) => {
  expect(refusalOf(before, body as EntryBody)).toBe(code)
})
