import type { AuditOptions, AuditReport, DefinedGame, Gamification } from '../../src/index.ts'
import { toAuditSummary, toDamagedLine, toDriftLine } from './audit-text.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import type { Environment } from './environment.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { checkGame, withStoredGame } from './stored-game.ts'
import { toJsonText } from './text.ts'
import { toUsers, walk } from './walk.ts'
import { readWalkSettings, toWhichUsers, WALK_OPTIONS, type WalkSettings } from './walk-settings.ts'

/** What tells `verify` and `rebuild` apart. */
export interface Audit extends Pick<CliCommand, 'name' | 'help'> {
  run(gamification: Gamification<DefinedGame>, options: AuditOptions): Promise<AuditReport>
  /** What an interruption leaves behind, and how to go on. */
  readonly goOn: string
  /** `nothing differs`, or how many rows do. */
  describe(rows: number): string
  toExit(rows: number): ExitCode
}

interface AuditSettings extends WalkSettings {
  /** The file of the game that is to be in force. */
  readonly game: string | null
}

export function auditCommand(audit: Audit): CliCommand {
  const { name, help } = audit
  return {
    name,
    help,
    run: async (args, environment) => {
      const settings = readAuditSettings(args, environment)
      if (settings !== null) return runAudit(audit, settings, environment)
      environment.output.out(help)
      return EXIT.ok
    },
  }
}

/** null when help is asked for. */
function readAuditSettings(args: readonly string[], environment: Environment): AuditSettings | null {
  const { values } = readOptions(args, WALK_OPTIONS, 0)
  return values.help === true ? null : { ...readWalkSettings(values, environment), game: values.game ?? null }
}

async function runAudit(audit: Audit, settings: AuditSettings, environment: Environment): Promise<ExitCode> {
  const { out } = environment.output
  const screen = createScreen(environment)
  const report = await withStoredGame(settings.database, environment, screen, async (opened) => {
    await checkGame(settings.game, opened)
    const which = await toWhichUsers(settings, opened)
    const total = settings.users?.length ?? opened.users
    return walk(environment, { screen, total, goOn: audit.goOn }, (options) =>
      audit.run(opened.gamification, { ...which, ...options }),
    )
  })
  if (report === null) return EXIT.interrupted
  if (settings.json) out(toJsonText(report))
  else {
    for (const drift of report.drift) out(`${toDriftLine(drift)}\n`)
    for (const damaged of report.damaged) out(`${toDamagedLine(damaged)}\n`)
    const damaged = report.damaged.length === 0 ? '' : `, ${toUsers(report.damaged.length)} damaged`
    out(`${toAuditSummary(report)}: ${audit.describe(report.drift.length)}${damaged}\n`)
  }
  return report.damaged.length > 0 ? EXIT.differs : audit.toExit(report.drift.length)
}
