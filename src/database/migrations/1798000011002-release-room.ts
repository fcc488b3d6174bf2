import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  /*
   * Two seconds of pace, or 2,000 messages of a number without one, less what is queued and due. Released messages that
   * wait for a later try take no room until they are as many again: a pause leaves that many behind. Others that wait
   * take none at all. A number on hold has none, or room for one message that shows whether it works again.
   */
  `create function release_room(of_account uuid, of_mode text) returns int language plpgsql as $$
  declare
    most int;
    due int;
    later int;
    -- Not now(): what another transaction has just released may be of a moment after this one began.
    moment timestamptz := clock_timestamp();
  begin
    select case when of_mode = 'test' then 2000
        when a.hold_kind = 'paused' and a.hold_probe = 'open' then 1
        when a.hold_kind is not null then 0
        when a.messages_per_second is null then 2000
        else ceil(2 * pace_of(a.messages_per_second, a.learnt_per_second, a.learnt_at))::int end
      into most from accounts a where a.id = of_account;
    select count(*) into due from (
      select from messages m
      where m.status = 'queued' and m.account_id = of_account and m.mode = of_mode
        and m.waiting in (false, true) and m.next_attempt_at <= moment limit most) q;
    if due >= most then
      return 0;
    end if;
    select count(*) into later from (
      select from messages m
      where m.status = 'queued' and m.account_id = of_account and m.mode = of_mode
        and not m.waiting and m.next_attempt_at > moment
        and (m.campaign_id is not null or m.send_at is not null) limit 2 * most) q;
    return greatest(0, least(most - due, 2 * most - due - later));
  end $$`,

  /*
   * The same for who releases: the room is theirs until the end of their transaction. Who asks meanwhile gets none; who
   * asks after it counts what that one has released, since each statement of the function sees what is committed by then.
   */
  `create or replace function take_release_room(of_account uuid, of_mode text) returns int language plpgsql as $$
  begin
    if not pg_try_advisory_xact_lock(7243, hashtext(of_account || of_mode)) then
      return 0;
    end if;
    if of_mode = 'live' and take_probe(of_account) then
      return 1;
    end if;
    return release_room(of_account, of_mode);
  end $$`,
];

/** Messages that wait for a later try stop no campaign and no scheduled message of their number. */
export class ReleaseRoom1798000011002 implements MigrationInterface {
  name = 'ReleaseRoom1798000011002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
