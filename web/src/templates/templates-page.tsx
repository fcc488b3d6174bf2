import { ForChangers } from '../session/changers.tsx';
import './templates.css';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconRefresh, IconTemplate } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { keysQuery } from '../api/key-queries.ts';
import { useReread } from '../api/reread.ts';
import { type TemplateFilter, templatesQuery } from '../api/template-queries.ts';
import type { TemplateSyncState, TemplateSyncs } from '../api/types.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { since } from '../parts/times.ts';
import { WrongLine } from '../parts/wrong-line.tsx';
import { usePlace } from '../session/session.tsx';
import { sendsTemplates } from './judging-key.ts';
import { TemplateDetail } from './template-detail.tsx';
import { named, shownBeside, templateGroups } from './template-groups.ts';
import { mappedChoices, TemplateList } from './template-list.tsx';
import { templateStatuses } from './template-status.tsx';

/** Templates as WhatsApp has them, and how each key names their variables. */
export function TemplatesPage() {
  const { accountId, mode } = usePlace();
  const { templateId } = useParams({ strict: false });
  const search = useSearch({ from: '/templates-page' });
  const navigate = useNavigate();
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  // The address may hold unknown filter values; they are ignored.
  const status = templateStatuses.find((each) => each === search.status);
  const mapped = mappedChoices.find(({ value }) => value === search.mapped);
  const filter: TemplateFilter = {
    ...(status && { status }),
    ...(mode && { mode }),
    ...(mapped && { configured: mapped.configured }),
  };
  const known = {
    ...(status && { status }),
    ...(mode && { mode }),
    ...(mapped && { mapped: mapped.value }),
    ...(search.q && { q: search.q }),
    ...(search.key && { key: search.key }),
  };
  const query = useInfiniteQuery(templatesQuery(accountId, filter));
  const templates = query.data?.pages.flatMap((page) => page.templates) ?? [];
  // The rest of a name whose templates the filters leave in part; without filters, the same query.
  const pages = useInfiniteQuery(templatesQuery(accountId, {})).data?.pages ?? [];
  const all = pages.flatMap((page) => page.templates);
  const groups = templateGroups(named(templates, search.q), all);
  const syncs = query.data?.pages[0]?.syncs ?? [];
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  const apiKey = keys.find(({ id }) => id === search.key) ?? keys.find(sendsTemplates);
  const change = (changed: Partial<typeof search>) =>
    void navigate({ to: '.', search: { ...search, ...changed }, replace: true });
  const isDetailAlone = isNarrow && templateId !== undefined;
  const beside = shownBeside({
    chosen: templateId,
    groups,
    all,
    isNarrowed: Boolean(search.q ?? status ?? mapped),
    mode: apiKey?.mode,
  });
  const chosen = isNarrow ? templateId : beside;
  return (
    <>
      <PageHeader
        // Alone, the thing is a page of its own.
        key={isDetailAlone ? templateId : null}
        title={
          isDetailAlone
            ? (templates.find(({ id }) => id === chosen)?.name ?? 'Template')
            : 'Templates'
        }
        crumb={
          isDetailAlone && (
            <Link to="/templates" search={search}>
              All templates
            </Link>
          )
        }
        sentence={
          !isDetailAlone &&
          'Synced from the business account. A mapping gives each key its own variable names.'
        }
        actions={!isDetailAlone && <SyncButton syncs={syncs} />}
      />
      {!isDetailAlone && (
        <>
          <StaleNotice query={query} />
          <SyncFailures syncs={syncs} />
        </>
      )}
      <div className="templates-columns">
        {!isDetailAlone && (
          <TemplateList
            query={query}
            templates={templates}
            groups={groups}
            keys={keys}
            keyId={search.key}
            mode={apiKey?.mode}
            chosen={chosen}
            search={known}
            onSearch={change}
          />
        )}
        {chosen ? (
          <TemplateDetail
            id={chosen}
            keys={keys}
            keyId={search.key}
            onKey={(key) => change({ key })}
          />
        ) : (
          !isNarrow &&
          query.data && (
            <div className="card">
              <EmptyState
                icon={IconTemplate}
                title="Nothing in the list is chosen"
                sentence="Choose a template to see its preview and its mapping."
              />
            </div>
          )
        )}
      </div>
    </>
  );
}

function SyncButton({ syncs }: { syncs: readonly TemplateSyncState[] }) {
  const { accountId, accounts } = usePlace();
  const reread = useReread();
  const sync = useMutation({
    mutationFn: async () =>
      (await call('POST', '/templates/sync', null, { account_id: accountId })).data.syncs,
    onSettled: () => reread(['templates'], ['template'], ['key']),
  });
  const last = syncs
    .map(({ synced_at: at }) => at)
    .filter((at) => at !== null)
    .toSorted()
    .at(-1);
  const needsAccount = accountId === null && accounts.length > 1;
  return (
    <>
      <span className="secondary" role="status">
        {sync.data
          ? syncText(sync.data)
          : needsAccount
            ? 'Choose an account to sync'
            : last
              ? `Synced ${since(last)}`
              : 'Never synced'}
      </span>
      <WrongLine error={sync.error} isSmall />
      <ForChangers>
        <Button
          leftSection={<IconRefresh size={16} />}
          loading={sync.isPending || syncs.some(({ running }) => running)}
          disabled={needsAccount}
          onClick={() => sync.mutate()}
        >
          Sync now
        </Button>
      </ForChangers>
    </>
  );
}

function syncText(syncs: TemplateSyncs['syncs']): string {
  const sum = (pick: (sync: TemplateSyncs['syncs'][number]) => number) =>
    syncs.reduce((total, sync) => total + pick(sync), 0);
  const parts = [
    [sum(({ added }) => added), 'new'],
    [sum(({ changed }) => changed), 'changed'],
    [sum(({ removed }) => removed), 'gone'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return told.length > 0 ? `Synced: ${told.join(', ')}` : 'Synced: nothing has changed';
}

/** Why the templates that stand here may be old ones. */
function SyncFailures({ syncs }: { syncs: readonly TemplateSyncState[] }) {
  return syncs.map(({ account_id: id, mode, failed_at: at, error }) =>
    at && error ? (
      <Notice key={`${id} ${mode}`} tone="amber" style={{ marginBottom: 12 }}>
        <b>
          {mode === 'test' ? 'The simulator’s' : 'WhatsApp’s'} templates could not be read{' '}
          {since(at)}.
        </b>{' '}
        {error.message} This list is from the last sync.
      </Notice>
    ) : null,
  );
}
