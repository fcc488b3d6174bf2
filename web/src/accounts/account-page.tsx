import '../styles/manage.css';
import { Button } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { accountQuery } from '../api/queries.ts';
import type { Account } from '../api/types.ts';
import { ChangesCard } from '../audit/changes-card.tsx';
import { Card } from '../parts/card.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Fact } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { operatorsOnly } from '../session/operators-only.tsx';
import { usePlace } from '../session/session.tsx';
import { AccountForm } from './account-form.tsx';
import { AccountState } from './account-state.tsx';
import { NumberCard } from './number-card.tsx';

/** One account: whether it can send, its number, and its settings. */
export const AccountPage = operatorsOnly('Account', OneAccount);

function OneAccount() {
  const { accountId } = useParams({ from: '/accounts/$accountId' });
  const account = useQuery(accountQuery(accountId));
  const client = useQueryClient();
  const crumb = <Link to="/accounts">Accounts</Link>;
  const { data } = account;
  if (!data) {
    return (
      <>
        <PageHeader title="Account" crumb={crumb} />
        <QueryState query={account} isCard />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={data.name}
        crumb={crumb}
        badges={<AccountState account={data} />}
        sentence={data.display_phone_number}
      />
      <StaleNotice query={account} />
      {data.hold_kind && <HoldNotice account={data} />}
      <div className="columns">
        <div className="stack">
          <NumberCard account={data} />
          <AccountForm
            key={data.id}
            account={data}
            onSaved={(saved) => client.setQueryData(accountQuery(saved.id).queryKey, saved)}
          />
        </div>
        <div className="stack">
          <CallbackCard accountId={data.id} />
          <Card title="Details">
            <dl className="facts card-body">
              <Fact name="Id">
                <ShortId id={data.id} name="account id" />
              </Fact>
              <Fact name="Created">
                <Moment at={data.created_at} />
              </Fact>
              <Fact name="Changed">
                <Moment at={data.updated_at} />
              </Fact>
            </dl>
          </Card>
          <ChangesCard subjectId={data.id} />
        </div>
      </div>
    </>
  );
}

/** The address that Meta's app of the account takes. */
function CallbackCard({ accountId }: { accountId: string }) {
  const { session } = usePlace();
  const url = `${session.public_url}/api/v1/platform/whatsapp/webhooks/${accountId}`;
  return (
    <Card title="Callback URL">
      <div className="card-body">
        <p className="secondary">
          Enter it in Meta’s app under <i>WhatsApp › Configuration</i>, with your verify token.
        </p>
        <div className="secret-value">
          <code>{url}</code>
          <CopyButton value={url} label="Copy callback URL" />
        </div>
      </div>
    </Card>
  );
}

/** Why nothing goes out from the number, and the way to try again at once. */
function HoldNotice({ account }: { account: Account }) {
  const client = useQueryClient();
  const resumption = useMutation({
    mutationFn: async () =>
      (await call<{ account: Account }>('POST', `/accounts/${account.id}/resume`)).data.account,
    onSuccess: async (resumed) => {
      client.setQueryData(accountQuery(account.id).queryKey, resumed);
      await client.invalidateQueries({ queryKey: ['accounts'] });
      await client.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  const isPaused = account.hold_kind === 'paused';
  return (
    <div className="notice hold-notice" data-tone="amber">
      <IconPlayerPause size={18} aria-hidden="true" />
      <div className="grow">
        <b>{isPaused ? 'The number is paused.' : 'The number sends slower.'}</b>{' '}
        {account.hold_code !== null && `${account.hold_code}: `}
        {account.hold_reason && `${account.hold_reason}. `}
        {isPaused
          ? 'New sends get 503 number_paused. Parley checks once a minute and ends the pause when WhatsApp allows the number to send.'
          : 'It sends more than WhatsApp accepts. Its messages wait and go out later.'}
        {account.hold_until && (
          <>
            {' '}
            Next look: <Moment at={account.hold_until} />.
          </>
        )}
        <WrongLine error={resumption.error} effect="The hold was not changed." />
      </div>
      <Button loading={resumption.isPending} onClick={() => resumption.mutate()}>
        Resume now
      </Button>
    </div>
  );
}
