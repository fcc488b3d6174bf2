import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints that get notifications in WhatsApp's own form. */
export class WhatsappEndpoints1798000016000 implements MigrationInterface {
  name = 'WhatsappEndpoints1798000016000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table webhook_endpoints
         add column format text not null default 'parley' check (format in ('parley', 'whatsapp')),
         add column fields text[],
         add column verify_token text,
         add column handshake_state text not null default 'not_done'
           check (handshake_state in ('not_done', 'answered', 'refused', 'failed')),
         add column handshake_at timestamptz,
         add column left_out int not null default 0`,
    );
    await runner.query(
      `comment on column webhook_endpoints.format is
         'whatsapp: it gets notifications in the form of WhatsApp, and no event of Parley; its events are {}.'`,
    );
    await runner.query(
      `comment on column webhook_endpoints.fields is 'Of format whatsapp: the fields it wants; null: all.'`,
    );
    await runner.query(
      `comment on column webhook_endpoints.left_out is
         'Of format whatsapp: how many deliveries were left out because they are over 1 MiB.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
