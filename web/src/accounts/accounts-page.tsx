import '../styles/manage.css';
import { Button } from '@mantine/core';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountsQuery } from '../api/account-queries.ts';
import type { Account } from '../api/types.ts';
import { Table } from '../lists/table.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { operatorsOnly } from '../session/operators-only.tsx';
import { AccountState } from './account-state.tsx';
import { VerifiedBadge } from './go-live/verified-badge.tsx';
import { limitText } from './health/health-words.ts';
import { NumberQuality, TokenEnd } from './health/number-badges.tsx';

/** The WhatsApp business accounts of the installation. */
export const AccountsPage = operatorsOnly('Accounts', Accounts);

function Accounts() {
  const accounts = useQuery({ ...accountsQuery, refetchInterval: 15_000 });
  const create = (
    <Button
      component={Link}
      to="/accounts/new"
      variant="filled"
      leftSection={<IconPlus size={16} />}
    >
      Create account
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Accounts"
        sentence="WhatsApp business accounts. Each has one number, and its own keys, messages and templates."
        actions={create}
      />
      <StaleNotice query={accounts} />
      <div className="card table-box">
        <ListState
          query={accounts}
          rows={accounts.data}
          empty={{
            icon: IconBuilding,
            title: 'No account yet',
            sentence: 'API keys send from the number of an account, so create an account first.',
          }}
        >
          {(shown) => (
            <Table
              heads={[
                'Name',
                'Number',
                'State',
                'Quality',
                'Messaging limit',
                'Last webhook',
                ['Created', 'end col-created'],
              ]}
            >
              {shown.map((account) => (
                <tr key={account.id} data-link>
                  <td className="cell-long">
                    <Link
                      className="cell-name strong cut"
                      title={account.name}
                      to="/accounts/$accountId"
                      params={{ accountId: account.id }}
                    >
                      {account.name}
                    </Link>
                  </td>
                  <td className="second">
                    <div>{account.display_phone_number}</div>
                    <TokenEnd account={account} />
                  </td>
                  <td className="first-end">
                    <div className="row wrap">
                      <AccountState account={account} />
                      <VerifiedBadge account={account} />
                    </div>
                  </td>
                  <td className="second" data-name="Quality">
                    <NumberQuality account={account} />
                  </td>
                  <td className="second" data-name="Messaging limit">
                    <MessagingLimit account={account} />
                  </td>
                  <td className="second" data-name="Last webhook">
                    {account.last_webhook_at ? (
                      <Moment at={account.last_webhook_at} to="minute" />
                    ) : (
                      <span className="quiet">None yet</span>
                    )}
                  </td>
                  <td className="end quiet only-wide col-created">
                    <Moment at={account.created_at} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </ListState>
      </div>
    </>
  );
}

function MessagingLimit({ account }: { account: Account }) {
  const limit = account.health?.messaging_limit ?? account.messaging_limit;
  return limit ? limitText(limit) : <span className="quiet">Not reported</span>;
}
