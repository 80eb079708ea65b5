import type { DefinedGame, ImportReport } from '../../../src/index.ts'
import { plural, toJsonText, toLine } from '../text.ts'
import { DEMO_DAYS, type DemoItem } from './history.ts'
import type { DemoSettings } from './settings.ts'

interface DemoText {
  readonly game: DefinedGame
  readonly settings: DemoSettings
  readonly took: number
}

/** What was done, and what there is to look at. */
export function toDemoText(
  report: ImportReport,
  items: readonly DemoItem[],
  { game, settings, took }: DemoText,
): string {
  const { database, tenant } = settings
  const [achievement] = game.rules.achievements.keys()
  const [user] = usersOf(items)
  const of = `${database.option}${tenant === null ? '' : ` --tenant ${tenant}`}`
  const calls = [
    `laurels console${database.option}`,
    `laurels info${database.option}`,
    ...(achievement === undefined || user === undefined
      ? []
      : [`laurels explain ${user} --achievement ${achievement}${of}`]),
    `laurels verify${database.option}`,
  ]
  const lines = [
    `recorded ${plural(report.recorded, 'event')} of ${plural(usersOf(items).size, 'user')} in ${DEMO_DAYS} days, ` +
      `in ${(took / 1_000).toFixed(1)} s`,
    ...(report.replayed > 0 ? [`there already: ${plural(report.replayed, 'event')}`] : []),
    ...(report.refused > 0 ? [toRefused(report)] : []),
    'Look at it:',
    ...calls.map((call) => `  npx ${call}`),
  ]
  return lines.map((line) => `${toLine(line)}\n`).join('')
}

function toRefused({ refused, refusals: [first] }: ImportReport): string {
  return `refused by the game: ${plural(refused, 'event')}, such as: ${first?.message ?? ''}`
}

export function toDemoJson(report: ImportReport, items: readonly DemoItem[]): string {
  const { recorded, replayed, refused } = report
  return toJsonText({ users: usersOf(items).size, days: DEMO_DAYS, recorded, replayed, refused })
}

function usersOf(items: readonly DemoItem[]): ReadonlySet<string> {
  return new Set(items.map(({ user }) => user.id))
}
