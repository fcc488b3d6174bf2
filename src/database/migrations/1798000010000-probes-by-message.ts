import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `alter table accounts
    add column hold_until_report boolean not null default false,
    add column hold_probe text,
    add column hold_probe_id uuid,
    add column hold_ended_at timestamptz`,
  `comment on column accounts.hold_until_report is
    'With paused: only a report of a message that was sent as a probe ends the hold.'`,
  `comment on column accounts.hold_probe is
    'open: a probe is due and nothing is queued, so one message may be. taken: somebody is queueing it.'`,
  `comment on column accounts.hold_probe_id is 'The message that was the last probe of the hold.'`,
  `comment on column accounts.hold_ended_at is
    'When the last hold ended: what was handed over before says nothing about the number now.'`,
  `comment on column messages.entered is
    'Which of sent (1), delivered (2) and read (4) it has entered and told; the log has those that came another way. '
    '16: the platform has reported it as one of these while it was the probe of its number.'`,

  /* The caller may queue one message. If it does not, the probe is open again after ten seconds. */
  `create function take_probe(of_account uuid) returns boolean language plpgsql as $$
  begin
    update accounts set hold_probe = 'taken', hold_until = now() + interval '10 seconds'
      where id = of_account and hold_kind = 'paused' and hold_probe = 'open';
    return found;
  end $$`,
];

/** Numbers that are paused until a message that they sent as a probe is reported as sent. */
export class ProbesByMessage1798000010000 implements MigrationInterface {
  name = 'ProbesByMessage1798000010000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
