import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconTemplate,
} from '@tabler/icons-react';
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keyMappingsQuery } from '../api/queries.ts';
import type { ApiKey, Template, TemplateMapping } from '../api/types.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { ListFoot } from '../lists/list-foot.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { SearchInput } from '../lists/search-input.tsx';
import { useChosenInView } from '../parts/chosen-in-view.ts';
import { ListState } from '../parts/query-state.tsx';
import { ModeBadge } from '../parts/status-badge.tsx';
import { plainWords } from '../parts/words.ts';
import { usePlace } from '../session/session.tsx';
import { judgingKey } from './judging-key.ts';
import { templateStatuses } from './template-status.tsx';

/** The filter of the list; it is in the address. */
export interface TemplateSearch {
  readonly q?: string;
  readonly status?: string;
  readonly mode?: string;
  readonly key?: string;
}

interface TemplateListProps {
  readonly query: UseInfiniteQueryResult;
  readonly templates: readonly Template[];
  readonly keys: readonly ApiKey[];
  /** The chosen key, of either mode. */
  readonly keyId: string | undefined;
  readonly chosen: string | undefined;
  readonly search: TemplateSearch;
  readonly onSearch: (change: TemplateSearch) => void;
}

/** All templates by name, each with its status and how the key of its detail has mapped it. */
export function TemplateList(props: TemplateListProps) {
  const { query, templates, search, onSearch } = props;
  const wanted = search.q?.toLowerCase() ?? '';
  const rows = templates.filter(({ name }) => name.toLowerCase().includes(wanted));
  const list = useChosenInView<HTMLUListElement>(props.chosen, rows.length > 0);
  const isFiltered = Boolean(search.q || search.status || search.mode);
  return (
    <section className="card template-list" aria-label="Templates">
      <div className="template-search">
        <SearchInput
          label="Search templates"
          placeholder={`Search ${templates.length} templates`}
          value={search.q ?? ''}
          onChange={(event) => onSearch({ q: event.currentTarget.value || undefined })}
        />
        <div className="row wrap">
          <ChoiceFilter
            name="Status"
            choices={templateStatuses.map(plainWords)}
            value={search.status && plainWords(search.status)}
            isVerbatim
            onChange={(word) =>
              onSearch({ status: templateStatuses.find((one) => plainWords(one) === word) })
            }
          />
          <ChoiceFilter
            name="Mode"
            choices={['live', 'test']}
            value={search.mode}
            onChange={(mode) => onSearch({ mode })}
          />
        </div>
      </div>
      <ListState
        query={query}
        rows={rows}
        empty={
          isFiltered ? (
            <NoMatch
              title="No template matches"
              filters={[search.q && `“${search.q}”`, search.status, search.mode]}
              onClear={() => onSearch({ q: undefined, status: undefined, mode: undefined })}
            />
          ) : (
            {
              icon: IconTemplate,
              title: 'No template yet',
              sentence:
                'You create templates at WhatsApp, which approves them. “Sync now” loads them.',
            }
          )
        }
      >
        {() => (
          <>
            <ul className="template-rows" ref={list}>
              {rows.map((template) => (
                <TemplateRow key={template.id} {...props} template={template} />
              ))}
            </ul>
            {query.hasNextPage && (
              <ListFoot shown={templates.length} query={query} more="Show more" />
            )}
          </>
        )}
      </ListState>
    </section>
  );
}

function TemplateRow(props: TemplateListProps & { template: Template }) {
  const { template, keys, keyId, chosen, search } = props;
  const { accountId, accounts } = usePlace();
  const isChosen = template.id === chosen;
  // Where templates of several accounts stand together, each says whose it is.
  const owner =
    accountId === null ? accounts.find(({ id }) => id === template.account_id) : undefined;
  const apiKey = judgingKey(template, keys, keyId);
  const mappings = useQuery({
    ...keyMappingsQuery(apiKey?.id ?? ''),
    enabled: apiKey !== undefined,
  }).data;
  const mapping = mappings?.find(({ template_id: id }) => id === template.id);
  return (
    <li data-chosen={isChosen}>
      <Link
        to="/templates/$templateId"
        params={{ templateId: template.id }}
        search={search}
        className="template-row row"
        aria-current={isChosen ? 'true' : undefined}
      >
        <span className="grow">
          <code className="cut">{template.name}</code>
          <span className="small row wrap" style={{ gap: 4 }}>
            {template.language} · {plainWords(template.category)}
            {template.status !== 'APPROVED' && (
              <span data-status={template.status}> · {plainWords(template.status)}</span>
            )}
            {owner && <span>· {owner.name}</span>}
          </span>
        </span>
        <ModeBadge mode={template.mode} />
        {/* The room is kept while the mappings are read: a row that grew would push the chosen one out of view. */}
        <span className="template-sign">
          {apiKey && mappings && <MappingSign mapping={mapping} keyName={apiKey.name} />}
        </span>
      </Link>
    </li>
  );
}

function MappingSign({
  mapping,
  keyName,
}: {
  mapping: TemplateMapping | undefined;
  keyName: string;
}) {
  const [Sign, color, text] = !mapping
    ? ([IconCircleDashed, 'var(--text-3)', `${keyName} has no mapping`] as const)
    : mapping.broken
      ? ([IconAlertTriangle, 'var(--red)', `The mapping of ${keyName} does not fit`] as const)
      : ([IconCircleCheck, 'var(--green)', `Mapped for ${keyName}`] as const);
  return (
    <span title={text}>
      <Sign size={17} color={color} aria-hidden="true" />
      <span className="unseen">, {text}</span>
    </span>
  );
}
