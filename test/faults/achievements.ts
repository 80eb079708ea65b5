import type { Fault } from './fault.ts'

/** Achievements, and the profile that their filters ask. */
export const achievementFaults: readonly Fault[] = [
  {
    name: 'A metric achievement is completed only above its value.',
    file: 'src/rules/achievement.ts',
    find: 'progress.total >= achievement.value',
    replace: 'progress.total > achievement.value',
    tests: ['acceptance/achievements'],
  },
  {
    name: 'A streak achievement is completed a period too late.',
    file: 'src/rules/achievement.ts',
    find: 'streakOf(state, achievement.streak).length < achievement.length',
    replace: 'streakOf(state, achievement.streak).length <= achievement.length',
    tests: ['rules/streak', 'acceptance/achievements'],
  },
  {
    name: 'An achievement with event filters counts every event of its metric.',
    file: 'src/rules/achievement.ts',
    find: 'const running = hasOwnTally(achievement) ? state.tallies.get(achievement.id) : state.totals',
    replace: 'const running = state.totals',
    tests: ['acceptance/achievements'],
  },
  {
    name: 'A composite completes no other composite.',
    file: 'src/rules/decide.ts',
    find: `  while (composite !== null) {
    apply(open, [composite])
    composite = completeComposite(game, open.state, entry)
  }`,
    replace: '  if (composite !== null) apply(open, [composite])',
    tests: ['acceptance/completion', 'rules/adopt'],
  },
  {
    name: 'A completion that is there already is made again, at another instant.',
    file: 'src/rules/achievement.ts',
    find: 'if (completionsOf(state, key) >= (count ?? 1)) return []',
    replace: '',
    tests: ['rules/fold'],
  },
  {
    name: 'A claim is judged by the profile before the call.',
    file: 'src/rules/refuse.ts',
    find: 'if (isAccessible(achievement, { ...state, profile })) return null',
    replace: 'if (isAccessible(achievement, state)) return null',
    tests: ['acceptance/completion'],
  },
  {
    name: 'An event counts before the profile that it brings.',
    file: 'src/rules/decide.ts',
    find: `  applyProfile(game, open, entry)
  applyBody(game, open, entry)`,
    replace: `  applyBody(game, open, entry)
  applyProfile(game, open, entry)`,
    tests: ['rules/fold', 'rules/points'],
  },
  {
    name: 'Attributes replace those that are there.',
    file: 'src/rules/profile.ts',
    find: 'patched ??= new Map(attributes)',
    replace: 'patched ??= new Map()',
    tests: ['rules/fold', 'acceptance/users'],
  },
  {
    name: 'null does not clear an email.',
    file: 'src/rules/profile.ts',
    find: 'email: patch.email === undefined ? profile.email : patch.email',
    replace: 'email: patch.email ?? profile.email',
    tests: ['rules/fold', 'acceptance/users'],
  },
  {
    name: 'An update of the preferences forgets the types that it does not name.',
    file: 'src/rules/decide.ts',
    find: 'new Map([...state.preferences.notifications, ...entry.notifications])',
    replace: 'new Map(entry.notifications)',
    tests: ['acceptance/preferences'],
  },
  {
    name: 'rarity is the share of all completions, not of the users.',
    file: 'src/engine/calls/read/read-achievements.ts',
    find: `users: counters.find(({ kind }) => kind === 'users')?.count ?? 0`,
    replace: 'users: completions.reduce((sum, { count }) => sum + count, 0)',
    tests: ['acceptance/achievements'],
  },
  {
    name: 'rarity is a whole number.',
    file: 'src/engine/answers/achievement.ts',
    find: 'Math.round((count / users) * 10_000) / 100',
    replace: 'Math.round((count / users) * 100)',
    tests: ['acceptance/achievements'],
  },
  {
    name: 'A user attribute named __proto__ is lost from the answer.',
    file: 'src/engine/answers/user.ts',
    find: 'attributes: Object.fromEntries(attributes)',
    replace: `attributes: [...attributes].reduce<Record<string, string>>((all, [name, value]) => {
      all[name] = value
      return all
    }, {})`,
    tests: ['acceptance/limits', 'engine/odd-strings'],
  },
]
