/*
 * Six days of a pupil, in memory and with a clock that the program sets: `npm run everything`.
 */
import { createGamification, type MetricEventResponse } from 'laurels'
import { memory } from 'laurels/memory'
import { createTestClock } from 'laurels/testing'
import { game } from './game.ts'

type Answer = MetricEventResponse

const clock = createTestClock('2026-03-13T18:00:00+01:00')
const gamification = createGamification({ game, storage: memory(), clock: clock.now })
const school = gamification.tenant('north')
/** A pupil's app reads this, with an application key or a session. */
const app = gamification.forRequest(performance.now(), { isClient: true }).tenant('north')
const user = { id: 'mia' }

const say = (line = ''): boolean => process.stdout.write(`${line}\n`)

function day(name: string, instant: string): void {
  clock.set(instant)
  say(`\n${name}`)
}

/** Each award with its boosts, then what caps and cooldowns took. */
function sayXp({ points }: Answer): void {
  for (const { awarded, trigger, boosts = [] } of points.xp?.awards ?? []) {
    const by =
      boosts.length === 0 ? '' : `, by ${boosts.map(({ name, multiplier }) => `${name} (${multiplier})`).join(', ')}`
    const { achievementName, metricName, challengeName } = trigger
    say(`  ${awarded} XP for ${achievementName ?? metricName ?? challengeName ?? 'the streak'}${by}`)
  }
  for (const { due, awarded, resetsAt } of points.xp?.capped ?? []) {
    say(`  ${awarded} of ${due} XP were paid, more from ${resetsAt}`)
  }
}

function sayBadges({ achievements }: Answer): void {
  for (const { key, name, count } of achievements)
    say(`  ${name} (${key})${count === undefined ? '' : `, time ${count}`}`)
}

async function sayEnergy(when: string): Promise<void> {
  const { total } = await school.users.points('mia', 'energy')
  say(`  energy ${when}: ${total}`)
}

async function sayStreaks(): Promise<void> {
  const [own, listening, talking] = await Promise.all([
    school.users.streak('mia'),
    school.users.streak('mia', { streak: 'listening' }),
    school.users.streak('mia', { streak: 'talking' }),
  ])
  say(`  streaks: words ${own.length}, listening ${listening.length}, talking ${talking.length}`)
  say(`  freezes: words and listening ${own.freezes}, talking ${talking.freezes}`)
}

async function sayChallenges(): Promise<void> {
  for (const { name, quests, window } of await app.users.challenges('mia')) {
    const shown = quests.map((quest) => {
      const { completedAt, progress } = quest
      const done = completedAt === null ? `${Math.round((progress?.ratio ?? 0) * 100)} %` : 'completed'
      return quest.key === '' ? done : `${quest.name} ${done}`
    })
    say(`  ${name}${window?.end ? ` until ${window.end}` : ''}: ${shown.join(', ') || 'to join'}`)
  }
}

async function sayNightOwl(): Promise<void> {
  const all = await app.users.achievements('mia', { includeIncomplete: true })
  const seen = all.filter(({ name }) => ['Something at night', 'Night owl', '???', 'Polyglot'].includes(name))
  say(`  the app sees: ${seen.map(({ name, description }) => `${name} (${description ?? 'no more'})`).join(', ')}`)
}

const words = (value: number): Promise<Answer> => school.metrics.event('words', { user, value })
const listen = (value: number, mode = 'day'): Promise<Answer> =>
  school.metrics.event('minutes', { user, value, attributes: { mode } })
const call = (): Promise<Answer> => school.metrics.event('calls', { user, value: 1, attributes: { mode: 'spoken' } })

say('Six days of Mia, a pupil of a school that is called north')

day('Friday: more than a day pays for, and mistakes', '2026-03-13T18:00:00+01:00')
await school.users.create({ id: 'mia', name: 'Mia', tz: 'Europe/Berlin', attributes: { plan: 'free' } })
sayXp(await words(80))
await listen(20)
await school.metrics.event('mistakes', { user, value: 4 })
await sayEnergy('after four mistakes')
clock.advance({ hours: 5 })
await sayEnergy('at eleven')

day('Saturday: all that is paid counts twice, but for the call that comes too soon', '2026-03-14T10:00:00+01:00')
await sayEnergy('in the morning')
const saturday = await words(25)
sayBadges(saturday)
sayXp(saturday)
const listened = await listen(15)
sayBadges(listened)
sayXp(listened)
sayXp(await call())
clock.advance({ minutes: 30 })
sayXp(await call())

day('Sunday: a tier, a streak of three, and half an hour again', '2026-03-15T10:00:00+01:00')
const sunday = await words(45)
sayBadges(sunday)
sayXp(sunday)
const again = await listen(30)
sayBadges(again)
sayXp(again)
sayBadges(await call())
await sayStreaks()

day(
  'Tuesday: Monday was missed, and two streaks took a freeze each; the week has paid what it can',
  '2026-03-17T20:00:00+01:00',
)
await sayStreaks()
sayXp(await words(15))
await sayNightOwl()
clock.advance({ hours: 3, minutes: 30 })
sayBadges(await listen(10, 'night'))
await sayChallenges()
await sayNightOwl()
await sayStreaks()

day('Wednesday: what is too much waits, and nothing is in a hurry', '2026-03-18T09:00:00+01:00')
const { held, total } = await words(2_000)
say(`  held: ${held}, words: ${total}`)
const first = await app.achievements.complete('invited', { user, idempotencyKey: 'friend-1' })
const second = await app.achievements.complete('invited', { user, idempotencyKey: 'friend-2' })
say(`  invited a friend: ${first.achievement.count}, then ${second.achievement.count}`)
const xp = await school.users.points('mia', 'xp')
const remembered = await school.users.points('mia', 'memory')
const board = await school.leaderboards.get('week', { userId: 'mia', userAttributes: { plan: 'free' } })
say(`  XP: ${xp.total}, ${xp.level?.name}`)
say(`  words remembered: ${remembered.total} of ${total}`)
say(`  this week: rank ${board.rankings[0]?.rank} with ${board.rankings[0]?.value} words`)
await gamification.close()
