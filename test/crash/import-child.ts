import { runAndKill, runChild } from './child.ts'

/** Imports the lines of `args.items` at the instant `args.now`, and reports each stored item at once. */
const SCRIPT = `
  import { createReadStream } from 'node:fs'
  import { createInterface } from 'node:readline'
  const storage = sqlite(args.file, { synchronous: args.synchronous })
  // The storage's word that a save is durable comes before the importer's, and for each event.
  const saying = {
    ...storage,
    commit: async (requests, decide) => {
      const saves = new Map()
      const failed = await storage.commit(requests, (users, epoch) => {
        const decided = decide(users, epoch)
        users.forEach(({ user }, index) => saves.set(user, decided[index]))
        return decided
      })
      const entries = [...saves.values()].flatMap((save) => save?.appended ?? [])
      const keys = entries.filter(({ kind }) => kind === 'eventRecorded').map((entry) => entry.metric + ' ' + entry.idempotencyKey)
      if (keys.length > 0) say('stored ' + keys.join())
      return failed
    },
  }
  async function* items() {
    for await (const line of createInterface({ input: createReadStream(args.items, 'utf8') })) {
      const { occurredAt, ...item } = JSON.parse(line)
      yield { ...item, occurredAt: new Date(occurredAt) }
    }
  }
  const clock = () => new Date(args.now)
  const engine = createGamification({ game: defineGame(args.definition), storage: saying, clock })
  await engine.migrate()
  say('importing')
  const report = await engine.import(items(), { onProgress: ({ recorded, replayed }) => say('progress ' + (recorded + replayed)) })
  await engine.close()
  say('done ' + JSON.stringify(report))
`

export interface ImportArgs {
  readonly file: string
  /** The path of a file with one item in each line, as JSON. */
  readonly items: string
  readonly synchronous: 'NORMAL' | 'FULL'
  readonly now: string
  readonly definition: unknown
}

interface ImportKill {
  /** Killed when so many events have been acknowledged in all, or, if they have been already, when it starts. */
  readonly acknowledged: number
  /** Milliseconds after that. */
  readonly delay: number
}

/** The entries that all processes of one history have acknowledged. */
export interface Acknowledged {
  readonly keys: Set<string>
  /** The highest number of items that an import said to be recorded, by it or before. */
  settled: number
}

/** True if it was killed; false if the import ended before. */
export async function killImport(
  directory: string,
  args: ImportArgs,
  said: Acknowledged,
  { acknowledged, delay }: ImportKill,
): Promise<boolean> {
  const onLine = (line: string): void => {
    const [word, rest = ''] = splitAtSpace(line)
    if (word === 'stored') for (const key of rest.split(',')) said.keys.add(key)
    if (word === 'progress') said.settled = Math.max(said.settled, Number(rest))
  }
  const isDue = (line: string): boolean => line !== '' && said.keys.size >= acknowledged
  const ending = await runAndKill({ directory, script: SCRIPT, args: { ...args }, onLine }, isDue, delay)
  return ending === 'killed'
}

interface Counts {
  readonly read: number
  readonly recorded: number
  readonly replayed: number
  readonly refused: number
}

/** Runs the import to its end. */
export async function finishImport(directory: string, args: ImportArgs): Promise<Counts> {
  const lines = await runChild({ directory, script: SCRIPT, args: { ...args } })
  const counts: Counts = JSON.parse(splitAtSpace(lines.at(-1) ?? '')[1] ?? '')
  return counts
}

function splitAtSpace(line: string): readonly [string, string?] {
  const place = line.indexOf(' ')
  return place === -1 ? [line] : [line.slice(0, place), line.slice(place + 1)]
}
