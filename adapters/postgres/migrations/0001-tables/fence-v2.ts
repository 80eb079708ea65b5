/** Released: not to be changed. */
export const FENCE_V2: string = `create or replace function "laurels".fence_v2(process text, number bigint) returns text language plpgsql set lock_timeout = '5s' as $laurels$
begin
  update "laurels".processes p set batch = number, outcome = 'fenced' where p.id = process and p.batch = number - 1;
  return (select p.outcome from "laurels".processes p where p.id = process and p.batch = number);
end
$laurels$`
