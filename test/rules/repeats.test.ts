import { describe, expect, test } from 'vitest'
import type { Decided } from '../../src/rules/decide.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { given, rules, toEntry } from '../support/given.ts'

const DAY = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`

const LAPPED = rules({
  achievements: {
    thousand: { name: 'A thousand', trigger: 'metric', metric: 'words', value: 1_000, repeat: true },
    thrice: { name: 'Thrice', trigger: 'metric', metric: 'words', value: 1_000, repeat: { max: 3 } },
    fine: { name: 'Fine', trigger: 'metric', metric: 'laps', value: 0.1, repeat: true },
    all: { name: 'All', trigger: 'achievement', achievements: ['thousand'] },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'thousand', points: 7 }] } },
})

describe('An achievement of a metric that repeats', () => {
  test('is completed at every multiple of its value, several at once', () => {
    const { states, changes } = given(LAPPED, [
      { at: DAY(1), value: 999 },
      { at: DAY(2), value: 1 },
      { at: DAY(3), value: 2_500 },
      { at: DAY(4), value: 499 },
      { at: DAY(5), value: 1 },
    ])
    expect(states.map(({ completions }) => completions.get('thousand')?.count ?? 0)).toEqual([0, 1, 3, 3, 4])
    expect(states.at(-1)?.completions.get('thousand')).toEqual({ at: Date.parse(DAY(5)), entryId: 'entry-5', count: 4 })
    const paid = changes.map((step) =>
      step.flatMap((change) => (change.type === 'pointsAwarded' ? [change.awarded] : [])),
    )
    expect(paid).toEqual([[], [7], [14], [], [7]])
  })

  test('counts what was highest: what is spent and earned again does not count twice', () => {
    const { states } = given(LAPPED, [
      { at: DAY(1), value: 2_100 },
      { at: DAY(2), value: -1_500 },
      { at: DAY(3), value: 1_500 },
      { at: DAY(4), value: 900 },
    ])
    expect(states.map(({ completions }) => completions.get('thousand')?.count)).toEqual([2, 2, 2, 3])
  })

  test('counts it though the user may have it only later', () => {
    const game = rules({
      achievements: {
        pro: {
          name: 'Pro',
          trigger: 'metric',
          metric: 'words',
          value: 10,
          repeat: true,
          userAttributes: { plan: 'pro' },
        },
      },
    })
    const { states } = given(game, [
      { at: DAY(1), value: 35 },
      { at: DAY(2), value: -30 },
      { at: DAY(3), value: 1, profile: { attributes: new Map([['plan', 'pro']]) } },
    ])
    expect(states.map(({ completions }) => completions.get('pro')?.count ?? 0)).toEqual([0, 0, 3])
  })

  test('is completed at most so often', () => {
    const { state } = given(LAPPED, [
      { at: DAY(1), value: 2_000 },
      { at: DAY(2), value: 9_000 },
    ])
    expect(state.completions.get('thrice')?.count).toBe(3)
    expect(state.completions.get('thousand')?.count).toBe(11)
  })

  test('takes numbers as the decimals they print as', () => {
    const { state } = given(LAPPED, [{ at: DAY(1), metric: 'laps', value: 0.3 }])
    expect(state.completions.get('fine')?.count).toBe(3)
  })

  test('completes a composite once, and a jump of any size is one change', () => {
    const { state, changes } = given(LAPPED, [
      { at: DAY(1), value: 1e15 },
      { at: DAY(2), value: 0 },
    ])
    expect(state.completions.get('all')?.count).toBe(1)
    expect(state.completions.get('thousand')?.count).toBe(1e12)
    expect(changes[0]?.filter(({ type }) => type === 'achievementCompleted')).toHaveLength(3)
  })
})

const STREAKED = rules({
  streak: { frequency: 'daily', metrics: { words: {} } },
  achievements: { three: { name: 'Three', trigger: 'streak', length: 3, repeat: true } },
})

describe('An achievement of a streak that repeats', () => {
  test('is completed once by each streak that gets there', () => {
    const days = [1, 2, 3, 4, 8, 9, 10, 20, 21, 25, 26, 27, 28]
    const { states } = given(
      STREAKED,
      days.map((day) => ({ at: DAY(day) })),
    )
    const counts = states.map(({ completions }) => completions.get('three')?.count ?? 0)
    expect(counts).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3])
  })

  test('is not completed again by a streak that was lost and restored', () => {
    const said = [1, 2, 3, 6, 7].map((day) => ({ at: DAY(day) }))
    const log = said.map(toEntry)
    const at = Date.parse(DAY(6)) - 3_600_000
    const restored = {
      ...toEntry({ at: new Date(at).toISOString(), isProfileOnly: true }, 5),
      kind: 'streakRestored' as const,
    }
    const counts: number[] = []
    const lines = [...log.slice(0, 3), restored, ...log.slice(3)].map((entry, index) => ({ ...entry, seq: index + 1 }))
    foldLog(new Map([[1, STREAKED]]), lines, (_, { state }) => counts.push(state.completions.get('three')?.count ?? 0))
    expect(counts).toEqual([0, 0, 1, 1, 1, 1])
  })
})

describe('An achievement that the host completes and that repeats', () => {
  const game = rules({ achievements: { tour: { name: 'Tour', trigger: 'api', repeat: { max: 3 } } } })
  const claims = (keys: readonly (string | null)[]): readonly number[] => {
    const counts: number[] = []
    const log = keys.map((key, index) => {
      const claim = toEntry({ at: DAY(index + 1), claims: 'tour' }, index)
      return key === null || claim.kind !== 'achievementClaimed' ? claim : { ...claim, idempotencyKey: key }
    })
    foldLog(new Map([[1, game]]), log, (_, { state }) => counts.push(state.completions.get('tour')?.count ?? 0))
    return counts
  }

  test('is completed by each claim with a key, and by one without only if it is the first', () => {
    expect(claims([null, null, 'a', 'b', 'c'])).toEqual([1, 1, 2, 3, 3])
    expect(claims(['a', null, 'b'])).toEqual([1, 1, 2])
  })

  test('is kept as often as it was completed', () => {
    const kept = { ...toEntry({ at: DAY(1), keeps: 'tour' }, 0), count: 3 }
    const state = foldLog(new Map([[1, game]]), [kept, { ...kept, id: 'again', seq: 2, count: 2 }])
    expect(state?.completions.get('tour')).toEqual({ at: Date.parse(DAY(1)), entryId: 'entry-1', count: 3 })
  })
})

describe('An achievement that a newer game grants for the past', () => {
  const definition = (web: object, more: object = {}) =>
    rules({
      achievements: {
        novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 100 },
        laps: { name: 'Laps', trigger: 'metric', metric: 'laps', value: 10, repeat: { max: 5 } },
        web: { name: 'Web', trigger: 'metric', metric: 'words', value: 10, repeat: true, ...web },
        three: { name: 'Three', trigger: 'streak', length: 3, repeat: true },
      },
      streak: { frequency: 'daily', metrics: { words: {} } },
      points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'web', points: 7 }] } },
      ...more,
    })
  const fromWeb = { eventAttributes: { source: 'web' } }
  const game = definition(fromWeb)
  type Line = (index: number) => Entry
  const granted = (key: string, count?: number, day = 1): Line => {
    const counts = count === undefined ? [] : [{ achievement: key, count }]
    return (index) => ({
      ...toEntry({ at: DAY(day), isProfileOnly: true, epoch: 2 }, index),
      kind: 'granted',
      achievements: [key],
      counts,
      points: [],
    })
  }
  const web = (value: number, day = 1, epoch = 2): Line => {
    return (index) => toEntry({ at: DAY(day), value, attributes: { source: 'web' }, epoch }, index)
  }
  const stepsOf = (lines: readonly Line[], games = [game, game]): readonly Decided[] => {
    const steps: Decided[] = []
    const byEpoch = new Map(games.map((each, index) => [index + 1, each]))
    foldLog(
      byEpoch,
      lines.map((line, index) => line(index)),
      (_, step) => steps.push(step),
    )
    return steps
  }
  const countsOf = (key: string, lines: readonly Line[], games = [game, game]) =>
    stepsOf(lines, games).map(({ state }) => state.completions.get(key)?.count ?? 0)
  const changesOf = (lines: readonly Line[], games = [game, game]) =>
    stepsOf(lines, games)
      .at(-1)
      ?.changes.flatMap(({ type }) => (type === 'achievementCompleted' || type === 'tallyChanged' ? [type] : []))

  test('is completed once, or as often as the grant says, unless it was completed that often', () => {
    const completion = { at: Date.parse(DAY(1)), entryId: 'entry-1' }
    const completions = (line: Line) => [...(stepsOf([line])[0]?.state.completions ?? [])]
    expect(completions(granted('novelist'))).toEqual([['novelist', { ...completion, count: 1 }]])
    expect(completions(granted('laps', 3))).toEqual([['laps', { ...completion, count: 3 }]])
    expect(countsOf('laps', [granted('laps', 3), granted('laps', 3), granted('laps', 4)])).toEqual([3, 3, 4])
  })

  test('pays no trigger', () => {
    expect(stepsOf([granted('web', 2)])[0]?.state.points.size).toBe(0)
  })

  test('is marked as granted where emails or a streak ask for it', () => {
    expect(changesOf([granted('novelist')])).toEqual(['achievementCompleted'])
    expect(changesOf([granted('laps', 2)])).toEqual(['achievementCompleted'])
    expect(changesOf([granted('gone')])).toEqual(['achievementCompleted'])
    expect(changesOf([granted('three', 2)])).toEqual(['achievementCompleted', 'tallyChanged'])
    expect(changesOf([granted('three', 2), granted('three', 2)])).toEqual([])
    const emails = definition(fromWeb, { emails: { achievements: true } })
    expect(changesOf([granted('novelist')], [emails, emails])).toEqual(['achievementCompleted', 'tallyChanged'])
  })

  test('that counts its own events goes on from the value of what was granted', () => {
    expect(countsOf('web', [granted('web', 2), web(9), web(1)])).toEqual([2, 2, 3])
    expect(countsOf('web', [web(15), granted('web', 3), web(4), web(1)])).toEqual([1, 3, 3, 4])
    expect(countsOf('web', [web(35), granted('web', 3), web(4), web(1)])).toEqual([3, 3, 3, 4])
    const locked = definition({ ...fromWeb, status: 'locked' })
    expect(countsOf('web', [web(35, 1, 1), granted('web', 2), web(5)], [locked, game])).toEqual([0, 2, 4])
  })

  test('is completed again by a streak that gets there only after the grant', () => {
    const days = (...all: readonly number[]) => all.map((day) => web(1, day))
    const before = [...days(1), granted('three', 2, 1), ...days(2, 3, 4)]
    expect(countsOf('three', before)).toEqual([0, 2, 2, 3, 3])
    const after = [...days(1, 2, 3), granted('three', 2, 3), ...days(3, 4)]
    expect(countsOf('three', after)).toEqual([0, 0, 1, 2, 2, 2])
  })
})
