import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SyntheticEvent, useId, useState } from 'react';
import { readPhoneNumber } from '../../../../libs/phone-numbers/read-phone-number.ts';
import { call } from '../../api/client.ts';
import { keysQuery } from '../../api/key-queries.ts';
import { useReread } from '../../api/reread.ts';
import { templateNamedQuery } from '../../api/template-queries.ts';
import type { ApiKey, ChecklistItem } from '../../api/types.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { destinationOf, sendingWords } from '../../session/destination.ts';
import { usePlace } from '../../session/session.tsx';
import { ChecklistRow } from './checklist-row.tsx';
import { RefusalLine } from './refusal-line.tsx';

/** The template that Meta gives every business account. */
const template = { name: 'hello_world', language: 'en_US' };

interface TestMessageRowProps {
  readonly item: ChecklistItem;
  readonly accountId: string;
  /** Why nothing can be sent yet, or null. */
  readonly obstacle: string | null;
}

/** Sends a template to the operator's own phone, or says what that needs. */
export function TestMessageRow(props: TestMessageRowProps) {
  const { item, accountId, obstacle } = props;
  const isOpen = item.state !== 'done' && obstacle === null;
  const keys = useQuery({ ...keysQuery(accountId), enabled: isOpen });
  const found = useQuery({
    ...templateNamedQuery(accountId, 'live', template),
    enabled: isOpen,
    // Parley syncs the templates of a new account soon.
    refetchInterval: ({ state }) => (state.data?.status === 'APPROVED' ? false : 5_000),
  });
  if (!isOpen) {
    return (
      <ChecklistRow item={item}>{obstacle && <p className="small">{obstacle}</p>}</ChecklistRow>
    );
  }
  const failure = keys.error ?? found.error;
  if (failure) {
    return (
      <ChecklistRow item={item}>
        <RefusalLine error={failure} />
      </ChecklistRow>
    );
  }
  if (!keys.data || found.data === undefined) {
    return (
      <ChecklistRow item={item}>
        <Skeleton rows={1} />
      </ChecklistRow>
    );
  }
  const apiKey = keys.data.find(
    (key) =>
      key.account_id === accountId &&
      key.mode === 'live' &&
      key.state === 'active' &&
      key.permissions.includes('send_template'),
  );
  if (!apiKey) return <KeyNeeded {...props} />;
  if (found.data?.status !== 'APPROVED') {
    return <TemplateNeeded {...props} isThere={found.data !== null} />;
  }
  return <SendForm {...props} apiKey={apiKey} />;
}

function KeyNeeded({ item, accountId }: TestMessageRowProps) {
  return (
    <ChecklistRow
      item={item}
      aside={
        <Button
          renderRoot={(props) => (
            <Link to="/keys/new" search={{ account: accountId, for: 'go-live' }} {...props} />
          )}
        >
          Create key
        </Button>
      }
    >
      <p className="small">
        No live key of this account may send templates. Create one that may; you come back here.
      </p>
    </ChecklistRow>
  );
}

function TemplateNeeded({
  item,
  accountId,
  isThere,
}: TestMessageRowProps & { readonly isThere: boolean }) {
  const reread = useReread();
  const sync = useGuardedMutation({
    mutationFn: () => call('POST', '/templates/sync', null, { account_id: accountId }),
    onSettled: () => reread(['templates']),
  });
  return (
    <ChecklistRow
      item={item}
      aside={
        <Button loading={sync.isPending} onClick={() => sync.mutate()}>
          Sync templates
        </Button>
      }
    >
      <p className="secondary">
        {isThere
          ? 'WhatsApp has not approved hello_world in en_US. '
          : sync.isSuccess
            ? 'WhatsApp has no template hello_world in en_US. '
            : 'Parley does not know the template hello_world in en_US yet. '}
        <Link to="/templates" search={{ account: accountId, mode: 'live' }}>
          See the templates
        </Link>
      </p>
      <RefusalLine error={sync.error} />
    </ChecklistRow>
  );
}

function SendForm({ item, accountId, apiKey }: TestMessageRowProps & { readonly apiKey: ApiKey }) {
  const form = useId();
  const { session } = usePlace();
  const reread = useReread();
  const [number, setNumber] = useState('');
  const [isTried, setIsTried] = useState(false);
  const read = readPhoneNumber(number);
  const to = 'phone' in read ? read.phone : null;
  const send = useGuardedMutation({
    mutationFn: () =>
      call('POST', '/playground', null, {
        mode: 'send',
        api_key_id: apiKey.id,
        type: 'template',
        payload: { to, template_name: template.name, language: template.language },
      }),
    onSettled: () => reread(['checklist', accountId], ['messages'], ['audit-log']),
  });
  const costs = destinationOf('live', session) === 'whatsapp';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (to) send.mutate();
  };
  return (
    <ChecklistRow
      item={item}
      aside={
        <Button
          type="submit"
          form={form}
          variant="filled"
          {...(costs && { color: 'var(--real)' })}
          loading={send.isPending}
        >
          Send test message
        </Button>
      }
    >
      <form id={form} className="go-live-field" onSubmit={submit} noValidate>
        <TextInput
          label="Your phone number"
          description={`Sends hello_world with the key “${apiKey.name}”. ${sendingWords('live', session)}`}
          type="tel"
          autoComplete="tel"
          placeholder="+44 7700 900142"
          value={number}
          error={
            isTried &&
            'fault' in read &&
            `A number with its country code, such as +44 7700 900142. ${read.fault}.`
          }
          onChange={(event) => {
            send.reset();
            setNumber(event.currentTarget.value);
          }}
        />
      </form>
      <RefusalLine error={send.error} />
    </ChecklistRow>
  );
}
