import type { LateCommands } from '../replay/late-entries.ts'
import type { Command, Outcome } from '../types.ts'

/**
 * The commands, with one more for each further void that they name, so that each void has an entry of its own in one
 * fold.
 */
export function withEveryVoid(late: LateCommands): LateCommands {
  if (late.commands.every(({ voids }) => voids === undefined)) return late
  const commands: Command[] = []
  const found: (string | null)[] = []
  for (const [index, command] of late.commands.entries()) {
    commands.push(command)
    found.push(late.view.found[index] ?? null)
    const { body, voids = [] } = command
    if (body.kind !== 'eventVoided') continue
    for (const { entryId, event } of voids) {
      commands.push({ ...command, entryId, body: { ...body, event } })
      found.push(null)
    }
  }
  return { ...late, commands, view: { ...late.view, found } }
}

/**
 * The outcomes of the commands as they came: of several voids the outcome of the first recorded one, which tells of
 * all.
 */
export function ofCommands(late: LateCommands, outcomes: readonly Outcome[]): readonly Outcome[] {
  let first = 0
  return late.commands.map(({ voids }) => {
    const own = outcomes.slice(first, first + 1 + (voids?.length ?? 0))
    first += own.length
    const recorded = own.filter((outcome) => outcome.type === 'recorded')
    const told = recorded[0] ?? own[0]
    if (told === undefined) throw new RangeError('Every command has an outcome')
    return voids === undefined || told.type !== 'recorded' ? told : { ...told, voided: recorded.length }
  })
}
