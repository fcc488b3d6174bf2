import { ForChangers } from '../session/changers.tsx';
import './campaigns.css';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { campaignQuery, retriesQuery } from '../api/campaign-queries.ts';
import type { CampaignDetails, CampaignRetries } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { amount, counted } from '../parts/numbers.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { ShortId, shortId } from '../parts/short-id.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge } from '../parts/status-badge.tsx';
import { LeftNotice } from './again/left-notice.tsx';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignBadge } from './campaign-badges.tsx';
import { adviceOf, pausedWords, stopperWords } from './campaign-words.ts';
import { CodesCard } from './codes-card.tsx';
import { ProgressCard } from './progress-card.tsx';
import { RecipientsCard } from './recipients-card.tsx';
import { StepButton } from './step-button.tsx';
import { WaitingNotice } from './waiting-notice.tsx';

/** One campaign: how far it is, what failed, and whom it is for. */
export function CampaignPage() {
  const { campaignId } = useParams({ from: '/campaigns/$campaignId' });
  const query = useQuery(campaignQuery(campaignId));
  const campaign = query.data;
  const crumb = <Link to="/campaigns">Campaigns</Link>;
  if (!campaign) {
    return (
      <>
        <PageHeader title="Campaign" crumb={crumb} />
        <QueryState query={query} isCard />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={campaign.name}
        crumb={crumb}
        badges={
          <>
            <span aria-live="polite">
              <CampaignBadge status={campaign.status} />
            </span>
            <ModeBadge mode={campaign.mode} always />
          </>
        }
        sentence={<Summary campaign={campaign} />}
        actions={
          <ForChangers>
            {campaign.status === 'draft' && (
              <StepButton campaignId={campaign.id} icon={<IconPencil size={16} />} isMain>
                Continue editing
              </StepButton>
            )}
            <CampaignActions campaign={campaign} />
          </ForChangers>
        }
      />
      <StaleNotice query={query} />
      <div className="stack">
        <PauseNotice campaign={campaign} />
        <WaitingNotice campaign={campaign} />
        <LeftNotice campaign={campaign} />
        {campaign.status !== 'draft' && <ProgressCard campaign={campaign} />}
        <div className="columns campaign-columns">
          <RecipientsCard campaign={campaign} />
          <div className="stack">
            <CodesCard campaign={campaign} />
            <DetailsCard campaign={campaign} />
          </div>
        </div>
      </div>
    </>
  );
}

function Summary({ campaign }: { campaign: CampaignDetails }) {
  return (
    <>
      Template <code>{campaign.template_name}</code>, {campaign.language} · key{' '}
      {campaign.api_key_name === null ? (
        'deleted'
      ) : (
        <Link to="/keys/$keyId" params={{ keyId: campaign.api_key_id }}>
          {campaign.api_key_name}
        </Link>
      )}{' '}
      ·{' '}
      {campaign.started_at ? (
        <>
          started <Moment at={campaign.started_at} />
        </>
      ) : (
        'not started'
      )}
    </>
  );
}

/** Why it does not go on, and what to do. */
function PauseNotice({ campaign }: { campaign: CampaignDetails }) {
  const { status, reason, paused_at, paused_by: pauser } = campaign;
  if (status !== 'paused' || reason === null) return null;
  return (
    <Notice tone="amber" role="status">
      <b>{pausedWords(reason, pauser)}</b>
      {paused_at && (
        <>
          {' since '}
          <Moment at={paused_at} />
        </>
      )}
      . {adviceOf(reason)}
    </Notice>
  );
}

const eventWords = {
  all: 'All statuses',
  failed: 'Failures only',
  none: 'None',
} as const;

function DetailsCard({ campaign }: { campaign: CampaignDetails }) {
  const { retries = [] } = useQuery(retriesQuery(campaign)).data ?? {};
  return (
    <Card title="Details">
      <dl className="facts card-body">
        <Fact name="Campaign id">
          <ShortId id={campaign.id} name="campaign id" />
        </Fact>
        <Fact name="Recipients">{amount(campaign.counts.total)}</Fact>
        <Fact name="Reference">{campaign.reference && <code>{campaign.reference}</code>}</Fact>
        <Fact name="Webhooks get">{eventWords[campaign.message_events]}</Fact>
        <Fact name="At most">
          {campaign.per_second !== null && `${amount(campaign.per_second)} a second`}
        </Fact>
        <Fact name="Made from">
          {campaign.retry_of && (
            <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.retry_of }}>
              {campaign.retried?.name ?? <code>{shortId(campaign.retry_of)}</code>}
            </Link>
          )}
        </Fact>
        <Retries
          name="Retries of the failed"
          retries={retries.filter(({ who }) => who === 'failed')}
        />
        <Retries
          name="Retries of the failed and the rest"
          retries={retries.filter(({ who }) => who === 'failed_and_rest')}
        />
        <Retries
          name="Campaigns for the rest"
          retries={retries.filter(({ who }) => who === 'rest')}
        />
        <Fact name="Created">
          <Moment at={campaign.created_at} />
        </Fact>
        <Fact name="To begin">{campaign.send_at && <Moment at={campaign.send_at} />}</Fact>
        {campaign.ended_at && (
          <Fact name={campaign.status === 'cancelled' ? 'Cancelled' : 'Completed'}>
            <Moment at={campaign.ended_at} />
            {campaign.cancelled_by && ` by ${stopperWords(campaign.cancelled_by)}`}
          </Fact>
        )}
      </dl>
      {campaign.ended_at === null && campaign.status !== 'draft' && (
        <p className="card-body secondary campaign-note">
          A pause keeps back everybody who is still pending. Messages that wait in the queue, as
          many as go out in about two seconds, are still sent. Cancelling also takes back those
          messages, but for the few that are being sent at that moment.
        </p>
      )}
    </Card>
  );
}

interface RetriesProps extends Pick<CampaignRetries, 'retries'> {
  readonly name: string;
}

function Retries({ name: head, retries }: RetriesProps) {
  if (retries.length === 0) return null;
  return (
    <Fact name={head}>
      <ul>
        {retries.map(({ id, name, status, total }) => (
          <li key={id}>
            <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
              {name}
            </Link>{' '}
            <span className="secondary">
              ({status}, {counted(total, 'recipient')})
            </span>
          </li>
        ))}
      </ul>
    </Fact>
  );
}
