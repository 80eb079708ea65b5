/** Released: not to be changed. */
export const REGISTER_V1: string = `create or replace function "laurels".register_v1(process text, now bigint) returns void language plpgsql set lock_timeout = '5s' as $laurels$
begin
  -- Processes of an older version do not say when they save.
  update "laurels".processes set used_at = now where used_at is null;
  delete from "laurels".processes where id in (
    select p.id from "laurels".processes p where p.used_at < now - 86400000 for update skip locked
  );
  insert into "laurels".processes (id, batch, outcome, used_at) values (process, 0, 'registered', now) on conflict do nothing;
end
$laurels$`
