import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconTemplate,
} from '@tabler/icons-react';
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keyMappingsQuery } from '../api/key-queries.ts';
import type { ApiKey, Template } from '../api/types.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { ListFoot } from '../lists/list-foot.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { SearchInput } from '../lists/search-input.tsx';
import { useChosenInView } from '../parts/chosen-in-view.ts';
import { ListState } from '../parts/query-state.tsx';
import { plainWords } from '../parts/words.ts';
import { usePlace } from '../session/session.tsx';
import { judgingKey } from './judging-key.ts';
import { leadOf, type TemplateGroup } from './template-groups.ts';
import { templateLook, templateStatuses } from './template-status.tsx';

/** The filter of the list; it is in the address. */
export interface TemplateSearch {
  readonly q?: string;
  readonly status?: string;
  readonly mapped?: string;
  readonly mode?: string;
  readonly key?: string;
}

/** Whether any key has a mapping that fits. */
export const mappedChoices = [
  { value: 'yes', configured: true, word: 'By a key' },
  { value: 'no', configured: false, word: 'By no key' },
] as const;

interface TemplateListProps {
  readonly query: UseInfiniteQueryResult;
  /** What the filters leave. */
  readonly templates: readonly Template[];
  /** Those of the rows. */
  readonly groups: readonly TemplateGroup[];
  readonly keys: readonly ApiKey[];
  /** The chosen key, of either mode. */
  readonly keyId: string | undefined;
  /** Of the chosen key, else of the first that sends templates. */
  readonly mode: Template['mode'] | undefined;
  readonly chosen: string | undefined;
  readonly search: TemplateSearch;
  readonly onSearch: (change: TemplateSearch) => void;
}

