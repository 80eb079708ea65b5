import type { Fault } from './fault.ts'

/** The custom elements of a product's own pages. */
export const elementFaults: readonly Fault[] = [
  {
    name: 'An answer that comes late takes the place of a newer one.',
    file: 'adapters/elements/parts/loader.ts',
    find: `const answer = await question(own.signal)
        if (current !== own) return { type: 'superseded' }`,
    replace: 'const answer = await question(own.signal)',
    tests: ['elements/loader'],
  },
  {
    name: 'What is asked again is not given up before.',
    file: 'adapters/elements/parts/loader.ts',
    find: 'current?.abort()',
    replace: '',
    tests: ['elements/loader'],
  },
  {
    name: 'Today counts as kept before the streak is extended.',
    file: 'adapters/elements/streak/periods.ts',
    find: 'length !== before',
    replace: 'length > 0',
    tests: ['elements/periods'],
  },
  {
    name: 'Days without a streak count as lost.',
    file: 'adapters/elements/streak/periods.ts',
    find: `(before ?? 0) > 0 ? 'lost' : 'none'`,
    replace: `'lost'`,
    tests: ['elements/periods'],
  },
  {
    name: 'Today is open within a pause.',
    file: 'adapters/elements/streak/periods.ts',
    find: 'pause.start <= start && start <= pause.end',
    replace: 'pause.start < start && start <= pause.end',
    tests: ['elements/periods'],
  },
  {
    name: 'Weeks of the calendar begin a day late.',
    file: 'adapters/elements/streak/weeks.ts',
    find: 'const THURSDAY = 4',
    replace: 'const THURSDAY = 3',
    tests: ['elements/periods'],
  },
  {
    name: 'A date of the user is written in the zone of who looks.',
    file: 'adapters/elements/parts/formats.ts',
    find: `{ ...options, timeZone: 'UTC' }`,
    replace: `{ ...options, timeZone: 'Pacific/Pago_Pago' }`,
    tests: ['elements/formats'],
  },
  {
    name: 'Words have the plural of English in every language.',
    file: 'adapters/elements/parts/formats.ts',
    find: 'new Intl.PluralRules(locale)',
    replace: `new Intl.PluralRules('en')`,
    tests: ['elements/formats'],
  },
  {
    name: 'The lowest tier shows.',
    file: 'adapters/elements/badges/groups.ts',
    find: 'earned.at(-1) ?? tiers[0]',
    replace: 'tiers[0]',
    tests: ['elements/badges'],
  },
  {
    name: 'Keys with a dot are tiers whatever they ask for.',
    file: 'adapters/elements/badges/groups.ts',
    find: 'trigger, metricId ?? null, streakKey ?? null',
    replace: 'trigger',
    tests: ['elements/badges'],
  },
  {
    name: 'The total of a metric is the progress of an achievement that counts only some events.',
    file: 'adapters/elements/badges/progress.ts',
    find: 'if ((achievement.eventAttributes ?? []).length > 0) return null',
    replace: '',
    tests: ['elements/badges'],
  },
  {
    name: 'The bar of a level begins at no points.',
    file: 'adapters/elements/level/progress.ts',
    find: 'Math.min(level?.points ?? 0, total)',
    replace: '0',
    tests: ['elements/level'],
  },
  {
    name: 'A leaderboard has a next page where the last place is the last of the page.',
    file: 'adapters/elements/leaderboard/walk.ts',
    find: 'answer.rankings.length > limit',
    replace: 'answer.rankings.length >= limit',
    tests: ['elements/leaderboard'],
  },
  {
    name: 'The page before the one around a user begins above the first place.',
    file: 'adapters/elements/leaderboard/walk.ts',
    find: 'Math.max(walk.offset + by, walk.lowest ?? Number.NEGATIVE_INFINITY)',
    replace: 'walk.offset + by',
    tests: ['elements/leaderboard'],
  },
  {
    name: 'Ranks of last month are compared with those of this month.',
    file: 'adapters/elements/leaderboard/changes.ts',
    find: ' && one.start === other.start',
    replace: '',
    tests: ['elements/leaderboard'],
  },
  {
    name: 'Names are HTML.',
    file: 'adapters/elements/parts/dom.ts',
    find: `  return h('bdi', { title: name }, name)`,
    replace: `  const element = h('bdi', { title: name })
  element.innerHTML = name
  return element`,
    tests: ['browser/elements > are HTML'],
  },
  {
    name: 'What the elements mute has too little contrast.',
    file: 'adapters/elements/parts/styles.ts',
    find: 'light-dark(#59626d, #a4aeba)',
    replace: 'light-dark(#8d96a1, #a4aeba)',
    tests: ['browser/elements > axe-core knows'],
  },
  {
    name: 'The focus is lost when a page of a leaderboard is turned.',
    file: 'adapters/elements/parts/frame.ts',
    find: 'if (active === null || active.isConnected) return',
    replace: 'if (active !== undefined) return',
    tests: ['browser/elements-client > walks through the pages'],
  },
  {
    name: 'The arrow to the left goes back where weeks go from right to left.',
    file: 'adapters/elements/streak/calendar.ts',
    find: 'isRightToLeft && /^Arrow',
    replace: 'isRightToLeft && /^Error',
    tests: ['browser/streak-element > from right to left'],
  },
  {
    name: 'An element that leaves the page goes on asking.',
    file: 'adapters/elements/parts/element.ts',
    find: `  disconnectedCallback(): void {
    this.#loader.stop()`,
    replace: '  disconnectedCallback(): void {',
    tests: ['browser/elements-client > taken off the page'],
  },
]
