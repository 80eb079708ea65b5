import type { DefinedGame, WhatIfReport, WhatIfUser } from '../../src/index.ts'
import { toDamagedText } from './audit-text.ts'
import { type Cell, toTable } from './table.ts'
import { toCount } from './text.ts'
import { nameTriggers } from './trigger-names.ts'
import { toUsers } from './walk.ts'

/** How many of the users with the largest differences are printed. */
const MOST_USERS = 10

/** `games`: those whose names its triggers go by. */
export function toWhatIfText(report: WhatIfReport, games: readonly DefinedGame[]): string {
  const { users, changed, achievements, points, triggers, levels, leaderboards, largest, damaged } = report
  const nameTrigger = nameTriggers(games)
  const blocks = [
    `${toUsers(users)} checked: ${changed === 0 ? 'none' : toCount(changed)} would gain or lose something\n`,
    section(
      ['achievement', 'users gain', 'users lose'],
      achievements.map(({ key, gained, lost }) => [key, gained, lost]),
    ),
    section(
      ['points', 'users gain', 'minted', 'users lose', 'gone'],
      points.map(({ system, gains, minted, loses, gone }) => [system, gains, minted, loses, gone]),
    ),
    section(
      ['trigger', 'users gain', 'minted', 'users lose', 'gone'],
      triggers.map(({ system, trigger, gains, minted, loses, gone }) => {
        return [nameTrigger(system, trigger), gains, minted, loses, gone]
      }),
    ),
    section(
      ['levels', 'users up', 'users down'],
      levels.map(({ system, up, down }) => [system, up, down]),
    ),
    section(
      ['leaderboard', 'users enter', 'leave', 'go up', 'go down'],
      leaderboards.map(({ key, entered, left, up, down }) => [key, entered, left, up, down]),
    ),
    toLargest(largest),
    toDamagedText(damaged),
  ]
  return blocks.filter((block) => block !== '').join('\n')
}

function section(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return rows.length === 0 ? '' : toTable(header, rows)
}

function toLargest(largest: readonly WhatIfUser[]): string {
  const hasTenants = largest.some(({ tenant }) => tenant !== '')
  const rows = largest.slice(0, MOST_USERS).map(({ tenant, user, points, gained, lost }) => {
    const amounts = Object.entries(points).map(([system, by]) => `${system} ${by > 0 ? '+' : ''}${toCount(by)}`)
    const cells = [user, amounts.join(', '), gained.join(', '), lost.join(', ')]
    return hasTenants ? [tenant, ...cells] : cells
  })
  const header = ['largest differences', 'points', 'gains', 'loses']
  return section(hasTenants ? ['tenant', ...header] : header, rows)
}
