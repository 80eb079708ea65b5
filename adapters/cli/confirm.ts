import type { Environment } from './environment.ts'
import { toLine, wrongCall } from './text.ts'

/** Throws where something cannot be undone, and nobody has said yes to it: by `--yes`, or by typing the id. `what` it does. */
export async function confirm(environment: Environment, isGiven: boolean, what: string, id: string): Promise<void> {
  if (isGiven) return
  if (!environment.canAsk) throw wrongCall(`this ${what} ${toLine(id)} for good: say --yes`)
  const answer = await environment.ask(`This ${what} ${toLine(id)} for good. Type its id to go on: `)
  if (answer !== id) throw wrongCall('that was not the id: nothing was changed')
}
