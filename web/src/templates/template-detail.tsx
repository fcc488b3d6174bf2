import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyMappingsQuery, templateQuery } from '../api/queries.ts';
import type { ApiKey, Template, TemplateAnswer, TemplateMapping } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { judgingKey, keysFor } from './judging-key.ts';
import { type DraftLine, draftLines } from './mapping-draft.ts';
import { MappingEditor } from './mapping-editor.tsx';
import { SendingCard } from './sending-card.tsx';
import { TemplateCard } from './template-card.tsx';
import { TemplatePhone } from './template-phone.tsx';
import { UnsavedMapping } from './unsaved-mapping.tsx';

interface TemplateDetailProps {
  readonly id: string;
  /** All templates that are known, to tell the other languages of this one. */
  readonly templates: readonly Template[];
  readonly keys: readonly ApiKey[];
  /** The chosen key, of either mode. */
  readonly keyId: string | undefined;
  readonly onKey: (keyId: string) => void;
}

/** One template: what it is, how a key names its places, and what it looks like. */
export function TemplateDetail({ id, templates, keys, keyId, onKey }: TemplateDetailProps) {
  const answer = useQuery(templateQuery(id));
  const template = answer.data?.template;
  const apiKey = template && judgingKey(template, keys, keyId);
  const mappings = useQuery({
    ...keyMappingsQuery(apiKey?.id ?? ''),
    enabled: apiKey !== undefined,
  });
  const failed = [answer, mappings].find(({ isError, data }) => isError && data === undefined);
  if (failed || !answer.data || (apiKey && !mappings.data)) {
    return <QueryState<unknown> query={failed ?? (answer.data ? mappings : answer)} isCard />;
  }
  const mapping = mappings.data?.find(({ template_id: of }) => of === id) ?? null;
  return (
    <Loaded
      // Another template, key or stored mapping begins another draft.
      key={`${id} ${apiKey?.id} ${mapping?.updated_at}`}
      answer={answer.data}
      mapping={mapping}
      keys={keysFor(answer.data.template, keys)}
      apiKey={apiKey}
      onKey={onKey}
      templates={templates}
    />
  );
}

interface LoadedProps {
  readonly answer: TemplateAnswer;
  readonly mapping: TemplateMapping | null;
  readonly keys: readonly ApiKey[];
  readonly apiKey: ApiKey | undefined;
  readonly onKey: (keyId: string) => void;
  readonly templates: readonly Template[];
}

function Loaded({ answer, mapping, keys, apiKey, onKey, templates }: LoadedProps) {
  const { template } = answer;
  const stored = draftLines(template, mapping);
  const [draft, setDraft] = useState<readonly DraftLine[] | null>(null);
  const lines = draft ?? stored;
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(stored);
  const others = templates
    .filter(
      (other) =>
        other.id !== template.id &&
        other.name === template.name &&
        other.account_id === template.account_id &&
        other.mode === template.mode,
    )
    .map(({ language }) => language);
  return (
    <div className="template-detail">
      <div className="stack">
        <TemplateCard template={template} others={others} />
        <MappingEditor
          template={template}
          keys={keys}
          apiKey={apiKey}
          onKey={onKey}
          mapping={mapping}
          lines={lines}
          isChanged={isChanged}
          onChange={setDraft}
          onDiscard={() => setDraft(null)}
        />
        <SendingCard template={template} lines={lines} />
        <OtherMappings answer={answer} current={apiKey?.id} onKey={onKey} />
      </div>
      <TemplatePhone template={template} lines={lines} />
      <UnsavedMapping isChanged={isChanged} name={template.name} />
    </div>
  );
}

/** The other keys that have mapped the template, and whether theirs fits. */
function OtherMappings({
  answer,
  current,
  onKey,
}: {
  answer: TemplateAnswer;
  current: string | undefined;
  onKey: (keyId: string) => void;
}) {
  const others = answer.mappings.filter(({ api_key_id: id }) => id !== current);
  if (others.length === 0) return null;
  return (
    <Card title="Other keys with a mapping">
      <ul>
        {others.map((other) => (
          <li key={other.api_key_id} className="mapping-line">
            <button type="button" className="link" onClick={() => onKey(other.api_key_id)}>
              {other.api_key_name}
            </button>
            {other.broken ? (
              <span className="wrong">{other.broken_reason}</span>
            ) : (
              <span className="quiet">
                {other.variables} {other.variables === 1 ? 'variable' : 'variables'}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
