import { Button, Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedApiKey } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { LeaveGuard } from '../parts/leave-guard.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { SecretValue } from '../parts/secret-value.tsx';
import { usePlace } from '../session/session.tsx';
import { firstRequest, firstSignedRequest } from './first-request.ts';

interface KeySecretsProps {
  readonly created: CreatedApiKey;
  /** The account needed it to go live: the way leads back there. */
  readonly isForGoLive: boolean;
}

/** The secrets of a new key. Nothing keeps them but this component's properties. */
export function KeySecrets({ created, isForGoLive }: KeySecretsProps) {
  const { session, account } = usePlace();
  const navigate = useNavigate();
  const [isStored, setIsStored] = useState(false);
  const { api_key: key } = created;
  return (
    <div className="secrets">
      <PageHeader
        title={`Key “${key.name}” is ready`}
        sentence={`A ${key.mode} key${account ? ` of ${account.name}` : ''}. ${
          key.state === 'active' ? 'It works now.' : 'It is refused until you switch it on.'
        }`}
      />
      <div className="stack">
        <Notice tone="amber">
          <b>Copy these now: they are shown only once.</b>
          <br />
          Parley keeps a fingerprint of the key, not the key. Lost? Rotate it.
        </Notice>
        <div className="card">
          <SecretValue
            name="API key"
            purpose="Send it in the header X-API-Key."
            value={created.key}
            isMain
          />
          <SecretValue
            name="Signing secret"
            purpose={`For requests signed with X-Signature. This key ${
              key.require_signature ? 'requires it' : 'does not require it'
            }.`}
            value={created.signing_secret}
          />
          {key.webhook.url !== null && (
            <SecretValue
              name="Webhook secret"
              purpose="Verifies that a webhook came from Parley."
              value={created.webhook_secret}
            />
          )}
        </div>
        <Card title="Try it">
          {key.require_signature && (
            <p className="card-body secondary" style={{ paddingBottom: 0 }}>
              This key accepts only signed requests; others get 401 INVALID_SIGNATURE. To sign in a
              program, see <code>docs/signing.md</code> or use Parley’s client. In a shell, use
              openssl:
            </p>
          )}
          <CodeBlock
            language="shell"
            code={(key.require_signature ? firstSignedRequest : firstRequest)(
              session.public_url,
              created,
            )}
          />
        </Card>
        <div className="spread wrap" style={{ flexWrap: 'wrap' }}>
          <Checkbox
            label="I have stored these secrets"
            checked={isStored}
            onChange={(event) => setIsStored(event.currentTarget.checked)}
          />
          <Button
            variant="filled"
            disabled={!isStored}
            onClick={() =>
              void (isForGoLive
                ? navigate({ to: '/accounts/$accountId', params: { accountId: key.account_id } })
                : navigate({ to: '/keys/$keyId', params: { keyId: key.id } }))
            }
          >
            {isForGoLive ? 'Back to going live' : 'Done'}
          </Button>
        </div>
      </div>
      <LeaveGuard isAtStake={!isStored} title="Leave without the secrets?" leave="Leave page">
        They can’t be shown again. Without them you must rotate the key.
      </LeaveGuard>
    </div>
  );
}
