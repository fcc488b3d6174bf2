import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An alert may have an owner and a time until which it is muted, and says whether its raising was told. */
export class AlertOwners1798000020000 implements MigrationInterface {
  name = 'AlertOwners1798000020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table alerts
      add column owner_id uuid,
      add column muted_until timestamptz,
      add column was_told boolean not null default true,
      add constraint alerts_owner foreign key (owner_id) references users (id) on delete set null not valid`);
    await runner.query(
      `comment on column alerts.muted_until is
         'Until then it needs no attention. It holds for the next alert of this kind and subject, too.'`,
    );
    await runner.query(
      `comment on column alerts.was_told is 'Whether endpoints were told that it was raised.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
