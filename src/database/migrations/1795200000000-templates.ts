import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Templates as last synced, the mappings of keys onto them, and how the syncs went. */
export class Templates1795200000000 implements MigrationInterface {
  name = 'Templates1795200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'drop table if exists template_lookups, template_syncs, template_mappings, templates',
    );
  }
}

const statements = [
  /*
   * A template that the platform no longer has stays as a row, so that its mappings do: it often comes
   * back. Name and language are compared byte by byte, in the order in which lists page.
   */
  `create table templates (
    id uuid primary key,
    account_id uuid not null references accounts (id),
    mode text not null check (mode in ('live', 'test')),
    name text collate "C" not null,
    language text collate "C" not null,
    platform_id text,
    category text not null,
    status text not null,
    parameter_format text not null check (parameter_format in ('POSITIONAL', 'NAMED')),
    components jsonb not null,
    quality_score text,
    rejected_reason text,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (account_id, mode, name, language)
  )`,

  `create table template_mappings (
    api_key_id uuid not null references api_keys (id) on delete cascade,
    template_id uuid not null references templates (id),
    variables jsonb not null,
    broken_reason text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (api_key_id, template_id)
  )`,
  `create index template_mappings_template on template_mappings (template_id)`,
  `comment on column template_mappings.broken_reason is
    'Why the mapping does not fit the template as it is now; null while it does.'`,

  /* One sync an account and mode at a time: who holds run_id until running_until is running it. */
  `create table template_syncs (
    account_id uuid not null references accounts (id),
    mode text not null check (mode in ('live', 'test')),
    run_id uuid,
    running_until timestamptz,
    started_at timestamptz,
    synced_at timestamptz,
    failed_at timestamptz,
    error jsonb,
    summary jsonb,
    primary key (account_id, mode)
  )`,

  /* Names that sends have asked the platform for; worth nothing after a minute, so nothing is logged. */
  `create unlogged table template_lookups (
    account_id uuid not null,
    mode text not null,
    name text collate "C" not null,
    expires_at timestamptz not null,
    primary key (account_id, mode, name)
  )`,
  `create index template_lookups_expiry on template_lookups (expires_at)`,
];
