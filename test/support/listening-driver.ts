import Database from 'better-sqlite3'
import type { SqliteDriver } from '../../adapters/sqlite/index.ts'

/** Called before a statement runs. */
export type BeforeStatement = (database: Database.Database, text: string, values: readonly unknown[]) => void

/** better-sqlite3; `before` is called when statements are asked in one of the ways that `names` has. */
export function listeningDriver(names: readonly ('run' | 'all' | 'get')[], before: BeforeStatement): SqliteDriver {
  return class extends Database {
    constructor(...given: ConstructorParameters<typeof Database>) {
      super(...given)
      const prepare = this.prepare.bind(this)
      this.prepare = ((text: string) => {
        const statement = prepare(text)
        const listening = names.map((name) => {
          const ask = statement[name].bind(statement)
          return [
            name,
            (...values: unknown[]): unknown => {
              before(this, text, values)
              return ask(...values)
            },
          ]
        })
        return Object.assign(statement, Object.fromEntries(listening))
      }) as typeof this.prepare
    }
  }
}
