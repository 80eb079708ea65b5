import type { ImportProgress } from '../../src/engine/calls/write/import-report.ts'
import type { ErrorCode } from '../../src/errors.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/gamification.ts'
import type { ImportItem } from '../../src/requests/types/metric-event.ts'
import { type Items, toItems } from './import-items.ts'
import type { ImportSettings } from './import-settings.ts'
import { isExported, type Line } from './line.ts'
import type { Screen } from './screen.ts'
import { ofTenant } from './tenant.ts'
import { plural, toCount } from './text.ts'

export interface RefusedLine {
  readonly line: number
  readonly code: ErrorCode
  readonly message: string
}

export interface ImportSummary extends ImportProgress {
  readonly withoutKey: number
  /** The first ones, in the order of their lines. */
  readonly refusals: readonly RefusedLine[]
}

export interface ImportInput {
  readonly game: DefinedGame
  readonly lines: AsyncIterable<Line>
  readonly fractionRead: () => number | null
  readonly signal: AbortSignal
}

export const NOT_TWICE = 'what has an idempotencyKey is not recorded twice'

/** Counts what is read and refused, and shows it. */
interface Watch {
  refuse(refusal: RefusedLine): void
  onLine(line: number, problem: string | null): void
  /** How many lines were no items. */
  unreadable(): number
  /** The line read last; 0 before the first. */
  lastLine(): number
  readonly refusals: readonly RefusedLine[]
}

export interface ImportOutcome {
  readonly summary: ImportSummary
  readonly items: Items
}

/** Throws what stopped the import; what was recorded by then stays. */
export async function runImport(input: ImportInput, settings: ImportSettings, screen: Screen): Promise<ImportOutcome> {
  const { game, signal } = input
  const { isExport, lines } = await lookAhead(input.lines)
  const watch = createWatch(settings.maxErrors, screen, input.fractionRead)
  const items = toItems(lines, { signal, onLine: watch.onLine })
  const storage = settings.database.open()
  const gamification = createGamification({
    game,
    storage,
    logger: { warn: (_, message) => screen.line(`Warning: ${message}`), error: (_, message) => screen.line(message) },
  })
  try {
    // An export brings the games that its users had.
    if (isExport) await storage.migrate()
    else await gamification.migrate()
    const report = await ofTenant(gamification, settings.tenant).import(items.items as AsyncIterable<ImportItem>, {
      notify: settings.notify,
      onRefused: ({ index, code, message }) => watch.refuse({ line: items.lineOf(index), code, message }),
    })
    return { summary: summarize(report, watch, items), items }
  } catch (error) {
    const line = watch.lastLine()
    if (line > 0) screen.line(`Stopped near line ${line}. Run the same command again to resume; ${NOT_TWICE}.`)
    throw error
  } finally {
    screen.clear()
    await gamification.close()
  }
}

/** Whether the first line is one of an export, and all lines. */
async function lookAhead(given: AsyncIterable<Line>): Promise<{
  readonly isExport: boolean
  readonly lines: AsyncIterable<Line>
}> {
  const iterator = given[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* all(): AsyncGenerator<Line> {
    for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
  }
  const isExport = first.done !== true && 'item' in first.value && isExported(first.value.item)
  return { isExport, lines: all() }
}

function createWatch(maxErrors: number, screen: Screen, fractionRead: () => number | null): Watch {
  const refusals: RefusedLine[] = []
  let read = 0
  let refused = 0
  let unreadable = 0
  let lastLine = 0

  function refuse(refusal: RefusedLine): void {
    refused += 1
    if (refusals.length >= maxErrors) return
    refusals.push(refusal)
    screen.line(`line ${refusal.line}: ${refusal.message}`)
  }

  return {
    refusals,
    refuse,
    onLine: (line, problem) => {
      read += 1
      lastLine = line
      if (problem !== null) {
        unreadable += 1
        refuse({ line, code: 'invalid_request', message: problem })
      }
      const counts = (): readonly string[] => [plural(read, 'line'), `${toCount(refused)} refused`]
      screen.show({ done: read, counts, fraction: fractionRead() })
    },
    unreadable: () => unreadable,
    lastLine: () => lastLine,
  }
}

function summarize(progress: ImportProgress, watch: Watch, items: Items): ImportSummary {
  const { read, recorded, replayed, refused, held } = progress
  return {
    read: read + watch.unreadable(),
    recorded,
    replayed,
    refused: refused + watch.unreadable(),
    ...(held === undefined ? {} : { held }),
    withoutKey: items.withoutKey(),
    refusals: [...watch.refusals].sort((left, right) => left.line - right.line),
  }
}
