// What the page of a user shows is what the API answers over HTTP, for users drawn at random from a larger population.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type {
  DefinedGame,
  Gamification,
  LeaderboardResponse,
  LogEntry,
  MetricResponse,
  User,
  UserAchievementWithStats,
  UserEventsResponse,
  UserLeaderboard,
  UserPoints,
  UserStreak,
  UsersResponse,
} from '../../src/index.ts'
import { chromium, inBrowser, useBrowser } from '../support/browser.ts'
import { settled, useConsole } from '../support/console.ts'
import { RICH_GAME } from '../support/console-game.ts'
import { populationId, populationOf } from '../support/large-population.ts'
import { createRandom, SOAK, seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()
const POPULATION = 2_000
const DRAWN = SOAK ? 50 : 10

/** What the page shows of a user. */
interface Shown {
  readonly heading: string
  readonly profile: readonly Pair[]
  readonly figures: readonly Pair[]
  readonly totals: readonly Pair[]
  /** Of each points system, the total with the level. */
  readonly points: readonly Pair[]
  readonly streaks: readonly string[]
  /** In the order of their names: when each was achieved, and how often. */
  readonly badges: readonly (readonly [name: string, achievedAt: string | null, times: string | null])[]
  readonly ranks: readonly Pair[]
  readonly values: readonly Pair[]
  readonly log: readonly (readonly [id: string, at: string, what: string, states: string])[]
}

type Pair = readonly [name: string, value: string]

describe.skipIf(chromium === null)(inBrowser("A user's page, of any user"), () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test(`shows what the API answers, of ${DRAWN} of ${POPULATION.toLocaleString('en')} users (seed ${SEED})`, async () => {
    const console = await openConsole({ definition: RICH_GAME })
    const { base, gamification } = console
    await gamification.migrate()
    const population = { users: POPULATION, events: POPULATION * 12, now: Date.now(), seed: SEED }
    expect(await gamification.import(populationOf(population))).toMatchObject({ recorded: POPULATION, refused: 0 })
    const random = createRandom(SEED)
    const drawn = new Set<string>()
    while (drawn.size < DRAWN) drawn.add(populationId(Math.floor(random() * POPULATION)))
    for (const id of drawn) await befall(gamification, id, random)

    const { page, problems } = await open()
    for (const id of drawn) {
      expect(await readPage(page, base, id), id).toEqual(await readApi(base, id))
    }
    expect(problems).toEqual([])
  }, 600_000)
})

/** What an import does not bring: each happens to some. */
async function befall(
  { achievements, events, metrics, users }: Gamification<DefinedGame>,
  id: string,
  random: () => number,
): Promise<void> {
  const user = { id }
  const isSo = (share: number): boolean => random() < share
  if (isSo(0.3)) await users.update(id, { email: `${id}@example.org`, name: isSo(0.5) ? null : 'Ünal <b>Öz</b>' })
  for (let times = 0; times < 3 && isSo(0.4); times += 1) {
    await achievements.complete('joined-a-club', { user, idempotencyKey: `club-${times}` })
  }
  // More chapters than there may be in a day are held back.
  if (isSo(0.3)) await metrics.event('chapters', { user, value: 51 })
  if (isSo(0.3)) await metrics.event('comments', { user, value: 20 })
  if (isSo(0.3)) {
    const [newest] = (await users.events(id, { limit: 1 })).entries
    if (newest?.kind === 'eventRecorded') await events.void(newest.id, { reason: 'Pasted', revoke: isSo(0.5) })
  }
  if (isSo(0.2)) await users.suspend(id, { reason: 'Plays too fast' })
}

/** What is read of an element of the page. */
interface Shape {
  readonly textContent: string
  readonly title: string
  readonly dateTime?: string
  readonly dataset: { readonly [name: string]: string }
  readonly shadowRoot: Shape
  querySelector(selector: string): Shape
  querySelectorAll(selector: string): Iterable<Shape>
}

