import './playground.css';
import { Button, SegmentedControl, Select, Switch } from '@mantine/core';
import { IconCheck, IconKey, IconPlayerPlay, IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { keysQuery } from '../api/queries.ts';
import { usePlace } from '../frame/session.tsx';
import { Card } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { curlOf, pythonOf, typescriptOf } from './code-samples.ts';
import { JsonEditor } from './json-editor.tsx';
import { MessageFields } from './message-fields.tsx';
import {
  type Payload,
  type PlaygroundType,
  parsePayload,
  printed,
  readForm,
  routes,
  samples,
  writeForm,
} from './payloads.ts';
import { Phone } from './phone.tsx';
import { ResultCard, type RunData } from './result-card.tsx';

const types = [
  { value: 'list', label: 'List' },
  { value: 'button', label: 'Buttons' },
];

/** Builds a message in a form or as JSON, tries it, and hands out the code. */
export function PlaygroundPage() {
  const search = useSearch({ from: '/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const type: PlaygroundType = search.type === 'button' ? 'button' : 'list';
  return (
    <>
      <PageHeader
        title="Playground"
        sentence="Build a message, see it on a phone, take the code."
      />
      <Workbench
        key={type}
        type={type}
        onType={(next) => void navigate({ search: { ...search, type: next }, replace: true })}
      />
    </>
  );
}

function Workbench({ type, onType }: { type: PlaygroundType; onType: (type: string) => void }) {
  const { accountId, account, session } = usePlace();
  const keys = useQuery(keysQuery(accountId));
  const usable = (keys.data ?? []).filter(({ state }) => state === 'active');
  const [keyId, setKeyId] = useState<string | null>(null);
  const key = usable.find(({ id }) => id === keyId) ?? usable[0];
  const [payload, setPayload] = useState<Payload>(samples[type]);
  const [text, setText] = useState(() => printed(samples[type]));
  // Off at every visit: sending for real is a choice of its own each time.
  const [isReal, setIsReal] = useState(false);
  const [code, setCode] = useState('JSON');
  const [side, setSide] = useState('Form');
  const run = useMutation({
    mutationFn: () =>
      call<RunData>('POST', '/playground', {
        mode: isReal ? 'send' : 'simulate',
        api_key_id: key?.id,
        type,
        payload,
      }),
    onSettled: () => setSide('Code'),
  });
  const isBroken = parsePayload(text) === null;
  const faults = run.error instanceof ApiFailure ? run.error.fields : {};
  const faultCount = Object.keys(faults).length;
  const form = readForm(payload);
  const change = (next: Payload, asText: string) => {
    setPayload(next);
    setText(asText);
    if (!run.isPending) run.reset();
  };
  const request = { url: `${session.public_url}${routes[type]}`, body: printed(payload) };
  const costs = isReal && key?.mode === 'live';
  if (keys.data && usable.length === 0) {
    return (
      <div className="card">
        <EmptyState
          icon={IconKey}
          title="No active key"
          sentence="The playground tries a message as a key would send it."
          action={
            <Button component={Link} to="/keys/new" variant="filled">
              Create key
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <>
      <div className="try-bar" data-real={costs}>
        <SegmentedControl
          aria-label="Type of message"
          data={types}
          value={type}
          onChange={onType}
        />
        <Select
          aria-label="Key"
          leftSection={<IconKey size={16} />}
          data={usable.map(({ id, name, mode }) => ({
            value: id,
            label: mode === 'test' ? `${name} (test)` : name,
          }))}
          value={key?.id ?? null}
          onChange={setKeyId}
          allowDeselect={false}
        />
        <div className="try-run">
          <Switch
            label={
              <>
                Send for real
                {isReal &&
                  (costs ? (
                    <span className="real"> · charges apply</span>
                  ) : (
                    ' · to the simulator, free'
                  ))}
              </>
            }
            checked={isReal}
            onChange={(event) => setIsReal(event.currentTarget.checked)}
          />
          <Button
            variant="filled"
            {...(costs && { color: '#b45309' })}
            leftSection={isReal ? <IconSend size={16} /> : <IconPlayerPlay size={16} />}
            disabled={!key || isBroken}
            loading={run.isPending}
            onClick={() => run.mutate()}
          >
            {isReal ? 'Send message' : 'Simulate'}
          </Button>
        </div>
      </div>
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
            aside={
              faultCount > 0 ? (
                <span className="small wrong">
                  {faultCount} {faultCount === 1 ? 'field needs' : 'fields need'} a change
                </span>
              ) : run.data?.data.valid ? (
                <span className="small row">
                  <IconCheck size={15} color="var(--green)" aria-hidden="true" />
                  All fields fit
                </span>
              ) : undefined
            }
          >
            <MessageFields
              type={type}
              form={form}
              faults={faults}
              onChange={(next) => {
                const written = writeForm(type, next, payload);
                change(written, printed(written));
              }}
            />
          </Card>
        </div>
        <div className="stack" data-off={side !== 'Code'}>
          <section className="card" aria-label="Request">
            <div className="card-head">
              <SegmentedControl
                size="xs"
                aria-label="Code"
                data={['JSON', 'curl', 'TypeScript', 'Python']}
                value={code}
                onChange={setCode}
              />
            </div>
            <div className="route">POST {routes[type]}</div>
            {code === 'JSON' ? (
              <>
                <JsonEditor
                  value={text}
                  isBroken={isBroken}
                  onChange={(next) => change(parsePayload(next) ?? payload, next)}
                />
                {isBroken && (
                  <p className="card-body small wrong" role="alert">
                    This is no JSON object. The form keeps the last good one.
                  </p>
                )}
              </>
            ) : code === 'curl' ? (
              <CodeBlock language="shell" code={curlOf(request)} />
            ) : code === 'TypeScript' ? (
              <CodeBlock language="typescript" code={typescriptOf(request)} />
            ) : (
              <CodeBlock language="python" code={pythonOf(request)} />
            )}
          </section>
          <ResultCard answer={run.data} error={run.error} />
        </div>
        <div className="try-phone" data-off={side !== 'Phone'}>
          <Phone type={type} form={form} business={account?.name ?? 'Your business'} />
          {type === 'list' && (
            <p className="small" style={{ textAlign: 'center', marginTop: 8 }}>
              Press the button to open the list.
            </p>
          )}
        </div>
      </div>
    </>
  );
}
