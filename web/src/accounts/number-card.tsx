import { Button } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Account } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { amount } from '../parts/numbers.ts';
import { numberCheckQuery } from './account-queries.ts';
import { CheckOutcome } from './health/check-outcome.tsx';
import { HealthHistory } from './health/health-history.tsx';
import { limitText } from './health/health-words.ts';
import { NameReview, NumberQuality, TokenEnd } from './health/number-badges.tsx';

/** What WhatsApp last said of the number and the token, and what changed of it. */
export function NumberCard({ account }: { account: Account }) {
  const client = useQueryClient();
  const reread = useReread();
  const check = useMutation({
    mutationFn: async () => (await call('POST', '/accounts/{id}/check', { id: account.id })).data,
    onSuccess: (answer) => {
      // The state of the account heeds it.
      client.setQueryData(numberCheckQuery(account.id).queryKey, {
        at: new Date().toISOString(),
        check: answer,
      });
      return reread(['account', account.id], ['accounts'], ['health-history', account.id]);
    },
  });
  return (
    <Card
      title="Number health"
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
        ) : (
          check.data && <CheckOutcome check={check.data} ownNumber={account.display_phone_number} />
        )}
      </div>
      <div className="card-body stack">
        <HealthFacts account={account} />
        <p className="secondary">
          <ReadSentence account={account} />
        </p>
      </div>
      <HealthHistory accountId={account.id} />
    </Card>
  );
}

function HealthFacts({ account }: { account: Account }) {
  const { health } = account;
  const limit = health?.messaging_limit ?? account.messaging_limit;
  return (
    <dl className="facts">
      <Fact name="Quality">
        <NumberQuality account={account} />
      </Fact>
      <Fact name="Messaging limit">{limit ? limitText(limit) : 'Not reported'}</Fact>
      <Fact name="Name review">
        {health?.name_status ? <NameReview status={health.name_status} /> : 'Not reported'}
        {health?.verified_name && <div className="small">“{health.verified_name}”</div>}
      </Fact>
      <Fact name="Token expiry">
        <TokenExpiry account={account} />
      </Fact>
      <Fact name="Last webhook">
        {account.last_webhook_at ? <Moment at={account.last_webhook_at} to="minute" /> : 'None yet'}
      </Fact>
      <Fact name="Send rate limit">
        {account.messages_per_second === null
          ? 'None'
          : `${amount(account.messages_per_second)} a second`}
      </Fact>
    </dl>
  );
}

function TokenExpiry({ account }: { account: Account }) {
  const { token_valid: isValid = null, token_expires_at: end = null } = account.health ?? {};
  if (isValid === null) return 'Not read yet';
  if (!isValid) return <span className="wrong">WhatsApp does not accept it</span>;
  if (end === null) return 'Never';
  return (
    <>
      <Moment at={end} to="minute" />
      <div>
        <TokenEnd account={account} />
      </div>
    </>
  );
}

/** How old the facts are, and when they are read again. */
function ReadSentence({
  account: { health, active, verified_at: verifiedAt },
}: {
  account: Account;
}) {
  const isReadAgain = active && verifiedAt !== null;
  return (
    <>
      {health ? (
        <>
          Read <Moment at={health.read_at} ago />
        </>
      ) : (
        'Not read yet'
      )}
      {isReadAgain
        ? ', then every 15 minutes.'
        : '. Parley reads it every 15 minutes once the account is verified and active.'}
    </>
  );
}
