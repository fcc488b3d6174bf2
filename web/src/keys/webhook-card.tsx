import { Button, Menu } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { deliveriesQuery, webhookReportQuery } from '../api/queries.ts';
import { useReread } from '../api/reread.ts';
import type { ApiKey, WebhookReport } from '../api/types.ts';
import { useTestEvent } from '../deliveries/delivery-changes.ts';
import { DeliveryTable } from '../deliveries/delivery-table.tsx';
import { isFailing } from '../deliveries/failing-endpoints.ts';
import { FailingText } from '../deliveries/failing-notices.tsx';
import { ActionMenu } from '../parts/action-menu.tsx';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { amount } from '../parts/numbers.ts';
import { duration } from '../parts/times.ts';
import { SecretRotation } from './secret-rotation.tsx';
import { WebhookRecovery } from './webhook-recovery.tsx';

const shownDeliveries = 5;

/** Where the events of a key go, how that has been, and what can be done about it. */
export function WebhookCard({ apiKey: key }: { apiKey: ApiKey }) {
  const { webhook } = key;
  if (webhook.url === null) {
    return (
      <Card title="Webhook">
        <p className="card-body secondary">
          This key has no webhook, so replies and status changes are not sent anywhere.{' '}
          {key.state !== 'revoked' && (
            <Link to="/keys/$keyId/edit" params={{ keyId: key.id }}>
              Give it one
            </Link>
          )}
        </p>
      </Card>
    );
  }
  return (
    <Card title="Webhook" aside={<WebhookActions apiKey={key} />}>
      {isFailing(key) && (
        <div className="card-body" style={{ paddingBottom: 0 }}>
          <Notice tone="red">
            <FailingText apiKey={key} />
          </Notice>
        </div>
      )}
      <dl className="facts card-body">
        <Fact name="URL" className="mono">
          {webhook.url}
        </Fact>
        <Fact name="Events" className="row wrap">
          {webhook.events.map((event) => (
            <span key={event} className="chip">
              {event}
            </span>
          ))}
        </Fact>
        <Fact name="Last 24 h">
          <Report apiKey={key} />
        </Fact>
      </dl>
      <LatestDeliveries apiKey={key} />
    </Card>
  );
}

function Report({ apiKey }: { apiKey: ApiKey }) {
  const report = useQuery(webhookReportQuery(apiKey.id));
  if (report.data) return <>{reportText(report.data)}</>;
  return <span className="quiet">{report.isPending ? '…' : 'Cannot be read right now'}</span>;
}

function reportText({ succeeded, retried, failed, waiting, median_ms: median }: WebhookReport) {
  if (succeeded + failed + waiting === 0) return 'No deliveries';
  return [
    `${succeeded === 0 ? 'None' : amount(succeeded)} succeeded`,
    `${retried === 0 ? 'none' : amount(retried)} tried again`,
    `${failed === 0 ? 'none' : amount(failed)} failed`,
    ...(waiting > 0 ? [`${amount(waiting)} waiting`] : []),
  ]
    .join(', ')
    .concat(median === null ? '' : ` · median ${duration(median)}`);
}

function LatestDeliveries({ apiKey }: { apiKey: ApiKey }) {
  const deliveries = useInfiniteQuery(
    deliveriesQuery(apiKey.account_id, { key_id: apiKey.id }),
  ).data?.pages.flatMap((page) => page.deliveries);
  if (!deliveries || deliveries.length === 0) return null;
  return (
    <>
      <div className="table-box" style={{ borderTop: '1px solid var(--line)' }}>
        <DeliveryTable
          caption="Latest deliveries"
          deliveries={deliveries.slice(0, shownDeliveries)}
          search={{ key: apiKey.id }}
        />
      </div>
      <div className="table-foot">
        <Link to="/webhooks" search={{ key: apiKey.id }}>
          All deliveries of {apiKey.name}
        </Link>
      </div>
    </>
  );
}

function WebhookActions({ apiKey: key }: { apiKey: ApiKey }) {
  const reread = useReread();
  const [isRecovering, setIsRecovering] = useState(false);
  const [isRotating, setIsRotating] = useState(false);
  const test = useTestEvent();
  const enabling = useMutation({
    mutationFn: () => call('POST', `/api-keys/${key.id}/webhook/enable`),
    onSuccess: () => reread(['key', key.id], ['keys'], ['alerts'], ['overview']),
  });
  const isOff = key.webhook.disabled_at !== null;
  const failure = test.error ?? enabling.error;
  return (
    <div className="row wrap">
      {failure && (
        <span className="small wrong" role="alert">
          {failure.message}
        </span>
      )}
      {isOff ? (
        <Button loading={enabling.isPending} onClick={() => enabling.mutate()}>
          Enable webhook
        </Button>
      ) : (
        <Button
          leftSection={<IconSend size={16} />}
          loading={test.isPending}
          onClick={() => test.mutate(key.id)}
        >
          Send test event
        </Button>
      )}
      <ActionMenu name="More about the webhook">
        <Menu.Item disabled={isOff} onClick={() => setIsRecovering(true)}>
          Recover what it missed…
        </Menu.Item>
        <Menu.Item disabled={key.state === 'revoked'} onClick={() => setIsRotating(true)}>
          Rotate the webhook secret…
        </Menu.Item>
      </ActionMenu>
      <WebhookRecovery apiKey={key} isAsked={isRecovering} onClose={() => setIsRecovering(false)} />
      <SecretRotation
        apiKey={key}
        secret={isRotating ? 'webhook_secret' : null}
        onClose={() => setIsRotating(false)}
      />
    </div>
  );
}
