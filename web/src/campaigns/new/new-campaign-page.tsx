import { changersOnly } from '../../session/changers.tsx';
import '../../styles/manage.css';
import './new-campaign.css';
import { Button, Select, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { keyMappingsQuery, keysQuery } from '../../api/key-queries.ts';
import { newDraftLimits } from '../../api/limits/new-draft.ts';
import { useReread } from '../../api/reread.ts';
import type { ApiKey, NewCampaignDraft, Permission } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { sendingWords } from '../../session/destination.ts';
import { usePlace } from '../../session/session.tsx';
import { Steps } from './steps.tsx';

const needed: readonly Permission[] = ['manage_campaigns', 'send_template'];

const mayMakeCampaigns = ({ state, permissions }: ApiKey) =>
  state === 'active' && needed.every((permission) => permissions.includes(permission));

/** The first step of a campaign: whose key, which template. */
export const NewCampaignPage = changersOnly('New campaign', NewCampaign);

function NewCampaign() {
  const { accountId } = usePlace();
  const keys = useQuery(keysQuery(accountId));
  const usable = keys.data?.filter(mayMakeCampaigns);
  return (
    <>
      <PageHeader title="New campaign" crumb={<Link to="/campaigns">Campaigns</Link>} />
      <Steps step="template" />
      {!usable ? (
        <QueryState query={keys} isCard />
      ) : usable.length === 0 ? (
        <div className="card">
          <EmptyState
            icon={IconKey}
            title="No key may make campaigns"
            sentence="A campaign uses the quota, the mappings and the webhooks of an API key. The key needs the permissions Manage campaigns and Send templates."
            action={
              <Button component={Link} to="/keys" variant="filled">
                Open the keys
              </Button>
            }
          />
        </div>
      ) : (
        <TemplateForm keys={usable} />
      )}
    </>
  );
}

function TemplateForm({ keys }: { keys: readonly ApiKey[] }) {
  const { session } = usePlace();
  const navigate = useNavigate();
  const reread = useReread();
  const [keyId, setKeyId] = useState(keys[0]?.id ?? '');
  const [templateId, setTemplateId] = useState<string | null>(null);
  const [name, setName] = useState('');
  const key = keys.find(({ id }) => id === keyId);
  const mappings = useQuery(keyMappingsQuery(keyId));
  const sendable = mappings.data?.filter(
    ({ broken, template_status: status }) => !broken && status === 'APPROVED',
  );
  const chosen = sendable?.find(({ template_id: id }) => id === templateId);
  const make = useGuardedMutation({
    mutationFn: async (draft: NewCampaignDraft) =>
      (await call('POST', '/campaigns', null, draft)).data,
    // Over only with the next page: until then the button is still there.
    onSuccess: async ({ id }) => {
      void reread(['campaigns']);
      await navigate({
        to: '/campaigns/$draftId/draft',
        params: { draftId: id },
        search: { step: 'recipients' },
        ignoreBlocker: true,
      });
    },
  });
  const faults = make.error instanceof ApiFailure ? make.error.fields : {};
  const isReady = chosen !== undefined && name.trim() !== '';
  const go = () =>
    chosen &&
    make.mutate({
      api_key_id: keyId,
      name: name.trim(),
      template_name: chosen.template_name,
      language: chosen.language,
    });
  return (
    <form
      className="form-page"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !make.isPending) go();
      }}
    >
      <LeaveGuard
        isAtStake={templateId !== null || name !== ''}
        title="Leave without the campaign?"
        leave="Discard campaign"
      >
        The draft is stored with the next step.
      </LeaveGuard>
      <Card title="Template">
        <div className="form-group">
          <Select
            label="API key"
            description="The campaign uses its quota, its mappings and its webhooks."
            data={keys.map(({ id, name: keyName, mode }) => ({
              value: id,
              label: mode === 'test' ? `${keyName} (test)` : keyName,
            }))}
            value={keyId}
            onChange={(id) => {
              if (!id) return;
              setKeyId(id);
              setTemplateId(null);
            }}
          />
          {key && <p className="secondary">{sendingWords(key.mode, session)}</p>}
          <Select
            label="Template"
            description="Approved templates for which the key has a mapping."
            placeholder={sendable ? 'Choose a template' : 'Reading …'}
            searchable
            data={(sendable ?? []).map(({ template_id: id, template_name: title, language }) => ({
              value: id,
              label: `${title} · ${language}`,
            }))}
            value={templateId}
            error={faults.template_name}
            nothingFoundMessage="No template of this name has a mapping"
            onChange={setTemplateId}
          />
          {sendable?.length === 0 && (
            <Notice tone="amber">
              <b>This key has no mapping.</b> A mapping names the variables of a template, so that
              columns of a file can fill them. <Link to="/templates">Open the templates</Link> to
              make one.
            </Notice>
          )}
          <TextInput
            label="Name"
            description="For you and the others who see the campaign. Recipients never see it."
            placeholder="Advent, UK"
            maxLength={newDraftLimits.name.maxLength}
            value={name}
            error={faults.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <div className="form-foot">
          {make.error && Object.keys(faults).length === 0 && (
            <span className="wrong" role="alert">
              {make.error.message}
            </span>
          )}
          <Button component={Link} to="/campaigns">
            Cancel
          </Button>
          <Button type="submit" variant="filled" disabled={!isReady} loading={make.isPending}>
            Next: recipients
          </Button>
        </div>
      </Card>
    </form>
  );
}
