/*
 * A naive recount of a year in review and of the points event summary, from a plain list of what was done and what it was
 * answered.
 *
 * What the documents leave open is decided so:
 * - A week has its whole dates, Monday to Sunday, but only what happened inside the year counts in it, as in an event
 *   summary, whose first week may begin before the range. The weeks active are those with an event inside the year.
 * - The period before a day, week, month or year is the whole calendar day, week, month or year before it, the part that
 *   lies in the year before included.
 * - A period names the metrics of which the user has an event in it, and the points systems that an event or a completion
 *   of the user in it has changed, upwards or downwards. A completion through the API is no event: it makes no day active,
 *   but its points and its achievements count on their date.
 * - A year without any event of the user has only what was completed in it, and the points of that, without percentiles.
 *   Its day and month are 1 January and January, and its week is the one that 1 January is in; these have nothing.
 * - What is decided by a date is decided by the local date that the entry was recorded under, whatever the user's zone is
 *   now. The year now, which is the default and the last one allowed, is the one of the user's present zone.
 * - `percentChange` is (this − before) ÷ |before| × 100 in two decimals. Where the sum before is 0, it is 100 for an
 *   increase, -100 for a decrease, and 0 for no change.
 * - `percentileThisPeriod` is the share in percent, in two decimals, of users whose change is not above the user's own,
 *   the user included, among all users with an event of any metric inside the period (each by their own local dates). One
 *   without an event of the metric, or without an award of the system, has the change 0. The only user is at 100.
 * - `byAttribute` has the values of the attributes that the user's events of the metric have inside the period, each with
 *   `name` (the metric's), `currentTotal` (the sum of all the user's events with that value, whenever they were),
 *   `changeThisPeriod` and `percentChange` (of the events with that value). It has no percentile.
 * - The achievements are those that the user completed on dates of the period.
 * - A leaderboard shows the best rank among the user's places, as they are now, in the runs that share a date with the
 *   period.
 * - The longest streak is the greatest length that stood on a date of the year. It may have begun before the year:
 *   `started` is its first date, `periodStart` and `periodEnd` are the dates of the last period that it counted in the
 *   year. Without any, the length is 0 and the dates are null.
 */

export interface Achieved {
  readonly key: string
  /** ISO 8601. */
  readonly achievedAt: string
}

/** What one call did, as it was answered. */
export interface Deed {
  readonly user: string
  /** The local date, `YYYY-MM-DD`, in the zone that the user had then. */
  readonly date: string
  /** Null: a completion through the API. */
  readonly event: {
    readonly metric: string
    readonly tenths: number
    readonly attributes: { readonly [name: string]: string }
    /** The total that was answered. */
    readonly total: number
  } | null
  /** By points system, what was added or taken. */
  readonly added: { readonly [system: string]: number }
  readonly achievements: readonly Achieved[]
}

export interface Slice {
  readonly name: string
  readonly currentTotal: number
  readonly changeThisPeriod: number
  readonly percentChange: number
}

export interface MetricOfPeriod extends Slice {
  readonly percentileThisPeriod?: number
  readonly byAttribute: { readonly [attribute: string]: { readonly [value: string]: Slice } }
}

export interface PointsOfPeriod extends Slice {
  readonly percentileThisPeriod?: number
}

export interface Period {
  readonly metrics: { readonly [metric: string]: MetricOfPeriod }
  readonly points: { readonly [system: string]: PointsOfPeriod }
  /** Ordered by key. */
  readonly achievements: readonly Achieved[]
}

/** The activity of a wrapped, without leaderboards and the longest streak. */
export interface Activity {
  readonly daysActive: number
  readonly weeksActive: number
  readonly monthsActive: number
  readonly mostActiveDay: Period & { readonly date: string }
  readonly mostActiveWeek: Period & { readonly start: string; readonly end: string }
  readonly mostActiveMonth: Period & { readonly month: number }
  readonly entireYear: Period
}

export interface Names {
  readonly [key: string]: string
}

export interface SummaryItem {
  readonly date: string
  readonly total: number
  readonly change: number
}

type SummaryRange = readonly [aggregation: 'daily' | 'weekly' | 'monthly', startDate: string, endDate: string]