async function readPage(page: Page, base: string, id: string): Promise<Shown> {
  /** `each` runs in the page, so it knows nothing from around it. */
  async function read<Value>(selector: string, each: (element: Shape) => Value): Promise<readonly Value[]> {
    const all = new Function('elements', `return JSON.stringify(elements.map(${each}))`)
    const found: string = await page.locator(selector).evaluateAll(all as () => string)
    // Names are isolated from the texts around them by characters that are not seen.
    return JSON.parse(found.replace(/[\u2066-\u2069]/g, ''))
  }
  await page.goto(`${base}users/${id}`)
  await page.locator('[data-rank]').first().waitFor()
  await settled(page)
  const [heading = ''] = await read('h1', ({ textContent }) => textContent)
  const profile = 'section:has(h2:text-is("Profile")) dl.facts'
  const names = await read(`${profile} dt`, ({ textContent }) => textContent)
  const facts = await read(`${profile} dd`, (each) => each.querySelector('time')?.title ?? each.textContent)
  const badges = await read('laurels-badges .badge', (each): Shown['badges'][number] => [
    each.querySelector('.name').textContent,
    each.querySelector('time')?.dateTime ?? null,
    each.querySelector('.times')?.textContent ?? null,
  ])
  const shown: Omit<Shown, 'log'> = {
    heading,
    profile: names.map((name, index) => [name, facts[index] ?? '']),
    figures: await read('[data-figure]', (each) => [
      each.dataset.figure ?? '',
      each.querySelector('.value').textContent,
    ]),
    totals: await read('[data-total]', ({ dataset, textContent }) => [dataset.total ?? '', textContent]),
    points: await read('laurels-level', ({ shadowRoot }) => [
      shadowRoot.querySelector('.total').textContent,
      shadowRoot.querySelector('.level').textContent,
    ]),
    streaks: await read('laurels-streak [part=count]', ({ textContent }) => textContent),
    badges: badges.toSorted(byName),
    ranks: await read('[data-rank]', ({ dataset, textContent }) => [dataset.rank ?? '', textContent]),
    values: await read('[data-value]', ({ dataset, textContent }) => [dataset.value ?? '', textContent]),
  }
  await page.goto(`${base}users/${id}?tab=log`)
  await page.locator('ol.log li').first().waitFor()
  await settled(page)
  const log = await read('ol.log > li', (each): Shown['log'][number] => [
    each.dataset.entry ?? '',
    each.querySelector('time').title,
    each.querySelector('.what').textContent,
    [...each.querySelectorAll('.badge')]
      .map(({ textContent }) => textContent)
      .filter((state) => state === 'held back' || state === 'void')
      .join(),
  ])
  return { ...shown, log }
}

function byName([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]): number {
  return one < other ? -1 : 1
}

