import { migrationStatements } from '../sql/migrations.ts'
import { quote } from './quote.ts'
import { postgresTraits } from './traits.ts'

/**
 * What `migrate()` would run in a schema where `applied` has been run, as one transaction for somebody who runs it by hand.
 * Ends in an error, and changes nothing, where somebody else has migrated meanwhile.
 */
export function migrationScript(schema: string, exists: boolean, applied: readonly string[]): string {
  const statements = [
    // Whatever the database's default is: what is copied has to be seen once it is locked.
    'begin isolation level read committed',
    // The lock that `migrate()` takes.
    `select pg_advisory_xact_lock(hashtextextended('${`laurels ${schema}`.replaceAll("'", "''")}', 0))`,
    CHECK_ENCODING,
    ...(exists ? [] : [`create schema ${quote(schema)}`]),
    ...migrationStatements(postgresTraits(schema), applied),
    'commit',
  ]
  return statements.map((text) => `${text};\n`).join('\n')
}

/** In another encoding than UTF8 not every text can be kept. */
const CHECK_ENCODING = `do $check$ begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'The database has the encoding %: laurels needs one with UTF8.', current_setting('server_encoding');
  end if;
end $check$`
