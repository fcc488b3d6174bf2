import './playground.css';
import { Button, SegmentedControl } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconCheck, IconKey } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { createElement, useState } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { keyMappingsQuery, keysQuery } from '../api/key-queries.ts';
import { messageQuery, windowQuery } from '../api/message-queries.ts';
import { sendableTemplatesQuery } from '../api/template-queries.ts';
import type { ApiKey } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { WindowLine } from '../parts/window-line.tsx';
import { destinationOf } from '../session/destination.ts';
import { useKeptState } from '../session/kept-state.ts';
import { usePlace } from '../session/session.tsx';
import { CodeCard } from './code-card.tsx';
import { firstKey } from './first-key.ts';
import { lengthFaults } from './length-faults.ts';
import { messageForms } from './message-forms.ts';
import { MessagePreview } from './message-preview.tsx';
import type { FormProps } from './payload-field.tsx';
import { filledOtherwise, type Payload, parsePayload, printed } from './payloads.ts';
import {
  addressed,
  isTemplate,
  kindOf,
  type PlaygroundType,
  playgroundType,
  routeOf,
} from './playground-types.ts';
import { ResultCard, type RunMode } from './result-card.tsx';
import { RunBar } from './run-bar.tsx';
import { sentRequest } from './sent-request.ts';
import { standingFaults } from './standing-faults.ts';
import { chosenTemplate, TemplateFields } from './template-fields.tsx';
import { spoiledOutcome } from './test-numbers.ts';

type Drafts = Readonly<Partial<Record<PlaygroundType, string>>>;

/** The texts in what the tab has stored. */
function draftsOf(stored: unknown): Drafts | null {
  if (typeof stored !== 'object' || stored === null) return null;
  return Object.fromEntries(Object.entries(stored).filter(([, text]) => typeof text === 'string'));
}