async function readApi(base: string, id: string): Promise<Shown> {
  const get = async <Answer>(path: string): Promise<Answer> => {
    const response = await fetch(`${base}api/${path}`)
    expect(response.status, path).toBe(200)
    return (await response.json()) as Answer
  }
  const own = `v1/users/${id}`
  const user = await get<User>(own)
  const listed = (await get<UsersResponse>(`admin/v1/users?search=${id}`)).users.find((each) => each.id === id)
  const metrics = await get<readonly MetricResponse[]>(`${own}/metrics`)
  const achievements = await get<readonly UserAchievementWithStats[]>(`${own}/achievements?includeIncomplete=true`)
  const [xp, karma] = [await get<UserPoints>(`${own}/points/xp`), await get<UserPoints>(`${own}/points/karma`)]
  const streak = await get<UserStreak>(`${own}/streak`)
  const reviews = await get<UserStreak>(`${own}/streaks/reviews`)
  const boards = await get<readonly LeaderboardResponse[]>('v1/leaderboards')
  const places: UserLeaderboard[] = []
  for (const { key } of boards) places.push(await get<UserLeaderboard>(`${own}/leaderboards/${key}`))
  const { entries } = await get<UserEventsResponse>(`admin/v1/users/${id}/events?limit=25`)
  const done = achievements.filter(({ achievedAt }) => achievedAt !== null)
  return {
    heading: user.name ?? id,
    profile: toFacts(user, listed?.suspended?.since ?? null),
    figures: [
      ['points-xp', text(xp.total)],
      ['points-karma', text(karma.total)],
      ['streak', text(streak.length)],
      // The tiers of one achievement count as one.
      ['achievements', text(new Set(done.map(({ key }) => key.split('.')[0])).size)],
      ...metrics.map(({ key, current }): Pair => [`metric-${key}`, text(current)]),
    ],
    totals: metrics.map(({ key, current }) => [key, text(current)]),
    points: [
      [`${text(xp.total)} XP`, xp.level?.name ?? 'No level yet'],
      [`${text(karma.total)} Karma`, 'Karma'],
    ],
    streaks: [countOf(streak.length, 'day'), countOf(reviews.length, 'week')],
    badges: toBadges(achievements).toSorted(byName),
    ranks: places.map(({ key, rank }) => [key, rank === null ? '–' : `#${text(rank)}`]),
    values: places.map(({ key, value }) => [key, value === null ? '–' : text(value)]),
    log: entries.map((entry) => [entry.id, entry.at, inWords(entry, metrics, achievements), stateOf(entry)]),
  }
}

function toFacts(user: User, suspended: string | null): readonly Pair[] {
  const { email, name, tz, attributes, control, created, updated } = user
  const facts: readonly (readonly [string, string | null])[] = [
    ['Id', user.id],
    ['Name', name],
    ['Email', email],
    ['Emails', email === null ? null : user.subscribedToEmails ? 'subscribed' : 'not subscribed'],
    ['Zone', tz],
    ['Experiment', control ? 'in the control group' : null],
    ['Suspended', suspended],
    ...Object.entries(attributes),
    ['Created', created],
    ['Updated', updated],
  ]
  return facts.flatMap(([fact, value]): readonly Pair[] => (value === null ? [] : [[fact, value]]))
}

/** Of the tiers of one achievement the highest that the user has is shown, or else the first. */
function toBadges(achievements: readonly UserAchievementWithStats[]): Shown['badges'] {
  const tiers = ['writer.bronze', 'writer.silver', 'writer.gold']
  const highest = tiers.findLast((tier) =>
    achievements.some(({ key, achievedAt }) => key === tier && achievedAt !== null),
  )
  return achievements
    .filter(({ key }) => !tiers.includes(key) || key === (highest ?? tiers[0]))
    .map(({ name, achievedAt, count = 0 }) => [name, achievedAt, count > 1 ? `×${count}` : null])
}

function inWords(
  entry: LogEntry,
  metrics: readonly MetricResponse[],
  achievements: readonly UserAchievementWithStats[],
): string {
  const { profile } = entry
  const achievement = achievements.find(({ key }) => key === entry.achievement)?.name
  switch (entry.kind) {
    case 'eventRecorded':
      return `+${text(entry.value ?? 0)} ${metrics.find(({ key }) => key === entry.metric)?.name}`
    case 'userUpserted':
      return `Profile: email is ${profile?.email}, name ${profile?.name == null ? 'cleared' : `is ${profile.name}`}`
    case 'achievementClaimed':
      return `${achievement} was completed by a call`
    case 'completionKept':
      return `${achievement} is kept, though what led to it has changed since`
    case 'eventVoided':
      return `An event was voided: ${entry.reason}`
    case 'userSuspended':
      return `Suspended from leaderboards: ${entry.reason}`
    default:
      throw new Error(`Nothing of the kind ${entry.kind} was done`)
  }
}

function stateOf({ held, voidedBy }: LogEntry): string {
  if (held === true) return 'held back'
  return voidedBy === undefined ? '' : 'void'
}

function text(value: number): string {
  return value.toLocaleString('en')
}

function countOf(count: number, unit: string): string {
  return `${text(count)} ${unit}${count === 1 ? '' : 's'}`
}