/** One row for each name of a template, with its languages and how the key of its detail has mapped them. */
export function TemplateList(props: TemplateListProps) {
  const { query, templates, groups: rows, search, onSearch } = props;
  const list = useChosenInView<HTMLUListElement>(props.chosen, rows.length > 0);
  const mapped = mappedChoices.find(({ value }) => value === search.mapped)?.word;
  const isFiltered = Boolean(search.q || search.status || mapped || search.mode);
  return (
    <section className="card template-list" aria-label="Templates">
      <div className="template-search">
        <SearchInput
          label="Search templates"
          placeholder="Search templates"
          value={search.q ?? ''}
          onText={(text) => onSearch({ q: text || undefined })}
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
            name="Mapped"
            choices={mappedChoices.map(({ word }) => word)}
            value={mapped}
            isVerbatim
            any="Mapped or not"
            onChange={(chosen) =>
              onSearch({ mapped: mappedChoices.find(({ word }) => word === chosen)?.value })
            }
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
              filters={[
                search.q && `“${search.q}”`,
                search.status && plainWords(search.status),
                mapped && `mapped ${mapped.toLowerCase()}`,
                search.mode,
              ]}
              onClear={() =>
                onSearch({
                  q: undefined,
                  status: undefined,
                  mapped: undefined,
                  mode: search.mode && 'both',
                })
              }
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
              {rows.map((group) => (
                <GroupRow key={group.id} {...props} group={group} />
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

type GroupProps = TemplateListProps & { readonly group: TemplateGroup };

function GroupRow(props: GroupProps) {
  const { group, keys, keyId, chosen, search, mode } = props;
  const { accountId, accounts } = usePlace();
  const lead = leadOf(group, chosen, mode);
  if (!lead) return null;
  // Where templates of several accounts stand together, each says whose it is.
  const owner = accountId === null ? accounts.find(({ id }) => id === group.accountId) : undefined;
  return (
    <li data-chosen={lead.id === chosen}>
      <div className="template-row">
        <div className="row">
          <Link
            to="/templates/$templateId"
            params={{ templateId: lead.id }}
            search={search}
            className="row-link grow cut"
          >
            <code>{group.name}</code>
          </Link>
        </div>
        <div className="row small">
          <span className="grow">
            {plainWords(lead.category)}
            {search.mode === undefined && ` · ${modesOf(group)}`}
            {owner && <span> · {owner.name}</span>}
          </span>
          {/* The room is kept while the mappings are read: a row that grew would push the chosen one out of view. */}
          <span className="template-sign">
            <GroupSign
              group={group}
              lead={lead}
              apiKey={judgingKey(lead, keys, keyId)}
              isChosen={keyId !== undefined}
            />
          </span>
        </div>
        <ul className="template-chips" aria-label={`Languages of ${group.name}`}>
          {group.members.map(({ template, isMatch }) => (
            <li key={template.id}>
              <TemplateChip
                template={template}
                isMatch={isMatch}
                isChosen={template.id === chosen}
                search={search}
              />
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}

/** Whether a name stands for templates of WhatsApp, of the simulator, or of both. */
const modesOf = ({ members }: TemplateGroup): string =>
  (['live', 'test'] as const)
    .filter((mode) => members.some(({ template }) => template.mode === mode))
    .join(' and ');

interface ChipProps {
  readonly template: Template;
  /** Whether the filters leave it. */
  readonly isMatch: boolean;
  readonly isChosen: boolean;
  readonly search: TemplateSearch;
}

/** One language and mode of a name, and whether WhatsApp lets it be sent. */
function TemplateChip({ template, isMatch, isChosen, search }: ChipProps) {
  const { id, language, mode, status } = template;
  const { tone, icon: Sign } = templateLook(status);
  const state = isMatch ? plainWords(status) : `${plainWords(status)}, does not match the filter`;
  return (
    <Link
      to="/templates/$templateId"
      params={{ templateId: id }}
      search={search}
      className="badge template-chip"
      data-tone={isMatch ? tone : 'outline'}
      aria-current={isChosen ? 'true' : undefined}
      title={state}
    >
      <Sign stroke={2} aria-hidden="true" />
      <span>
        {language}
        {mode === 'test' && ' · test'}
        <span className="unseen">, {state}</span>
      </span>
    </Link>
  );
}

/** How a key has mapped the languages of a name, in the mode of the key. */
function GroupSign({
  group,
  lead,
  apiKey,
  isChosen,
}: {
  group: TemplateGroup;
  lead: Template;
  apiKey: ApiKey | undefined;
  /** Whether somebody has chosen the key; else another one may have the mapping. */
  isChosen: boolean;
}) {
  const mappings = useQuery({
    ...keyMappingsQuery(apiKey?.id ?? ''),
    enabled: apiKey !== undefined,
  }).data;
  if (!apiKey || !mappings) return null;
  const ids = new Set(
    group.members
      .filter(({ template }) => template.mode === lead.mode)
      .map(({ template }) => template.id),
  );
  const own = mappings.filter(({ template_id: of }) => ids.has(of));
  const isOfAnother =
    !isChosen && group.members.some(({ template }) => ids.has(template.id) && template.configured);
  const [Sign, color, word, text] = own.some(({ broken }) => broken)
    ? ([
        IconAlertTriangle,
        'var(--red)',
        'Does not fit',
        `A mapping of ${apiKey.name} does not fit`,
      ] as const)
    : own.length === 0 && isOfAnother
      ? ([
          IconCircleCheck,
          'var(--green)',
          'Mapped',
          `Mapped for another key than ${apiKey.name}`,
        ] as const)
      : own.length === 0
        ? ([
            IconCircleDashed,
            'var(--text-3)',
            'Not mapped',
            `${apiKey.name} has no mapping`,
          ] as const)
        : own.length < ids.size
          ? ([
              IconCircleDashed,
              'var(--green)',
              `${own.length} of ${ids.size} mapped`,
              `${apiKey.name} has mapped ${own.length} of ${ids.size} languages`,
            ] as const)
          : ([IconCircleCheck, 'var(--green)', 'Mapped', `Mapped for ${apiKey.name}`] as const);
  return (
    <span title={text}>
      <Sign size={15} color={color} aria-hidden="true" />
      <span aria-hidden="true">{word}</span>
      <span className="unseen">{text}</span>
    </span>
  );
}
