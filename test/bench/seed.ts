import { createGamification, type DefinedGame, type Storage } from '../../src/index.ts'

/** The first event of a user, on the metric `words`. */
export interface FirstEvent {
  readonly user: string
  readonly value: number
  readonly at: number
}

/** Makes the tables, and puts users there before, each with one event of the past. Closes the storage. */
export async function seedUsers(
  storage: Storage,
  game: DefinedGame,
  users: number,
  firstOf: (index: number) => FirstEvent,
): Promise<void> {
  const library = createGamification({ game, storage })
  await library.migrate()
  await library.import(firstEvents(users, firstOf))
  await library.close()
}

function* firstEvents(users: number, firstOf: (index: number) => FirstEvent) {
  for (let index = 0; index < users; index += 1) {
    const { user: id, value, at } = firstOf(index)
    yield { metric: 'words', user: { id }, value, occurredAt: new Date(at) }
  }
}
