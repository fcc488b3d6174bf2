import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users whom a business knows by phone number, user id or both, and messages to user ids. */
export class Contacts1798000000000 implements MigrationInterface {
  name = 'Contacts1798000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back: restore a backup.');
  }
}

const statements = [
  `create table contacts (
    id uuid primary key,
    account_id uuid not null,
    mode text not null,
    phone text,
    user_id text,
    parent_user_id text,
    username text,
    name text,
    last_inbound_at timestamptz,
    merged_into uuid references contacts on delete cascade deferrable initially deferred,
    created_at timestamptz not null default now(),
    active_at timestamptz not null default now()
  )`,
  `comment on column contacts.merged_into is
    'The contact that this one turned out to be; it has no ids of its own then.'`,
  `comment on column contacts.active_at is 'When the platform last named it, to the day.'`,
  `create unique index contacts_phone on contacts (account_id, mode, phone) where phone is not null`,
  `create unique index contacts_user_id on contacts (account_id, mode, user_id)
    where user_id is not null`,
  `create index contacts_parent on contacts (account_id, mode, parent_user_id)
    where parent_user_id is not null`,
  `create index contacts_merged on contacts (merged_into) where merged_into is not null`,
  `create index contacts_active on contacts (active_at)`,

  `create table contact_former_ids (
    account_id uuid not null,
    mode text not null,
    user_id text not null,
    contact_id uuid not null references contacts on delete cascade deferrable initially deferred,
    primary key (account_id, mode, user_id)
  )`,
  `comment on table contact_former_ids is 'User ids that the platform has replaced by another one.'`,
  `create index contact_former_ids_contact on contact_former_ids (contact_id)`,

  /* Brazil: the platform knows mobile numbers from before the ninth digit without it. */
  `create function phone_forms(phone text) returns text[] language sql immutable as $$
    select case
      when phone not like '+55%' then array[phone]
      when phone ~ '^\\+55\\d\\d9[6-9]\\d{7}$' then array[phone, left(phone, 5) || right(phone, 8)]
      when phone ~ '^\\+55\\d\\d[6-9]\\d{7}$' then array[phone, left(phone, 5) || '9' || right(phone, 8)]
      else array[phone] end
  $$`,

  `alter table messages alter column recipient drop not null`,
  `alter table messages add column to_user_id text`,
  `alter table messages add column address text`,
  `comment on column messages.to_user_id is 'The user id that the caller gave.'`,
  `comment on column messages.address is
    'The user id that it was sent to, where the platform had replaced the one that the caller gave.'`,
  `create index messages_user_id on messages (account_id, to_user_id) where to_user_id is not null`,
  `comment on index messages_user_id is 'The messages to a user id.'`,
];
