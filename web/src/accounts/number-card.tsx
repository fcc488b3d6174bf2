import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconStethoscope } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Account, NumberCheck } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/facts.tsx';
import { limitWords } from '../parts/messaging-limit.ts';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { amount } from '../parts/numbers.ts';
import { numberCheckQuery } from './account-queries.ts';
import { checkVerdict } from './check-verdict.ts';
import { NumberQuality } from './number-quality.tsx';

/** Asks WhatsApp how the number is, on demand: it is a real call. */
export function NumberCard({ account }: { account: Account }) {
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: async () => (await call<NumberCheck>('POST', `/accounts/${account.id}/check`)).data,
    // The state of the account heeds it.
    onSuccess: (answer) =>
      client.setQueryData(numberCheckQuery(account.id).queryKey, {
        at: new Date().toISOString(),
        check: answer,
      }),
  });
  return (
    <Card
      title="Health of the number"
      aside={
        <Button
          leftSection={<IconStethoscope size={16} />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          Check number
        </Button>
      }
    >
      <div aria-live="polite">
        {check.isError ? (
          <p className="card-body wrong">{check.error.message} Nothing was changed.</p>
        ) : check.data ? (
          <Outcome check={check.data} ownNumber={account.display_phone_number} />
        ) : (
          <div className="card-body stack">
            <dl className="facts">
              <Fact name="Quality">
                {account.quality_event ? (
                  <NumberQuality event={account.quality_event} />
                ) : (
                  'Not reported'
                )}
              </Fact>
              <Fact name="Messaging limit">
                {account.messaging_limit ? limitWords(account.messaging_limit) : 'Not reported'}
              </Fact>
              <Fact name="Last webhook">
                {account.last_webhook_at ? (
                  <Moment at={account.last_webhook_at} to="minute" />
                ) : (
                  'None yet'
                )}
              </Fact>
              <Fact name="Send rate limit">
                {account.messages_per_second === null
                  ? 'None'
                  : `${amount(account.messages_per_second)} a second`}
              </Fact>
            </dl>
            <p className="secondary">
              As WhatsApp last reported it. <i>Check number</i> asks WhatsApp now. Nothing changes.
            </p>
          </div>
        )}
      </div>
    </Card>
  );
}

interface OutcomeProps {
  readonly check: NumberCheck;
  /** As the account has it. */
  readonly ownNumber: string;
}

function Outcome({ check: { ok, error, health }, ownNumber }: OutcomeProps) {
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
    ['Name', health.verified_name],
    ['Name review', health.name_status],
    ['Number', health.display_phone_number],
    ['Status', health.status],
    ['Quality', health.quality_rating],
    ['Throughput', health.throughput_level],
    ['Messaging limit', health.messaging_limit],
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
