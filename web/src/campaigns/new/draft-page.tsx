import { changersOnly } from '../../session/changers.tsx';
import '../../styles/manage.css';
import './new-campaign.css';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { campaignQuery } from '../../api/campaign-queries.ts';
import { keyMappingsQuery } from '../../api/key-queries.ts';
import { sendableTemplatesQuery } from '../../api/template-queries.ts';
import type { CampaignDetails } from '../../api/types.ts';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { ModeBadge } from '../../parts/status-badge.tsx';
import { originWords } from '../again/origin-words.ts';
import { CampaignActions } from '../campaign-actions.tsx';
import { CampaignBadge } from '../campaign-badges.tsx';
import { PaceStep } from './pace-step.tsx';
import { RecipientsStep } from './recipients-step.tsx';
import { StartStep } from './start-step.tsx';
import { type DraftStep, Steps } from './steps.tsx';
import { filledLines } from './template-lines.ts';

const forms = { recipients: RecipientsStep, pace: PaceStep, start: StartStep };

/** A campaign before its start: its recipients, its pace, and a last look. */
export const DraftPage = changersOnly('New campaign', Draft);

function Draft() {
  const { draftId: campaignId } = useParams({ from: '/campaigns/$draftId/draft' });
  const { step: asked } = useSearch({ from: '/campaigns/$draftId/draft' });
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
  if (campaign.status !== 'draft') {
    return <Navigate to="/campaigns/$campaignId" params={{ campaignId }} replace />;
  }
  const isEmpty = campaign.counts.total === 0;
  const step = stepOf(campaign, asked);
  return (
    <>
      <PageHeader
        title={campaign.name}
        crumb={crumb}
        badges={
          <>
            <CampaignBadge status="draft" />
            <ModeBadge mode={campaign.mode} always />
          </>
        }
        sentence={
          <>
            Template <code>{campaign.template_name}</code>, {campaign.language} · key{' '}
            {campaign.api_key_name ?? 'deleted'}
            <Origin campaign={campaign} />
          </>
        }
        actions={<CampaignActions campaign={campaign} />}
      />
      <Steps step={step} campaignId={campaignId} reached={isEmpty ? 'recipients' : 'start'} />
      {/* Another draft has another file. */}
      <StepForm key={campaign.id} campaign={campaign} step={step} />
    </>
  );
}

/** What a retry was made from, and why its recipients are in it. */
function Origin({ campaign }: { campaign: CampaignDetails }) {
  const { retry_of: campaignId, retried, counts } = campaign;
  if (campaignId === null || retried === null) return null;
  const { what, who } = originWords(retried.failed_by_code ?? {}, counts.total);
  return (
    <>
      <br />
      {what}{' '}
      <Link to="/campaigns/$campaignId" params={{ campaignId }}>
        {retried.name}
      </Link>
      : {who}
    </>
  );
}

/** Nothing else can be done without recipients. A retry has them: what is left to do is to check and start it. */
function stepOf(campaign: CampaignDetails, asked: string | undefined): DraftStep {
  if (campaign.counts.total === 0) return 'recipients';
  if (asked === 'recipients' || asked === 'pace' || asked === 'start') return asked;
  return campaign.retry_of ? 'start' : 'recipients';
}

function StepForm({ campaign, step }: { campaign: CampaignDetails; step: DraftStep }) {
  const {
    account_id: accountId,
    mode,
    api_key_id: keyId,
    template_name: name,
    language,
  } = campaign;
  const templates = useQuery(sendableTemplatesQuery(accountId, mode));
  const mappings = useQuery(keyMappingsQuery(keyId));
  const template = templates.data?.find((each) => each.name === name && each.language === language);
  const mapping = mappings.data?.find(({ template_id: id }) => id === template?.id);
  const lines = useMemo(
    () => (template && mapping ? filledLines(template, mapping) : null),
    [template, mapping],
  );
  if (!templates.data) return <QueryState query={templates} isCard />;
  if (!mappings.data) return <QueryState query={mappings} isCard />;
  if (!template || !lines) {
    return (
      <Notice tone="red" role="alert">
        <b>
          {template
            ? 'The key no longer has a mapping for the template.'
            : 'The template is no longer approved.'}
        </b>{' '}
        The campaign cannot go on until that is mended.{' '}
        <Link to="/templates" search={{ q: name }}>
          Open the templates
        </Link>
      </Notice>
    );
  }
  const Form = forms[step];
  return <Form campaign={campaign} template={template} lines={lines} />;
}