interface Range {
  readonly from: string
  readonly to: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date that a calendar on the wall shows in the zone. */
export function dateIn(zone: string, instant: number): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(zone, format)
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

function shift(date: string, days: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
}

function mondayOf(date: string): string {
  let day = date
  while (new Date(`${day}T00:00:00Z`).getUTCDay() !== 1) day = shift(day, -1)
  return day
}

const monthOf = (date: string): string => date.slice(0, 7)

/** The first date of the month after, or before. */
function monthFrom(date: string, months: number): string {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}

const isWithin = ({ date }: { readonly date: string }, { from, to }: Range): boolean => from <= date && date <= to

const earlierOf = (...dates: string[]): string => dates.sort()[0] ?? ''
const laterOf = (...dates: string[]): string => dates.sort().at(-1) ?? ''

/** The name with the most deeds, then the earliest name. */
function mostFrequent(names: readonly string[], otherwise: string): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return first?.[0] ?? otherwise
}

function percentChange(now: number, before: number): number {
  if (before !== 0) return ((now - before) / Math.abs(before)) * 100
  return Math.sign(now) * 100
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const tenthsOf = (deeds: readonly Deed[], isOf: (event: NonNullable<Deed['event']>) => boolean): number =>
  sum(deeds.flatMap(({ event }) => (event !== null && isOf(event) ? [event.tenths] : [])))

const addedOf = (deeds: readonly Deed[], system: string): number => sum(deeds.map(({ added }) => added[system] ?? 0))

export function createWrappedModel(everybody: readonly Deed[], names: Names) {
  const changes = new Map<string, readonly number[]>()

  /** What changed for each user with an event in the range; counted once for each range and key. */
  function changesOf(key: string, range: Range, changeOf: (deeds: readonly Deed[]) => number): readonly number[] {
    const name = `${key} ${range.from} ${range.to}`
    const counted = changes.get(name)
    if (counted !== undefined) return counted
    const byUser = new Map<string, Deed[]>()
    for (const deed of everybody.filter((deed) => isWithin(deed, range))) {
      const deeds = byUser.get(deed.user)
      if (deeds === undefined) byUser.set(deed.user, [deed])
      else deeds.push(deed)
    }
    const active = [...byUser.values()].filter((deeds) => deeds.some(({ event }) => event !== null))
    const all = active.map(changeOf)
    changes.set(name, all)
    return all
  }

  /** The share of users, the one included, whose change is not above. */
  function percentile(key: string, range: Range, own: number, changeOf: (deeds: readonly Deed[]) => number): number {
    const all = changesOf(key, range, changeOf)
    return (all.filter((change) => change <= own).length / all.length) * 100
  }

  const nameOf = (key: string): string => names[key] ?? key

  function slice(
    own: readonly Deed[],
    now: Range,
    before: Range,
    isOf: (event: NonNullable<Deed['event']>) => boolean,
  ) {
    const change = tenthsOf(
      own.filter((deed) => isWithin(deed, now)),
      isOf,
    )
    const last = tenthsOf(
      own.filter((deed) => isWithin(deed, before)),
      isOf,
    )
    return { change, percentChange: percentChange(change, last) }
  }

  function metricOf(own: readonly Deed[], metric: string, now: Range, before: Range, hasPercentile: boolean) {
    const events = own.flatMap((deed) => (deed.event?.metric === metric ? [{ ...deed.event, date: deed.date }] : []))
    const { change, percentChange } = slice(own, now, before, (event) => event.metric === metric)
    const byAttribute: Record<string, Record<string, Slice>> = {}
    for (const event of events.filter((event) => isWithin(event, now))) {
      for (const [attribute, value] of Object.entries(event.attributes)) {
        const isOf = (other: NonNullable<Deed['event']>): boolean =>
          other.metric === metric && other.attributes[attribute] === value
        const part = slice(own, now, before, isOf)
        byAttribute[attribute] = {
          ...byAttribute[attribute],
          [value]: {
            name: nameOf(metric),
            currentTotal: tenthsOf(own, isOf) / 10,
            changeThisPeriod: part.change / 10,
            percentChange: part.percentChange,
          },
        }
      }
    }
    const changeOf = (deeds: readonly Deed[]): number => tenthsOf(deeds, (event) => event.metric === metric)
    return {
      name: nameOf(metric),
      currentTotal: events.at(-1)?.total ?? 0,
      changeThisPeriod: change / 10,
      percentChange,
      ...(hasPercentile ? { percentileThisPeriod: percentile(metric, now, change, changeOf) } : {}),
      byAttribute,
    }
  }

  function pointsOf(own: readonly Deed[], system: string, now: Range, before: Range, hasPercentile: boolean) {
    const change = addedOf(
      own.filter((deed) => isWithin(deed, now)),
      system,
    )
    const last = addedOf(
      own.filter((deed) => isWithin(deed, before)),
      system,
    )
    const changeOf = (deeds: readonly Deed[]): number => addedOf(deeds, system)
    return {
      name: nameOf(system),
      currentTotal: addedOf(own, system),
      changeThisPeriod: change,
      percentChange: percentChange(change, last),
      ...(hasPercentile ? { percentileThisPeriod: percentile(system, now, change, changeOf) } : {}),
    }
  }

  function periodOf(own: readonly Deed[], now: Range, before: Range, hasPercentile: boolean): Period {
    const inside = own.filter((deed) => isWithin(deed, now))
    const metrics = new Set(inside.flatMap(({ event }) => (event === null ? [] : [event.metric])))
    const systems = new Set(inside.flatMap(({ added }) => Object.keys(added)))
    return {
      metrics: Object.fromEntries([...metrics].map((key) => [key, metricOf(own, key, now, before, hasPercentile)])),
      points: Object.fromEntries([...systems].map((key) => [key, pointsOf(own, key, now, before, hasPercentile)])),
      achievements: inside.flatMap(({ achievements }) => achievements).sort((a, b) => (a.key < b.key ? -1 : 1)),
    }
  }

  const NOTHING: Period = { metrics: {}, points: {}, achievements: [] }

  function wrapped(user: string, year: number): Activity {
    const name = String(year).padStart(4, '0')
    const whole = { from: `${name}-01-01`, to: `${name}-12-31` }
    const own = everybody.filter((deed) => deed.user === user)
    const dates = own.filter((deed) => deed.event !== null && isWithin(deed, whole)).map(({ date }) => date)
    const day = mostFrequent(dates, whole.from)
    const start = mostFrequent(dates.map(mondayOf), mondayOf(whole.from))
    const end = shift(start, 6)
    const month = `${mostFrequent(dates.map(monthOf), `${name}-01`)}-01`
    const period = (now: Range, before: Range, hasPercentile: boolean): Period =>
      dates.length === 0 ? NOTHING : periodOf(own, now, before, hasPercentile)
    const insideYear = { from: laterOf(start, whole.from), to: earlierOf(end, whole.to) }
    const yesterday = shift(day, -1)
    const yearBefore = String(year - 1).padStart(4, '0')
    return {
      daysActive: new Set(dates).size,
      weeksActive: new Set(dates.map(mondayOf)).size,
      monthsActive: new Set(dates.map(monthOf)).size,
      mostActiveDay: { date: day, ...period({ from: day, to: day }, { from: yesterday, to: yesterday }, false) },
      mostActiveWeek: {
        start,
        end,
        ...period(insideYear, { from: shift(start, -7), to: shift(start, -1) }, true),
      },
      mostActiveMonth: {
        month: Number(month.slice(5, 7)) - 1,
        ...period(
          { from: month, to: shift(monthFrom(month, 1), -1) },
          { from: monthFrom(month, -1), to: shift(month, -1) },
          true,
        ),
      },
      entireYear: periodOf(own, whole, { from: `${yearBefore}-01-01`, to: `${yearBefore}-12-31` }, dates.length > 0),
    }
  }

  /** Decisions, section 7, of whatever is summed. */
  function summary(
    user: string,
    aggregation: 'daily' | 'weekly' | 'monthly',
    startDate: string,
    endDate: string,
    sumOf: (deeds: readonly Deed[]) => number,
  ): readonly SummaryItem[] {
    const own = everybody.filter((deed) => deed.user === user)
    const firstOf = (date: string): string => {
      if (aggregation === 'daily') return date
      return aggregation === 'weekly' ? mondayOf(date) : `${monthOf(date)}-01`
    }
    const dates: string[] = []
    for (let date = startDate; date <= endDate; date = shift(date, 1)) dates.push(date)
    const periods = new Map<string, string[]>()
    for (const date of dates) {
      const first = firstOf(date)
      const inside = periods.get(first)
      if (inside === undefined) periods.set(first, [date])
      else inside.push(date)
    }
    return [...periods].map(([date, inside]) => {
      const range = { from: inside[0] ?? date, to: inside.at(-1) ?? date }
      const total = sumOf(own.filter((deed) => deed.date <= range.to))
      return { date, total, change: sumOf(own.filter((deed) => isWithin(deed, range))) }
    })
  }

  const pointsSummary = (user: string, system: string, ...range: SummaryRange): readonly SummaryItem[] =>
    summary(user, ...range, (deeds) => addedOf(deeds, system))

  const eventSummary = (user: string, metric: string, ...range: SummaryRange): readonly SummaryItem[] =>
    summary(user, ...range, (deeds) => tenthsOf(deeds, (event) => event.metric === metric) / 10)

  return { wrapped, pointsSummary, eventSummary }
}
