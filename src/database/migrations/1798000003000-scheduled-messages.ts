import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages to send later wait in a table of their own, so that what is queued stays small. A message is in one of both
 * tables: its release, its cancellation and its failure move the row.
 */
const statements = [
  `alter table messages add column send_at timestamptz, add column queued_at timestamptz`,
  `comment on column messages.send_at is 'When it was to be sent; null: at once.'`,
  `comment on column messages.queued_at is
    'When a scheduled message was released. What was sent at once is queued from created_at on.'`,

  `create table scheduled_messages (
    id uuid primary key,
    account_id uuid not null,
    api_key_id uuid not null,
    mode text not null,
    type text not null,
    recipient text,
    to_user_id text,
    reference text,
    payload json not null,
    sent_as text,
    fallback json,
    traceparent text,
    send_at timestamptz not null,
    expires_at timestamptz not null,
    expires_in int,
    needs_mapping boolean not null default false,
    needs_window boolean not null default false,
    media_until timestamptz,
    route text,
    key text,
    withdrawn boolean not null default false,
    created_at timestamptz not null
  )`,
  `comment on column scheduled_messages.expires_in is
    'The seconds from send_at to expires_at; null where the caller has named a moment, which stays when send_at is moved.'`,
  `comment on column scheduled_messages.needs_mapping is
    'Its template was filled by the mapping of its key, which must still fit when it is released.'`,
  `comment on column scheduled_messages.needs_window is
    'The caller wants it sent only if the window of the recipient is not closed.'`,
  `comment on column scheduled_messages.media_until is 'How long the platform keeps the first of its files to go.'`,
  `comment on column scheduled_messages.route is
    'With key, the idempotency key of the request, which is kept until 24 hours after the row has gone.'`,
  `comment on column scheduled_messages.withdrawn is
    'It holds the place of a message whose caller got 503, so that a late commit of it fails.'`,
  `create index scheduled_messages_due on scheduled_messages (account_id, mode, send_at, id)`,
  `comment on index scheduled_messages_due is 'What is due, number by number.'`,
  `create index scheduled_messages_expiring on scheduled_messages (expires_at)`,
  `comment on index scheduled_messages_expiring is 'What could not be released in time.'`,
  `create index scheduled_messages_account on scheduled_messages (account_id, id)`,
  `comment on index scheduled_messages_account is 'The messages of an account, newest first.'`,
  `create index scheduled_messages_recipient on scheduled_messages (account_id, recipient)`,
  `comment on index scheduled_messages_recipient is 'The messages to a recipient.'`,
  `create index scheduled_messages_user_id on scheduled_messages (account_id, to_user_id)
    where to_user_id is not null`,
  `comment on index scheduled_messages_user_id is 'The messages to a user id.'`,
  `create index scheduled_messages_reference on scheduled_messages (account_id, reference text_pattern_ops)
    where reference is not null`,
  `comment on index scheduled_messages_reference is
    'The messages with a caller''s own reference, or with its beginning.'`,

  /*
   * Two seconds of pace, or 2,000 messages of a number without one, less what is queued. Who asks while another
   * transaction has room for the number gets none; who asks after it counts what that one has released, since each
   * statement of the function sees what is committed by then.
   */
  `create function take_release_room(of_account uuid, of_mode text) returns int language plpgsql as $$
  declare
    most int;
    queued int;
  begin
    if not pg_try_advisory_xact_lock(7243, hashtext(of_account || of_mode)) then
      return 0;
    end if;
    select case when of_mode = 'test' then 2000
        when a.hold_kind is not null then 0
        when a.messages_per_second is null then 2000
        else ceil(2 * pace_of(a.messages_per_second, a.learnt_per_second, a.learnt_at))::int end
      into most from accounts a where a.id = of_account;
    select count(*) into queued from (
      select from messages m
      where m.status = 'queued' and m.account_id = of_account and m.mode = of_mode limit most) q;
    return greatest(0, most - queued);
  end $$`,
];

export class ScheduledMessages1798000003000 implements MigrationInterface {
  name = 'ScheduledMessages1798000003000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
