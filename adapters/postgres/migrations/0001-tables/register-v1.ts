/** Released: not to be changed. */
export const REGISTER_V1: string = `create or replace function "laurels".register_v1(process text, now bigint) returns void language plpgsql set lock_timeout = '5s' as $laurels$
begin
  delete from "laurels".processes where id in (
    select p.id from "laurels".processes p where p.used_at < now - 86400000 for update skip locked
  );
  insert into "laurels".processes (id, batch, outcome, used_at) values (process, 0, 'registered', now) on conflict do nothing;
end
$laurels$`
