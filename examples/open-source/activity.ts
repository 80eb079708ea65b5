import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { ImportItem } from 'laurels'

export type Activity = ImportItem<'commits' | 'lines-added', never, 'project'>

const HEADER = 'idempotencyKey,userId,tz,project,commits,linesAdded,occurredAt'

/** The rows of an activity file as metric events, two for each row, in the order of the file. Reads line by line. */
export async function* readActivity(file: string): AsyncGenerator<Activity> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    number += 1
    if (number === 1) {
      if (line !== HEADER) throw new Error(`${file}: the first line must be ${HEADER}`)
    } else if (line !== '') {
      yield* toActivities(line, `${file}, line ${number}`)
    }
  }
}

function toActivities(line: string, place: string): readonly Activity[] {
  const [idempotencyKey, id, tz, project, commits, lines, time, ...others] = line.split(',')
  if (idempotencyKey === undefined || id === undefined || tz === undefined || project === undefined) {
    throw new Error(`${place}: too few columns`)
  }
  const occurredAt = new Date(time ?? '')
  const areCounts = [commits, lines].every((count) => count !== undefined && /^\d+$/.test(count))
  if (others.length > 0 || !areCounts || Number.isNaN(occurredAt.getTime())) {
    throw new Error(`${place}: expected ${HEADER}`)
  }
  const common = { user: { id, tz }, attributes: { project }, idempotencyKey, occurredAt }
  return [
    { ...common, metric: 'commits', value: Number(commits) },
    { ...common, metric: 'lines-added', value: Number(lines) },
  ]
}
