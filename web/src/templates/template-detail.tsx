import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyMappingsQuery } from '../api/key-queries.ts';
import { templateQuery } from '../api/template-queries.ts';
import type { ApiKey, TemplateAnswer, TemplateMapping } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { lazyPart, OnceOpened } from '../parts/lazy-part.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { usePlace } from '../session/session.tsx';
import { judgingKey, keysFor } from './judging-key.ts';
import { type DraftLine, draftLines } from './mapping/mapping-draft.ts';
import { MappingEditor } from './mapping/mapping-editor.tsx';
import { UnsavedMapping } from './mapping/unsaved-mapping.tsx';
import { playgroundSearch } from './playground-link.ts';
import { SendingCard } from './sending-card.tsx';
import { TemplateCard } from './template-card.tsx';
import { templateLanguagesQuery } from './template-languages.ts';
import { TemplatePhone } from './template-phone.tsx';

const ApplyMapping = lazyPart(() => import('./mapping/apply-mapping.tsx'), 'ApplyMapping');

interface TemplateDetailProps {
  readonly id: string;
  readonly keys: readonly ApiKey[];
  /** The chosen key, of either mode. */
  readonly keyId: string | undefined;
  readonly onKey: (keyId: string) => void;
}

/** One template: what it is, how a key names its places, and what it looks like. */
export function TemplateDetail({ id, keys, keyId, onKey }: TemplateDetailProps) {
  const answer = useQuery(templateQuery(id));
  const template = answer.data?.template;
  const mappedBy = answer.data?.mappings.map(({ api_key_id: of }) => of);
  const apiKey = template && judgingKey(template, keys, keyId, mappedBy);
  const mappings = useQuery({
    ...keyMappingsQuery(apiKey?.id ?? ''),
    enabled: apiKey !== undefined,
  });
  const failed = [answer, mappings].find(({ isError, data }) => isError && data === undefined);
  if (failed || !answer.data || (apiKey && !mappings.data)) {
    return <QueryState<unknown> query={failed ?? (answer.data ? mappings : answer)} isCard />;
  }
  return (
    <Editing
      key={`${id} ${apiKey?.id}`}
      answer={answer.data}
      mappings={mappings.data ?? []}
      keys={keysFor(answer.data.template, keys)}
      apiKey={apiKey}
      onKey={onKey}
    />
  );
}

interface EditingProps {
  readonly answer: TemplateAnswer;
  /** Those of the key, for all templates. */
  readonly mappings: readonly TemplateMapping[];
  readonly keys: readonly ApiKey[];
  readonly apiKey: ApiKey | undefined;
  readonly onKey: (keyId: string) => void;
}

/** A template and a key: what outlasts a save of their mapping. */
function Editing(props: EditingProps) {
  const { answer, mappings, apiKey } = props;
  const { template } = answer;
  const mapping = mappings.find(({ template_id: of }) => of === template.id) ?? null;
  const [notice, setNotice] = useState<string | null>(null);
  const [isApplied, setIsApplied] = useState(false);
  const [applied, setApplied] = useState<readonly DraftLine[]>([]);
  return (
    <>
      <Loaded
        // Another stored mapping begins another draft.
        key={mapping?.updated_at}
        {...props}
        mapping={mapping}
        notice={notice}
        onNotice={setNotice}
        onApply={(lines) => {
          setApplied(lines);
          setIsApplied(true);
        }}
      />
      {apiKey && (
        <OnceOpened isOpen={isApplied}>
          {(isShown) => (
            <ApplyMapping
              template={template}
              apiKey={apiKey}
              isAsked={isShown}
              lines={applied}
              onClose={() => setIsApplied(false)}
              onDone={(done) => {
                setIsApplied(false);
                setNotice(done);
              }}
            />
          )}
        </OnceOpened>
      )}
    </>
  );
}

interface LoadedProps extends EditingProps {
  readonly mapping: TemplateMapping | null;
  readonly notice: string | null;
  readonly onNotice: (notice: string | null) => void;
  readonly onApply: (lines: readonly DraftLine[]) => void;
}

function Loaded(props: LoadedProps) {
  const { answer, mapping, mappings, keys, apiKey, onKey, notice, onNotice, onApply } = props;
  const { template } = answer;
  const { mayChange } = usePlace();
  const stored = draftLines(template, mapping);
  const [draft, setDraft] = useState<readonly DraftLine[] | null>(null);
  const lines = draft ?? stored;
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(stored);
  const others = (useQuery(templateLanguagesQuery(template)).data ?? []).filter(
    ({ id }) => id !== template.id,
  );
  return (
    <div className="template-detail">
      <div className="stack">
        <TemplateCard template={template} others={others.map(({ language }) => language)} />
        <MappingEditor
          template={template}
          keys={keys}
          apiKey={apiKey}
          onKey={onKey}
          mapping={mapping}
          mappings={mappings}
          ofTemplate={answer.mappings}
          lines={lines}
          isChanged={isChanged}
          onChange={(changed) => {
            setDraft(changed);
            onNotice(null);
          }}
          onDiscard={() => {
            setDraft(null);
            onNotice(null);
          }}
          notice={notice}
          onNotice={onNotice}
          onApply={others.length > 0 ? () => onApply(lines) : undefined}
        />
        <SendingCard
          template={template}
          lines={lines}
          tried={playgroundSearch({
            template,
            mappings: answer.mappings,
            keys,
            chosen: apiKey?.id,
            mayChange,
          })}
        />
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
