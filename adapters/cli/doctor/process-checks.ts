import { type CheckResult, ok, problem, warning } from './finding.ts'

/** What is looked at of this process. */
export interface ProcessFacts {
  readonly node: string
  /** The version of the zone data, such as `2025b`; undefined: the runtime does not say it, as Bun does not. */
  readonly zoneData: string | undefined
  /** Whether a zone is known. */
  readonly knowsZone: (zone: string) => boolean
  readonly now: number
}

export function factsOfProcess(now: number): ProcessFacts {
  return { node: process.versions.node, zoneData: process.versions.tz, knowsZone, now }
}

function knowsZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

export function checkProcess(facts: ProcessFacts): readonly CheckResult[] {
  return [checkNode(facts), checkZones(facts)]
}

/** Whether laurels needs a newer Node. */
export function isTooOld(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major < 22 || (major === 22 && minor < 13)
}

function checkNode({ node }: ProcessFacts): CheckResult {
  if (!isTooOld(node)) return ok('node', `Node ${node}`)
  return problem('node', `Node ${node} is older than laurels runs on`, 'install Node 22.13 or newer')
}

/** One of each continent, and one that has a name since 2022. */
const ZONES = ['Europe/London', 'America/New_York', 'Asia/Tokyo', 'Africa/Lagos', 'Australia/Sydney', 'Europe/Kyiv']
const MOST_YEARS = 3

function checkZones({ zoneData, knowsZone: knows, now }: ProcessFacts): CheckResult {
  const unknown = ZONES.filter((zone) => !knows(zone))
  if (unknown.length > 0) {
    const message = `this Node does not know ${unknown.join(', ')}: days of users there would be refused`
    return problem('zones', message, 'install a Node with full ICU')
  }
  if (zoneData === undefined) return ok('zones', 'all that were tried are known')
  const age = new Date(now).getUTCFullYear() - Number.parseInt(zoneData, 10)
  if (age <= MOST_YEARS) return ok('zones', `zone data ${zoneData}`)
  return warning('zones', `the zone data is of ${zoneData}: zones that changed since have other days`, 'update Node')
}
