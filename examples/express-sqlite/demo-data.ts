import type { DefinedGame, Gamification, ImportItem } from 'laurels'

const NAMES = [
  ...['Ada', 'Bruno', 'Chidi', 'Dana', 'Emre', 'Farah', 'Goran', 'Hana', 'Ines', 'Jonas', 'Keiko', 'Luca'],
  ...['Mina', 'Noor', 'Olga', 'Pedro', 'Quinn', 'Rosa', 'Sven', 'Tariq', 'Uma', 'Vera', 'Wanda', 'Yusuf'],
]
const ZONES = ['Europe/London', 'Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'Asia/Kolkata', 'Asia/Tokyo']
const DAYS = 60
const DAY_MS = 86_400_000

/** True if the database has no users. */
export async function isEmpty<G extends DefinedGame>(gamification: Gamification<G>): Promise<boolean> {
  const { users } = await gamification.users.list({ limit: 1 })
  return users.length === 0
}

/** Made-up readers of the last sixty days: some every day, some now and then, some who have stopped. */
export function* makeReaders(now: Date): Generator<ImportItem<'pages'>> {
  const next = makeRandom(18)
  for (const [index, name] of NAMES.entries()) {
    const id = name.toLowerCase()
    const tz = ZONES[index % ZONES.length] ?? 'Europe/London'
    const zeal = 0.3 + 0.68 * next()
    const stops = next() < 0.25 ? Math.floor(next() * DAYS) : DAYS
    for (let day = Math.floor((next() * DAYS) / 3); day < stops; day += 1) {
      if (next() > zeal) continue
      const occurredAt = new Date(now.getTime() - (DAYS - day) * DAY_MS + Math.floor(next() * DAY_MS))
      const user = { id, name, tz, email: `${id}@example.com` }
      yield {
        metric: 'pages',
        user,
        value: 3 + Math.floor(45 * next() ** 2),
        occurredAt,
        idempotencyKey: `demo-${id}-${day}`,
      }
    }
  }
}

/** Returns numbers from 0 to 1, the same sequence in each run. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
