import { ForChangers } from '../session/changers.tsx';
import './campaigns.css';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { campaignsQuery } from '../api/campaign-queries.ts';
import { keysQuery } from '../api/key-queries.ts';
import type { Campaign } from '../api/types.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { ListFoot } from '../lists/list-foot.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { Table } from '../lists/table.tsx';
import { unreadOf } from '../lists/unread-filters.ts';
import { UnreadLine } from '../lists/unread-line.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Moment } from '../parts/moment.tsx';
import { amount, share } from '../parts/numbers.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge, wordOf } from '../parts/status-badge.tsx';
import { zoneName } from '../parts/zone.ts';
import { usePlace } from '../session/session.tsx';
import { CampaignBadge } from './campaign-badges.tsx';
import { campaignStatuses, pauseWords } from './campaign-words.ts';
import { doneOf } from './progress.ts';
import { ProgressBar } from './progress-bar.tsx';

const NoCampaign = lazyPart(() => import('./no-campaign.tsx'), 'NoCampaign');

/** The campaigns of all keys. */
export function CampaignsPage() {
  const { accountId, accounts, mode } = usePlace();
  const search = useSearch({ from: '/campaigns' });
  const navigate = useNavigate({ from: '/campaigns' });
  const status = campaignStatuses.find((each) => each === search.status);
  const campaigns = useInfiniteQuery(campaignsQuery(accountId, status, mode));
  const keys = useQuery(keysQuery(accountId)).data;
  const rows = campaigns.data?.pages.flatMap((page) => page.campaigns) ?? [];
  const hasAccounts = accountId === null && accounts.length > 1;
  return (
    <>
      <PageHeader
        title="Campaigns"
        sentence="One template to many recipients, newest first."
        actions={
          <ForChangers>
            <Button
              component={Link}
              to="/campaigns/new"
              variant="filled"
              leftSection={<IconPlus size={16} />}
            >
              New campaign
            </Button>
          </ForChangers>
        }
      />
      <StaleNotice query={campaigns} />
      <div className="filters">
        <ChoiceFilter
          name="Status"
          choices={campaignStatuses}
          value={status}
          onChange={(next) => void navigate({ search: { status: next }, replace: true })}
        />
      </div>
      <UnreadLine unread={unreadOf({ status: search.status }, { status })} />
      <div className="card table-box">
        <ListState
          query={campaigns}
          rows={rows}
          empty={
            status || mode ? (
              <NoMatch
                title="No campaign matches"
                filters={[status && wordOf(status), mode && wordOf(mode)]}
                onClear={() => void navigate({ search: mode ? { mode: 'both' } : {} })}
              />
            ) : (
              <Suspense fallback={null}>
                <NoCampaign />
              </Suspense>
            )
          }
        >
          {() => (
            <>
              <Table
                className="entries campaigns-table"
                heads={[
                  'Name',
                  ...(hasAccounts ? ([['Account', 'col-account']] as const) : []),
                  'Status',
                  ['Template', 'col-template'],
                  'Progress',
                  ['Recipients', 'end'],
                  ['Key', 'col-key'],
                  [`Started (${zoneName()})`, 'end'],
                ]}
              >
                {rows.map((campaign) => (
                  <Row
                    key={campaign.id}
                    campaign={campaign}
                    keyName={
                      keys && (keys.find(({ id }) => id === campaign.api_key_id)?.name ?? 'Deleted')
                    }
                    account={
                      hasAccounts
                        ? (accounts.find(({ id }) => id === campaign.account_id)?.name ?? '')
                        : null
                    }
                  />
                ))}
              </Table>
              <ListFoot shown={rows.length} query={campaigns} />
            </>
          )}
        </ListState>
      </div>
    </>
  );
}

interface RowProps {
  readonly campaign: Campaign;
  /** Undefined until it is known. */
  readonly keyName: string | undefined;
  /** Its name; null where the page is about one account. */
  readonly account: string | null;
}

function Row({ campaign, keyName, account }: RowProps) {
  const { counts } = campaign;
  const done = doneOf(counts);
  return (
    <tr data-link>
      <td className="cell-name-of">
        <span className="row">
          <Link
            className="row-link strong cut"
            to="/campaigns/$campaignId"
            params={{ campaignId: campaign.id }}
            title={campaign.name}
          >
            {campaign.name}
          </Link>
          <ModeBadge mode={campaign.mode} />
        </span>
      </td>
      {account !== null && <td className="col-account second quiet cut">{account}</td>}
      <td className="first-end cell-status">
        <CampaignBadge status={campaign.status} />
        {campaign.reason && <div className="small">{pauseWords[campaign.reason]}</div>}
      </td>
      <td className="col-template only-wide">
        <div className="mono cut" title={campaign.template_name}>
          {campaign.template_name}
        </div>
        <div className="small">{campaign.language}</div>
      </td>
      <td className="second cell-progress">
        <ProgressBar counts={counts} />
        <div className="small">
          {share(done, counts.total)} of {amount(counts.total)}
          {counts.failed > 0 && <span className="wrong"> · {amount(counts.failed)} failed</span>}
        </div>
      </td>
      <td className="end only-wide">{amount(counts.total)}</td>
      <td className="col-key quiet cut" title={keyName}>
        {keyName}
      </td>
      <td className="end quiet">
        {campaign.started_at ? <Moment at={campaign.started_at} /> : 'Not started'}
      </td>
    </tr>
  );
}