/** Builds a message in a form or as JSON, tries it, and hands out the code. */
export function PlaygroundPage() {
  const search = useSearch({ from: '/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const { accountId, mayChange } = usePlace();
  const keys = useQuery(keysQuery(accountId));
  // What was written about one message or template is not shown for another one.
  const beginning =
    search.message ?? [search.template, search.language, search.to].filter(Boolean).join(' ');
  const [drafts, setDrafts] = useKeptState(`playground ${beginning}`, {}, draftsOf);
  const [chosenKey, setChosenKey] = useKeptState<string | null>('playground key', null, (stored) =>
    typeof stored === 'string' ? stored : null,
  );
  const type = playgroundType(search.type) ?? 'button';
  const isFromMessage = search.message !== undefined;
  const message = useQuery({ ...messageQuery(search.message ?? ''), enabled: isFromMessage });
  const sent = message.data && sentRequest(message.data);
  const named =
    search.template !== undefined && isTemplate(type)
      ? printed({
          ...kindOf[type].sample,
          template_name: search.template,
          language: search.language ?? '',
        })
      : undefined;
  const meant =
    search.to === undefined ? named : printed(addressed(type, kindOf[type].sample, search.to));
  const usable = keys.data?.filter(
    ({ state, mode }) => state === 'active' && (mayChange || mode === 'test'),
  );
  const showType = (next: PlaygroundType) =>
    void navigate({ search: { ...search, type: next }, replace: true });
  return (
    <>
      <PageHeader
        title="Playground"
        sentence="Build a message, see it on a phone, copy the code."
      />
      {!usable || (isFromMessage && message.isPending) ? (
        <QueryState query={keys} isCard />
      ) : usable.length === 0 ? (
        <div className="card">
          <EmptyState
            icon={IconKey}
            title={mayChange ? 'No active key' : 'No active test key'}
            sentence={
              mayChange
                ? 'The playground sends a message as an API key would.'
                : 'Viewers try messages out with test keys. An administrator can make one.'
            }
            action={
              mayChange && (
                <Button component={Link} to="/keys/new" variant="filled">
                  Create key
                </Button>
              )
            }
          />
        </div>
      ) : (
        <Workbench
          key={type}
          type={type}
          keys={usable}
          apiKey={
            usable.find(({ id }) => id === (search.key ?? chosenKey)) ?? firstKey(usable, type)
          }
          draft={drafts[type] ?? (sent?.type === type ? printed(sent.body) : meant)}
          onDraft={(text) => setDrafts({ ...drafts, [type]: text })}
          onType={showType}
          onWay={(next, payload) => {
            const before = parsePayload(drafts[next] ?? '') ?? kindOf[next].sample;
            setDrafts({ ...drafts, [next]: printed(filledOtherwise(payload, before)) });
            showType(next);
          }}
          onKey={(key) => {
            setChosenKey(key);
            void navigate({ search: { ...search, key }, replace: true });
          }}
        />
      )}
    </>
  );
}

interface WorkbenchProps {
  readonly type: PlaygroundType;
  readonly keys: readonly ApiKey[];
  readonly apiKey: ApiKey | undefined;
  /** What was written here before another type was looked at. */
  readonly draft: string | undefined;
  readonly onDraft: (text: string) => void;
  readonly onType: (type: PlaygroundType) => void;
  /** The same template, filled in another way. */
  readonly onWay: (type: PlaygroundType, payload: Payload) => void;
  readonly onKey: (id: string) => void;
}

function Workbench(props: WorkbenchProps) {
  const { type, keys, apiKey, draft, onDraft, onType, onWay, onKey } = props;
  const { session } = usePlace();
  const [text, setText] = useState(draft ?? printed(kindOf[type].sample));
  const [payload, setPayload] = useState(parsePayload(text) ?? kindOf[type].sample);
  // Off at every visit: sending for real is a choice of its own each time.
  const [isReal, setIsReal] = useState(false);
  const [side, setSide] = useState('Form');
  // The API's result for the last run, as long as the message is unchanged.
  const [refusals, setRefusals] = useState<Readonly<Record<string, string>>>({});
  const choice = useTemplateChoice(type, payload, apiKey);
  const run = useMutation({
    mutationFn: (mode: RunMode) =>
      call('POST', '/playground', null, { mode, api_key_id: apiKey?.id ?? '', type, payload }),
    onSettled: (_answer, error) => {
      setRefusals(refusalsOf(error));
      setSide('Code');
    },
  });
  const isBroken = parsePayload(text) === null;
  const faults = { ...refusals, ...lengthFaults(type, payload) };
  const isReady = apiKey !== undefined && !isBroken;
  const start = () => isReady && !run.isPending && run.mutate(isReal ? 'send' : 'simulate');
  useHotkeys([['mod+Enter', start]], []);
  const change = (next: typeof payload, asText: string) => {
    setPayload(next);
    setText(asText);
    onDraft(asText);
    const standing = standingFaults(refusals, payload, next);
    setRefusals(standing);
    if (!run.isPending && Object.keys(standing).length === 0) run.reset();
  };
  const form: FormProps = {
    type,
    payload,
    faults,
    isSimulated: apiKey !== undefined && destinationOf(apiKey.mode, session) === 'simulator',
    onChange: (next) => change(next, printed(next)),
  };
  return (
    <>
      <RunBar
        type={type}
        keys={keys}
        apiKey={apiKey}
        isReal={isReal}
        isReady={isReady}
        isRunning={run.isPending}
        onType={onType}
        onKey={onKey}
        onReal={setIsReal}
        onRun={start}
      />
      <SegmentedControl
        className="try-switch"
        aria-label="Part"
        fullWidth
        data={['Form', 'Code', 'Phone']}
        value={side}
        onChange={setSide}
      />
      <div className="try-columns">
        <div data-off={side !== 'Form'}>
          <Card
            title="Message"
            aside={<Verdict count={Object.keys(faults).length} isValid={run.isSuccess} />}
          >
            {isTemplate(type) ? (
              <TemplateFields form={form} choice={choice} onWay={(next) => onWay(next, payload)} />
            ) : (
              createElement(messageForms[type], { form })
            )}
          </Card>
        </div>
        <div className="stack" data-off={side !== 'Code'}>
          <CodeCard
            text={text}
            isBroken={isBroken}
            faults={Object.keys(faults)}
            route={routeOf(type)}
            origin={session.public_url}
            body={printed(payload)}
            onText={(next) => change(parsePayload(next) ?? payload, next)}
          />
          <ResultCard
            mode={run.variables}
            answer={run.data}
            error={run.error}
            outcome={form.isSimulated ? spoiledOutcome(type, payload.to) : undefined}
            faults={refusals}
          />
        </div>
        <div className="try-phone" data-off={side !== 'Phone'}>
          <RecipientWindow type={type} payload={payload} apiKey={apiKey} />
          <MessagePreview
            type={type}
            payload={payload}
            filling={{ template: choice.template, variables: choice.variables ?? undefined }}
          />
        </div>
      </div>
    </>
  );
}

/** Whether a message that is no template reaches the recipient now. */
function RecipientWindow({
  type,
  payload: { to },
  apiKey,
}: Pick<WorkbenchProps, 'type' | 'apiKey'> & { readonly payload: Payload }) {
  const phone = typeof to === 'string' && /^\+[1-9]\d{6,14}$/.test(to) ? to : null;
  const query = useQuery({
    ...windowQuery(apiKey?.account_id ?? '', apiKey?.mode ?? 'live', phone ?? ''),
    enabled: !isTemplate(type) && phone !== null && apiKey !== undefined,
  });
  return (
    query.data && (
      <p className="small" style={{ marginBottom: 12 }}>
        24-hour window of {phone}: <WindowLine window={query.data} />
      </p>
    )
  );
}

function Verdict({ count, isValid }: { count: number; isValid: boolean }) {
  if (count > 0) {
    return (
      <span className="small wrong">
        {count} {count === 1 ? 'field' : 'fields'} to change
      </span>
    );
  }
  return isValid ? (
    <span className="small row">
      <IconCheck size={15} color="var(--green)" aria-hidden="true" />
      All fields fit
    </span>
  ) : null;
}

/** The templates that the key can send, the one that the payload names, and the key's mapping of it. */
function useTemplateChoice(
  type: PlaygroundType,
  payload: Readonly<Record<string, unknown>>,
  apiKey: ApiKey | undefined,
) {
  const enabled = isTemplate(type) && apiKey !== undefined;
  const templates = useQuery({
    ...sendableTemplatesQuery(apiKey?.account_id ?? '', apiKey?.mode ?? 'live'),
    enabled,
  }).data;
  const mappings = useQuery({ ...keyMappingsQuery(apiKey?.id ?? ''), enabled }).data;
  const template = chosenTemplate(templates, payload);
  const mapping = mappings?.find(({ template_id: id }) => id === template?.id);
  const hasVariables = (template?.parameters.length ?? 0) > 0;
  return {
    templates,
    template,
    keyId: apiKey?.id,
    variables:
      mapping?.variables ?? (mappings === undefined ? undefined : hasVariables ? null : {}),
  };
}

/** What the API says is wrong: path → why. */
function refusalsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof ApiFailure)) return {};
  const body = error.body as { error?: { details?: { variables?: unknown } } } | null;
  const missing = body?.error?.details?.variables;
  const names = Array.isArray(missing) ? missing.filter((name) => typeof name === 'string') : [];
  const known: Record<string, string> = { ...error.fields };
  for (const name of names) known[`variables.${name}`] = 'Is required.';
  if (error.code === 'INVALID_PHONE_NUMBER' && !known.to) known.to = error.message;
  if (error.code === 'TEMPLATE_NOT_FOUND') known.template_name = error.message;
  return known;
}
