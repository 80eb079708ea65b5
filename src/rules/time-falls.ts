/*
 * What awards come to that fall due one after the other while the total stays between 0 and a maximum. Nothing is gone
 * through one by one that need not be: an absence of ten years costs no more than one of a day.
 */

/** Awards of one trigger that fall due. */
export interface Falls {
  /** What each is worth; negative takes away. */
  readonly points: number
  /** How many. */
  readonly count: number
  /** When the k-th falls, from 1. */
  at(k: number): number
  /** In which even steps they come from the k-th on, and which is the last of them; that is the k-th where no other follows. */
  evenFrom(k: number): Even
}

export interface Even {
  readonly step: number
  readonly last: number
}

/** What each of them gave or took, in the same order; at equal instants the first falls first. `total` is at most `greatest`. */
export function addFalls(all: readonly Falls[], total: number, greatest: number): readonly number[] {
  const moving = all.filter(({ points, count }) => points !== 0 && count > 0)
  const [first, ...others] = moving
  if (first === undefined) return all.map(() => 0)
  const gains = others.length === 0 ? [addOne(first, total, greatest)] : addSeveral(moving, total, greatest)
  const bySource = new Map(moving.map((falls, index) => [falls, gains[index] ?? 0]))
  return all.map((falls) => bySource.get(falls) ?? 0)
}

/** Of one kind, the total only rises, or only falls. */
function addOne({ points, count }: Falls, total: number, greatest: number): number {
  const due = times(count, points)
  return due > 0 ? Math.min(due, Math.max(0, greatest - total)) : Math.max(due, -total)
}

/** No further than numbers can count. */
export function times(count: number, points: number): number {
  const due = count * points
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, due))
}

/** One kind of falls, on the way. */
interface Course {
  readonly falls: Falls
  /** How many have fallen. */
  done: number
  next: number
  even: Even
  gained: number
}

interface Run {
  readonly courses: readonly Course[]
  total: number
  readonly greatest: number
  lowest: number
  highest: number
  hasClipped: boolean
}

function addSeveral(all: readonly Falls[], total: number, greatest: number): readonly number[] {
  if (isFree(all, total, greatest)) return all.map(({ count, points }) => count * points)
  const courses = all.map(
    (falls): Course => ({ falls, done: 0, next: falls.at(1), even: falls.evenFrom(1), gained: 0 }),
  )
  const run: Run = { courses, total, greatest, lowest: total, highest: total, hasClipped: false }
  while (!isStuck(run)) {
    const left = courses.filter(isLeft)
    for (const course of left) if (course.done >= course.even.last) course.even = course.falls.evenFrom(course.done + 1)
    skipRounds(run, left)
    passUntil(run, Math.min(...left.filter(isLeft).map(({ falls, even }) => falls.at(even.last))))
  }
  return courses.map(({ gained }) => gained)
}

function isLeft({ done, falls }: Course): boolean {
  return done < falls.count
}

/** Whether no order of the falls could clip any. */
function isFree(all: readonly Falls[], total: number, greatest: number): boolean {
  let up = total
  let down = total
  for (const { count, points } of all) {
    if (points > 0) up += count * points
    else down += count * points
  }
  return up <= greatest && down >= 0
}

/** Has what is due until an instant fall, itself included, one by one. */
function passUntil(run: Run, until: number): void {
  const { courses } = run
  for (;;) {
    let first: Course | null = null
    for (const course of courses) {
      if (isLeft(course) && (first === null || course.next < first.next)) first = course
    }
    if (first === null || first.next > until) return
    passOne(run, first)
  }
}

function passOne(run: Run, course: Course): void {
  const { falls, even } = course
  const free = run.total + falls.points
  const total = free > run.greatest ? Math.max(run.greatest, Math.min(run.total, free)) : Math.max(0, free)
  if (total !== free) run.hasClipped = true
  course.gained += total - run.total
  run.total = total
  run.lowest = Math.min(run.lowest, total)
  run.highest = Math.max(run.highest, total)
  course.done += 1
  if (isLeft(course)) course.next = course.done < even.last ? course.next + even.step : falls.at(course.done + 1)
}

/** Whether nothing that is left can move the total any more. */
function isStuck({ courses, total, greatest }: Run): boolean {
  return courses.filter(isLeft).every(({ falls }) => (falls.points > 0 ? total >= greatest : total <= 0))
}

/**
 * While all fall in even steps, every round of them is like the one before: one that ends where it began, or that clips
 * nothing, stands for those that follow.
 */
function skipRounds(run: Run, courses: readonly Course[]): void {
  const round = roundOf(courses)
  const roundsLeft = (): number =>
    Math.min(...courses.map(({ even, done }) => Math.floor((even.last - done) / (round / even.step))))
  let end = Math.min(...courses.map(({ next }) => next)) - 1
  while (roundsLeft() > 1) {
    const before = courses.map(({ gained }) => gained)
    const start = run.total
    Object.assign(run, { lowest: start, highest: start, hasClipped: false })
    end += round
    passUntil(run, end)
    const rounds = Math.min(roundsLeft(), likeThis(run, start))
    if (rounds <= 0) continue
    for (const [index, course] of courses.entries()) {
      const { step, last } = course.even
      const gained = course.gained - (before[index] ?? 0)
      course.gained += rounds * gained
      run.total += rounds * gained
      course.done += (rounds * round) / step
      if (isLeft(course)) {
        course.next = course.done < last ? course.next + rounds * round : course.falls.at(course.done + 1)
      }
    }
    end += rounds * round
  }
}

/** How many rounds more go as the last one did. */
function likeThis({ total, greatest, lowest, highest, hasClipped }: Run, start: number): number {
  const drift = total - start
  if (drift === 0) return Number.POSITIVE_INFINITY
  if (hasClipped) return 0
  return drift > 0 ? Math.floor((greatest - highest) / drift) : Math.floor(lowest / -drift)
}

/** The time after which all come together again. */
function roundOf(courses: readonly Course[]): number {
  return courses.reduce((round, { even: { step } }) => (round / greatestDivisor(round, step)) * step, 1)
}

function greatestDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestDivisor(right, left % right)
}
