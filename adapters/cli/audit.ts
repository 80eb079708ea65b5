import type { AuditReport, DefinedGame, Gamification, VerifyOptions } from '../../src/index.ts'
import { toAuditSummary, toDamagedText, toDriftLine } from './audit-text.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import type { Environment } from './environment.ts'
import { readOptions, readWholeNumber } from './options.ts'
import { createScreen } from './screen.ts'
import { checkGame, withStoredGame } from './stored-game.ts'
import { toJsonText } from './text.ts'
import { toUsers, walk } from './walk.ts'
import { readWalkSettings, toWhichUsers, WALK_OPTIONS, type WalkSettings } from './walk-settings.ts'

/** What tells `verify` and `rebuild` apart. */
export interface Audit extends Pick<CliCommand, 'name' | 'help'> {
  /** Whether it has the option `--sample`. */
  readonly draws?: boolean
  run(gamification: Gamification<DefinedGame>, options: VerifyOptions): Promise<AuditReport>
  /** What an interruption leaves behind, and how to go on. */
  readonly goOn: string
  /** `nothing differs`, or how many rows do. */
  describe(rows: number): string
  toExit(rows: number): ExitCode
}

interface AuditSettings extends WalkSettings {
  /** The file of the game that is to be in force. */
  readonly game: string | null
  /** How many users to draw; null: all. */
  readonly sample: number | null
}

export function auditCommand(audit: Audit): CliCommand {
  const { name, help } = audit
  return {
    name,
    help,
    run: async (args, environment) => {
      const settings = readAuditSettings(args, audit, environment)
      if (settings !== null) return runAudit(audit, settings, environment)
      environment.output.out(help)
      return EXIT.ok
    },
  }
}

const DRAWING = { ...WALK_OPTIONS, sample: { type: 'string' } } as const

/** null when help is asked for. */
function readAuditSettings(
  args: readonly string[],
  { draws = false }: Audit,
  environment: Environment,
): AuditSettings | null {
  const values = readOptions(args, draws ? DRAWING : WALK_OPTIONS, 0).values
  if (values.help === true) return null
  const sample = 'sample' in values ? readWholeNumber(String(values.sample), 'sample') : null
  return { ...readWalkSettings(values, environment), game: values.game ?? null, sample }
}

async function runAudit(audit: Audit, settings: AuditSettings, environment: Environment): Promise<ExitCode> {
  const { out } = environment.output
  const screen = createScreen(environment)
  const report = await withStoredGame(settings.database, environment, screen, async (opened) => {
    await checkGame(settings.game, opened)
    const which = await toWhichUsers(settings, opened)
    const { sample } = settings
    const total = Math.min(settings.users?.length ?? opened.users, sample ?? Number.POSITIVE_INFINITY)
    const drawn = sample === null ? {} : { sample }
    return walk(environment, { screen, total, goOn: audit.goOn }, (options) =>
      audit.run(opened.gamification, { ...which, ...drawn, ...options }),
    )
  })
  if (report === null) return EXIT.interrupted
  if (settings.json) out(toJsonText(report))
  else {
    for (const drift of report.drift) out(`${toDriftLine(drift)}\n`)
    out(toDamagedText(report.damaged))
    const damaged = report.damaged.length === 0 ? '' : `, ${toUsers(report.damaged.length)} damaged`
    out(`${toAuditSummary(report)}: ${audit.describe(report.drift.length)}${damaged}\n`)
  }
  return report.damaged.length > 0 ? EXIT.differs : audit.toExit(report.drift.length)
}
