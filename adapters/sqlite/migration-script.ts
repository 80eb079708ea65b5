import { migrationStatements } from '../sql/migrations.ts'
import { sqliteTraits } from './traits.ts'

/** What `migrate()` would run on a file where `applied` has been run, as one transaction for somebody who runs it by hand. */
export function migrationScript(applied: readonly string[]): string {
  const statements = ['begin immediate', ...migrationStatements(sqliteTraits, applied), 'commit']
  return statements.map((text) => `${text};\n`).join('\n')
}
