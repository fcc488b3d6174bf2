import { Checkbox, Modal, NumberInput, TextInput } from '@mantine/core';
import { type UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { defaultMaxInFlight } from '../../../../src/endpoints/endpoint-limits.ts';
import { receivedTypes, toldStatuses } from '../../../../src/events/event-types.ts';
import { call } from '../../api/client.ts';
import { newEndpointLimits } from '../../api/limits/new-endpoint.ts';
import { useReread } from '../../api/reread.ts';
import type { ApiKey, Endpoint, NewEndpoint } from '../../api/types.ts';
import { defaultName } from '../../deliveries/named-endpoint.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { rangeWords } from '../../parts/limit-faults.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { eventLines } from '../../parts/permissions.ts';
import { useWrongField } from '../../parts/wrong-field.ts';
import { SecretDialog } from '../secret-dialog.tsx';
import {
  draftOfEndpoint,
  type EndpointDraft,
  type EndpointFaults,
  endpointBody,
  endpointFaults,
  eventWords,
  newEndpointDraft,
  refusedEndpointFields,
} from './endpoint-draft.ts';

interface NewEndpointProps {
  readonly apiKey: ApiKey;
  readonly isAsked: boolean;
  readonly onClose: () => void;
}

/** Adds an endpoint and shows its secret, once. */
export function NewEndpointDialog({ apiKey, isAsked, onClose }: NewEndpointProps) {
  const reread = useReread();
  const adding = useGuardedMutation({
    mutationFn: async (body: NewEndpoint) =>
      (await call('POST', '/api-keys/{id}/webhooks', { id: apiKey.id }, body)).data,
    // A secret that is shown once must not wait for data that can be read again.
    onSuccess: () => void reread(['key', apiKey.id]),
  });
  return (
    <SecretDialog
      isOpen={isAsked}
      question={`Add an endpoint to “${apiKey.name}”`}
      isPending={adding.isPending}
      secret={
        adding.data
          ? {
              title: `“${adding.data.webhook.name}” is ready`,
              name: 'Webhook secret',
              purpose: 'Shown only once. Verifies that a webhook came from Parley.',
              value: adding.data.secret,
            }
          : null
      }
      onClose={onClose}
      onGone={adding.reset}
    >
      <EndpointForm
        apiKey={apiKey}
        endpoint={null}
        save={adding}
        isHeld={adding.isPending}
        onClose={onClose}
      />
    </SecretDialog>
  );
}

interface EditEndpointProps {
  readonly apiKey: ApiKey;
  readonly endpoint: Endpoint;
  readonly isAsked: boolean;
  readonly onClose: () => void;
}

/** Changes an endpoint. */
export function EditEndpointDialog({ apiKey, endpoint, isAsked, onClose }: EditEndpointProps) {
  return (
    <Modal opened={isAsked} onClose={onClose} title={`Edit “${endpoint.name}”`} keepMounted={false}>
      <Editing apiKey={apiKey} endpoint={endpoint} onClose={onClose} />
    </Modal>
  );
}

function Editing({ apiKey, endpoint, onClose }: Omit<EditEndpointProps, 'isAsked'>) {
  const reread = useReread();
  const change = useGuardedMutation({
    mutationFn: (body: NewEndpoint) =>
      call(
        'PATCH',
        '/api-keys/{id}/webhooks/{endpoint_id}',
        { id: apiKey.id, endpoint_id: endpoint.id },
        body,
      ),
    onSuccess: async () => {
      await reread(['key', apiKey.id], ['keys']);
      onClose();
    },
  });
  return <EndpointForm apiKey={apiKey} endpoint={endpoint} save={change} onClose={onClose} />;
}

interface EndpointFormProps {
  readonly apiKey: ApiKey;
  /** Null: a new one. */
  readonly endpoint: Endpoint | null;
  readonly save: UseMutationResult<unknown, Error, NewEndpoint>;
  readonly isHeld?: boolean;
  readonly onClose: () => void;
}

function EndpointForm({ apiKey, endpoint, save, isHeld = false, onClose }: EndpointFormProps) {
  const hasName = endpoint?.name !== defaultName;
  const [draft, setDraft] = useState(() =>
    endpoint ? draftOfEndpoint(endpoint) : newEndpointDraft(apiKey),
  );
  const [isTried, setIsTried] = useState(false);
  const [refused, setRefused] = useState<EndpointFaults>({});
  const wrongField = useWrongField<HTMLDivElement>();
  const wrong = endpointFaults(draft);
  const submit = () => {
    setIsTried(true);
    if (Object.keys(wrong).length > 0) {
      wrongField.lead();
      return;
    }
    const body = endpointBody(draft, hasName);
    // The format is chosen once.
    save.mutate(endpoint === null && draft.isWhatsapp ? { ...body, format: 'whatsapp' } : body, {
      onError: (error) => {
        setRefused(refusedEndpointFields(error));
        wrongField.lead();
      },
    });
  };
  const isRefusedElsewhere = Object.keys(refused).length === 0;
  return (
    <div ref={wrongField.form} className="endpoint-form">
      <DialogForm
        go={endpoint ? 'Save changes' : 'Add endpoint'}
        isPending={save.isPending}
        isHeld={isHeld}
        error={isRefusedElsewhere ? save.error : null}
        onKeep={onClose}
        onGo={submit}
      >
        <EndpointFields
          draft={draft}
          faults={{ ...(isTried && wrong), ...refused }}
          hasName={hasName}
          isNew={endpoint === null}
          hasToken={endpoint?.has_verify_token ?? false}
          apiKey={apiKey}
          onChange={(changed) => {
            if (save.isError) save.reset();
            setDraft({ ...draft, ...changed });
            setRefused({});
          }}
        />
      </DialogForm>
    </div>
  );
}

interface EndpointFieldsProps {
  readonly draft: EndpointDraft;
  readonly faults: EndpointFaults;
  readonly hasName: boolean;
  readonly isNew: boolean;
  readonly hasToken: boolean;
  readonly apiKey: ApiKey;
  readonly onChange: (change: Partial<EndpointDraft>) => void;
}

function EndpointFields(props: EndpointFieldsProps) {
  const { draft, faults, hasName, isNew, apiKey, onChange } = props;
  const mayReadAccount = apiKey.permissions.includes('view_messages');
  return (
    <>
      <TextInput
        label="URL"
        type="url"
        placeholder="https://"
        data-autofocus
        value={draft.url}
        error={faults.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      {hasName && (
        <TextInput
          label="Name"
          description="Optional. Without one, the host of the URL"
          value={draft.name}
          error={faults.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
      {isNew && (
        <Checkbox
          label="In WhatsApp’s own form"
          description={`For programs that speak to Meta: every notification of the account as WhatsApp sent it, one message or status a request. The key needs view_messages${
            mayReadAccount ? '.' : ', which it does not have.'
          }`}
          size="xs"
          checked={draft.isWhatsapp}
          error={faults.isWhatsapp}
          disabled={!mayReadAccount}
          onChange={(event) => onChange({ isWhatsapp: event.currentTarget.checked })}
        />
      )}
      {draft.isWhatsapp ? <WhatsappFields {...props} /> : <ParleyFields {...props} />}
      <NumberInput
        label="Most events at once"
        description={`${rangeWords(newEndpointLimits.max_in_flight)}; default ${defaultMaxInFlight}`}
        value={draft.inFlight}
        error={faults.inFlight}
        onChange={(inFlight) => onChange({ inFlight })}
      />
    </>
  );
}

/** What an endpoint in WhatsApp's own form is set up with. */
function WhatsappFields({ draft, faults, isNew, hasToken, onChange }: EndpointFieldsProps) {
  return (
    <>
      <TextInput
        label="Fields"
        description="Optional. Names of WhatsApp’s webhook fields, such as messages; without one, all"
        value={draft.fields}
        error={faults.fields}
        onChange={(event) => onChange({ fields: event.currentTarget.value })}
      />
      <TextInput
        label="Verify token"
        description={
          hasToken
            ? 'It has one, which is not shown. Type another to replace it'
            : 'Optional. With one, Parley asks the endpoint for its challenge, as Meta does'
        }
        value={draft.verifyToken}
        error={faults.verifyToken}
        autoComplete="off"
        onChange={(event) => onChange({ verifyToken: event.currentTarget.value })}
      />
      {hasToken && draft.verifyToken === '' && (
        <Checkbox
          size="xs"
          label="Remove the verify token"
          checked={draft.isTokenRemoved}
          onChange={(event) => onChange({ isTokenRemoved: event.currentTarget.checked })}
        />
      )}
      {isNew && (
        <TextInput
          label="App secret"
          description="Optional. The one with which the program checks signatures; without one, Parley makes one"
          value={draft.secret}
          error={faults.secret}
          autoComplete="off"
          onChange={(event) => onChange({ secret: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** Which of Parley's events an endpoint gets. */
function ParleyFields({ draft, faults, hasName, apiKey, onChange }: EndpointFieldsProps) {
  const mayReadAccount = apiKey.permissions.includes('view_messages');
  return (
    <>
      <Checkbox.Group
        label="Events"
        value={draft.events}
        error={faults.events}
        onChange={(events) => onChange({ events })}
      >
        <div className="endpoint-choices" data-wide>
          {eventLines.map((line) => {
            const { words, isWithheld } = eventWords(line, hasName ? apiKey : null);
            return (
              <Checkbox
                key={line.name}
                value={line.name}
                size="xs"
                label={<code>{line.name}</code>}
                description={words}
                disabled={isWithheld && !draft.events.includes(line.name)}
              />
            );
          })}
        </div>
      </Checkbox.Group>
      {draft.events.includes('message.status') && (
        <Names
          label="Statuses"
          description="Choose none to get all."
          names={toldStatuses}
          value={draft.statuses}
          error={faults.statuses}
          onChange={(statuses) => onChange({ statuses })}
        />
      )}
      {draft.events.includes('message.received') && (
        <Names
          label="Types of received messages"
          description="Choose none to get all, also new ones."
          names={receivedTypes}
          value={draft.types}
          error={faults.types}
          onChange={(types) => onChange({ types })}
        />
      )}
      <Checkbox
        label="Whole account"
        description={`The events of every key of this account and mode. The key needs view_messages${
          mayReadAccount ? '.' : ', which it does not have.'
        }`}
        size="xs"
        checked={draft.isWholeAccount}
        error={faults.isWholeAccount}
        onChange={(event) => onChange({ isWholeAccount: event.currentTarget.checked })}
      />
    </>
  );
}

interface NamesProps {
  readonly label: string;
  readonly description: string;
  readonly names: readonly string[];
  readonly value: string[];
  readonly error: string | undefined;
  readonly onChange: (value: string[]) => void;
}

function Names({ names, ...group }: NamesProps) {
  return (
    <Checkbox.Group {...group}>
      <div className="endpoint-choices">
        {names.map((name) => (
          <Checkbox key={name} value={name} size="xs" label={<code>{name}</code>} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
