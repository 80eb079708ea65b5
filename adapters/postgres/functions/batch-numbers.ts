import { quote } from '../quote.ts'
import { TAG, withTag } from './text.ts'

/** Longer than any process leaves a batch unsettled; one that comes back later is registered anew. */
const UNUSED_MS = 86_400_000

/**
 * Registers a process, at batch 0, and removes those that have saved nothing for a day, by the clocks of the processes. That is safe
 * whenever it happens: a save is taken only from a process that is registered, and never registers one.
 */
export function registerFunction(schema: string): string {
  const processes = `${quote(schema)}.processes`
  return withTag(`
create or replace function ${quote(schema)}.register(process text, now bigint) returns void language plpgsql set lock_timeout = '5s' as ${TAG}
begin
  delete from ${processes} where id in (
    select p.id from ${processes} p where p.used_at < now - ${UNUSED_MS} for update skip locked
  );
  insert into ${processes} (id, batch, outcome, used_at) values (process, 0, 'registered', now) on conflict do nothing;
end
${TAG}`)
}

/**
 * Settles how a batch ended whose answer got lost: waits until the save is through, or makes sure that it never will be.
 * Answers `saved` or `fenced`; null where the process is not known by this number: then the save will not be taken any
 * more, but may have been.
 */
export function fenceFunction(schema: string): string {
  const processes = `${quote(schema)}.processes`
  return withTag(`
create or replace function ${quote(schema)}.fence(process text, number bigint) returns text language plpgsql set lock_timeout = '5s' as ${TAG}
begin
  update ${processes} p set batch = number, outcome = 'fenced' where p.id = process and p.batch = number - 1;
  return (select p.outcome from ${processes} p where p.id = process and p.batch = number);
end
${TAG}`)
}
