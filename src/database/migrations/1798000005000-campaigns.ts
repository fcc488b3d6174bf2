import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns: one template to many recipients, who become messages as fast as their number may send. */
const statements = [
  `alter table messages add column campaign_id uuid`,
  `comment on column messages.campaign_id is 'The campaign that it was released by.'`,

  `create table campaigns (
    id uuid primary key,
    account_id uuid not null references accounts (id),
    api_key_id uuid not null,
    mode text not null,
    name text not null,
    template_name text not null,
    language text not null,
    reference text,
    per_second int,
    message_events text not null,
    failure_rate real,
    retry_of uuid,
    status text not null default 'draft' check (status in
      ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled')),
    reason text,
    template_hash text,
    total int not null default 0,
    send_at timestamptz,
    fed_at timestamptz,
    failures_from int not null default 0,
    rate_from timestamptz,
    rate_count int not null default 0,
    rate real,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    running_since timestamptz,
    paused_at timestamptz,
    ended_at timestamptz
  )`,
  `comment on column campaigns.reason is 'Why it is paused; null otherwise.'`,
  `comment on column campaigns.template_hash is
    'Of the template and its mapping, as they were when the campaign was started or resumed.'`,
  `comment on column campaigns.fed_at is
    'When its own pace allows the next recipient; null before the first, and without a pace of its own.'`,
  `comment on column campaigns.failures_from is
    'The position from which failures count: that of the first recipient after the last start or resume.'`,
  `comment on column campaigns.running_since is 'When it was started or resumed last.'`,
  `comment on column campaigns.rate is
    'Recipients a second in the last full span of five seconds; rate_count of them since rate_from.'`,
  `create index campaigns_account on campaigns (account_id, id)`,
  `create index campaigns_active on campaigns (id) where status in ('scheduled', 'running', 'paused')`,
  `comment on index campaigns_active is 'What a worker looks at: what is due, runs, or may resume by itself.'`,
  `create index campaigns_retry on campaigns (retry_of) where retry_of is not null`,

  `create table campaign_recipients (
    campaign_id uuid not null references campaigns (id) on delete cascade,
    position int not null,
    recipient text,
    to_user_id text,
    address text not null,
    variables json,
    reference text,
    status text not null default 'pending' check (status in ('pending', 'released', 'skipped')),
    reason text,
    message_id uuid,
    released_at timestamptz,
    result jsonb,
    primary key (campaign_id, position)
  ) with (fillfactor = 80)`,
  `comment on column campaign_recipients.address is
    'Whom it is to, once in a campaign: the contact where one is known, else the number or user id as given.'`,
  `comment on column campaign_recipients.result is
    'What became of its message, kept before the message is deleted.'`,
  `create unique index campaign_recipients_address on campaign_recipients (campaign_id, address)`,
  `create index campaign_recipients_pending on campaign_recipients (campaign_id, position)
    where status = 'pending'`,
  `create index campaign_recipients_unkept on campaign_recipients (released_at)
    where status = 'released' and result is null`,
  `comment on index campaign_recipients_unkept is 'Whose results are only in messages.'`,

  `create table campaign_replays (
    api_key_id uuid not null,
    route text not null,
    key text not null,
    body_digest bytea not null,
    answer json not null,
    expires_at timestamptz not null,
    primary key (api_key_id, route, key)
  )`,
  `comment on table campaign_replays is 'Idempotency keys of requests about campaigns, with what was answered.'`,
  `create index campaign_replays_expiry on campaign_replays (expires_at)`,
];

export class Campaigns1798000005000 implements MigrationInterface {
  name = 'Campaigns1798000005000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
