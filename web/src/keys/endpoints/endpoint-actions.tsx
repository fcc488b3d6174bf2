import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { deliveryQuery } from '../../api/delivery-queries.ts';
import { useReread } from '../../api/reread.ts';
import type { ApiKey, Endpoint, ListedEndpoint } from '../../api/types.ts';
import { lastAttempt } from '../../deliveries/attempt-words.ts';
import { defaultName, endpointName } from '../../deliveries/named-endpoint.ts';
import { ActionMenu } from '../../parts/action-menu.tsx';
import { HttpCode } from '../../parts/http-code.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { SecretRotation } from '../secret-rotation.tsx';
import { EndpointDeletion } from './endpoint-deletion.tsx';
import { EditEndpointDialog } from './endpoint-form.tsx';
import { EndpointRecovery } from './endpoint-recovery.tsx';
import { EndpointRotation } from './endpoint-secret.tsx';

/** What is asked about an endpoint before it is done. */
type Deed = 'edit' | 'rotate' | 'recover' | 'delete';

interface EndpointActionsProps {
  readonly apiKey: ApiKey;
  readonly endpoint: Endpoint;
  /** As Webhooks lists it. */
  readonly standing: ListedEndpoint | undefined;
}

/** What can be done to an endpoint; the first of it has a button. */
export function EndpointActions({ apiKey: key, endpoint, standing }: EndpointActionsProps) {
  const [deed, setDeed] = useState<Deed | null>(null);
  const { test, enabling } = useEndpointDeeds(key.id, endpoint.id);
  const isOwn = endpoint.name === defaultName;
  const called = endpointName(endpoint.name, key.name);
  const isOff = endpoint.disabled_at !== null;
  const isOver = key.state === 'revoked';
  const close = () => setDeed(null);
  const asked = (what: Deed) => ({ isAsked: deed === what, onClose: close });
  const failure = test.error ?? enabling.error;
  return (
    <div className="row wrap">
      {failure && (
        <span className="small wrong" role="alert">
          {failure.message}
        </span>
      )}
      {test.data !== undefined && <TestResult deliveryId={test.data} keyId={key.id} to={called} />}
      {!isOver && isOff && (
        <Button loading={enabling.isPending} onClick={() => enabling.mutate()}>
          Enable endpoint
        </Button>
      )}
      {!isOver && !isOff && (
        <Button
          aria-label={`Send test event to ${called}`}
          leftSection={<IconSend size={16} />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Send test event
        </Button>
      )}
      <ActionMenu name={isOwn ? 'More about the webhook' : `Actions for ${endpoint.name}`}>
        {(Menu) => (
          <>
            {isOver && <Menu.Label>The key is revoked: its endpoints stay as they are.</Menu.Label>}
            <Menu.Item disabled={isOver} onClick={() => setDeed('edit')}>
              Edit…
            </Menu.Item>
            <Menu.Item disabled={isOff || isOver} onClick={() => setDeed('recover')}>
              Recover what it missed…
              {isOff && !isOver && <div className="small">Enable the endpoint first.</div>}
            </Menu.Item>
            <Menu.Item disabled={isOver} onClick={() => setDeed('rotate')}>
              Rotate webhook secret…
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" disabled={isOver} onClick={() => setDeed('delete')}>
              Delete…
            </Menu.Item>
          </>
        )}
      </ActionMenu>
      <EditEndpointDialog apiKey={key} endpoint={endpoint} {...asked('edit')} />
      <EndpointRecovery
        keyId={key.id}
        endpointId={endpoint.id}
        name={called}
        standing={standing}
        {...asked('recover')}
      />
      {isOwn ? (
        <SecretRotation
          apiKey={key}
          secret={deed === 'rotate' ? 'webhook_secret' : null}
          onClose={close}
        />
      ) : (
        <EndpointRotation keyId={key.id} endpoint={endpoint} {...asked('rotate')} />
      )}
      <EndpointDeletion keyId={key.id} endpoint={endpoint} name={called} {...asked('delete')} />
    </div>
  );
}

function useEndpointDeeds(keyId: string, endpointId: string) {
  const reread = useReread();
  const path = '/api-keys/{id}/webhooks/{endpoint_id}';
  const given = { id: keyId, endpoint_id: endpointId };
  return {
    test: useMutation({
      mutationFn: async () => (await call('POST', `${path}/test`, given)).data.delivery_id,
      onSuccess: () => reread(['deliveries'], ['endpoints'], ['key', keyId]),
    }),
    enabling: useMutation({
      mutationFn: () => call('POST', `${path}/enable`, given),
      onSuccess: () => reread(['endpoints'], ['key', keyId], ['keys'], ['alerts'], ['overview']),
    }),
  };
}

interface TestResultProps {
  readonly deliveryId: string;
  readonly keyId: string;
  /** What its endpoint is called. */
  readonly to: string;
}

/** How a test event fares, until it has arrived or not. */
function TestResult({ deliveryId, keyId, to }: TestResultProps) {
  const delivery = useQuery(deliveryQuery(deliveryId)).data?.delivery;
  const last = delivery && lastAttempt(delivery);
  const reread = useReread();
  const follow = useEffectEvent(() => void reread(['endpoints'], ['key', keyId]));
  const status = delivery?.status;
  // The figures of the endpoint count what has become of it.
  useEffect(() => {
    if (status === 'succeeded' || status === 'failed' || status === 'retrying') follow();
  }, [status]);
  return (
    <span className="row" role="status">
      <Link to="/webhooks/$deliveryId" params={{ deliveryId }} search={{ key: keyId }}>
        Test event to {to}
      </Link>
      {delivery && <StatusBadge status={delivery.status} />}
      {last && <HttpCode status={last.status_code} />}
    </span>
  );
}
