import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { NumberCheck } from '../../api/types.ts';
import { Fact } from '../../parts/facts.tsx';
import { Notice } from '../../parts/notice.tsx';
import { checkVerdict } from '../check-verdict.ts';

interface OutcomeProps {
  readonly check: NumberCheck;
  /** As the account has it. */
  readonly ownNumber: string;
}

/** What WhatsApp answered to a check of the number. */
export function CheckOutcome({ check: { ok, error, health }, ownNumber }: OutcomeProps) {
  if (!ok || !health) {
    return (
      <div className="card-body">
        <Notice tone="red">
          <b>
            {error?.whatsapp_error_code ? `${error.whatsapp_error_code}: ` : ''}
            {error?.message ?? 'WhatsApp gave no answer.'}
          </b>
          <br />
          {error?.whatsapp_error_code === 190
            ? 'WhatsApp rejects the access token. Enter another one below.'
            : 'Sends from this number may fail for the same reason.'}
        </Notice>
      </div>
    );
  }
  const { tone, title, text } = checkVerdict(ownNumber, health);
  const Sign = tone === 'green' ? IconCircleCheck : IconAlertTriangle;
  const facts = [
    ['Number', health.display_phone_number],
    ['Status', health.status],
    ['Throughput', health.throughput_level],
  ] as const;
  const faults = health.entities.flatMap(({ type, errors }) =>
    errors.map((fault) => ({ ...fault, type })),
  );
  return (
    <div className="card-body stack">
      <Notice tone={tone} icon={Sign}>
        <b>{title}</b> {text}
      </Notice>
      {faults.map((fault) => (
        <p key={`${fault.type} ${fault.code}`} className="wrong">
          {fault.type}: {fault.description} {fault.solution}
        </p>
      ))}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </div>
  );
}
