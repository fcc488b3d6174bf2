import '../styles/manage.css';
import { Button } from '@mantine/core';
import { IconClock, IconPlayerPause, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { accountQuery } from '../api/account-queries.ts';
import { call } from '../api/client.ts';
import type { Account } from '../api/types.ts';
import { ChangesCard } from '../audit/changes-card.tsx';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { Badge, type Look } from '../parts/status-badge.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { operatorsOnly } from '../session/operators-only.tsx';
import { AccountForm } from './account-form.tsx';
import { AccountState } from './account-state.tsx';
import { useChecklist } from './go-live/checklist.ts';
import { GoLiveCard } from './go-live/go-live-card.tsx';
import { MetaPlaces } from './go-live/meta-places.tsx';
import { isNotLive } from './go-live/row-words.ts';
import { VerifiedBadge } from './go-live/verified-badge.tsx';
import { NumberCard } from './number-card.tsx';

const notLive: Look = { tone: 'amber', icon: IconClock };

/** One account: what it needs to go live, its number, and its settings. */
export const AccountPage = operatorsOnly('Account', OneAccount);

function OneAccount() {
  const { accountId } = useParams({ from: '/accounts/$accountId' });
  const account = useQuery(accountQuery(accountId));
  const client = useQueryClient();
  const crumb = <Link to="/accounts">Accounts</Link>;
  const { data } = account;
  const checklist = useChecklist(data);
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
        badges={
          <>
            <AccountState account={data} />
            <VerifiedBadge account={data} />
            {checklist.data && isNotLive(checklist.data.items) && (
              <Badge look={notLive} word="Not live yet" />
            )}
          </>
        }
        sentence={
          <>
            {data.display_phone_number} · created <Moment at={data.created_at} />
            {data.verified_at && (
              <>
                {' '}
                · verified <Moment at={data.verified_at} />
              </>
            )}
          </>
        }
        actions={
          <Button
            leftSection={<IconRefresh size={16} />}
            loading={checklist.isFetching}
            onClick={() => void checklist.refetch()}
          >
            Check all now
          </Button>
        }
      />
      <StaleNotice query={account} />
      {data.hold_kind && <HoldNotice account={data} />}
      <div className="columns">
        <div className="stack">
          <GoLiveCard accountId={data.id} checklist={checklist} />
          <MetaPlaces />
          <AccountForm
            key={data.id}
            account={data}
            onSaved={(saved) => {
              client.setQueryData(accountQuery(saved.id).queryKey, saved);
              // The ids or the token may be others.
              void checklist.refetch();
            }}
          />
        </div>
        <div className="stack">
          <NumberCard account={data} />
          <Card title="Ids">
            <dl className="facts card-body">
              <Fact name="Phone number">
                <ShortId id={data.phone_number_id} name="phone number id" />
              </Fact>
              <Fact name="Business">
                <ShortId id={data.business_account_id} name="business account id" />
              </Fact>
              <Fact name="Account">
                <ShortId id={data.id} name="account id" />
              </Fact>
            </dl>
          </Card>
          <ChangesCard subjectId={data.id} />
        </div>
      </div>
    </>
  );
}

/** Why nothing goes out from the number, and the way to try again at once. */
function HoldNotice({ account }: { account: Account }) {
  const client = useQueryClient();
  const resumption = useMutation({
    mutationFn: async () =>
      (await call('POST', '/accounts/{id}/resume', { id: account.id })).data.account,
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
          ? 'New sends get 503 number_paused. Parley tries again by itself and ends the pause when WhatsApp lets the number send.'
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
