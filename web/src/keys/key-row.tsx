import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { addressOf } from '../api/client.ts';
import type { ApiKey } from '../api/types.ts';
import { isFailing } from '../deliveries/failing-endpoints.ts';
import { ActionMenu } from '../parts/action-menu.tsx';
import { lazyPart, OnceOpened } from '../parts/lazy-part.tsx';
import { Moment } from '../parts/moment.tsx';
import { amount } from '../parts/numbers.ts';
import { permissionLines } from '../parts/permissions.ts';
import { ModeBadge, StatusBadge } from '../parts/status-badge.tsx';
import { fullTime, timeUntil } from '../parts/times.ts';
import { ForChangers } from '../session/changers.tsx';
import { usePlace } from '../session/session.tsx';
import { expiresSoon } from './expires-soon.ts';
import type { KeyDeed } from './key-changes.ts';
import { KeySwitch } from './key-switch.tsx';

const KeyConfirmation = lazyPart(() => import('./key-confirmation.tsx'), 'KeyConfirmation');

/** One key of the list. */
export function KeyRow({ apiKey: key }: { apiKey: ApiKey }) {
  const { session } = usePlace();
  const [deed, setDeed] = useState<KeyDeed | null>(null);
  const isOver = key.state === 'revoked';
  const isOperator = session.user.role === 'operator';
  return (
    <tr data-link>
      <td className="cell-long">
        <span className="row">
          <Link
            to="/keys/$keyId"
            params={{ keyId: key.id }}
            className="strong cell-name cut"
            title={key.name}
          >
            {key.name}
          </Link>
          <ModeBadge mode={key.mode} />
        </span>
        <div className="small cut only-wide" title={key.description ?? undefined}>
          {key.description ?? 'No description'}
        </div>
      </td>
      <td className="mono cell-key">{key.display}</td>
      <td className="col-permissions only-wide">
        <PermissionChips permissions={key.permissions} />
      </td>
      <td className="col-limits only-wide">
        <div>
          {amount(key.rate_limit_per_minute)} <span className="quiet">/ min</span>
        </div>
        <div className="small">{amount(key.daily_limit)} / day</div>
      </td>
      <td className="secondary cell-used">
        {key.last_used_at ? <Moment at={key.last_used_at} ago /> : 'Never used'}
      </td>
      <td className="cell-state">
        <StatusBadge status={key.state} />
        {isFailing(key) && (
          <div className="small wrong">
            {key.webhook.disabled_at === null ? 'Webhook fails' : 'Webhook is off'}
          </div>
        )}
        {key.expires_at && expiresSoon(key) && (
          <div className="small soon" title={fullTime(key.expires_at)}>
            Expires {timeUntil(key.expires_at)}
          </div>
        )}
      </td>
      <td className="only-wide">
        <KeySwitch apiKey={key} />
      </td>
      <td className="end only-wide">
        <ForChangers>
          <ActionMenu name={`Actions for ${key.name}`}>
            {(Menu) => (
              <>
                <Menu.Item component={Link} to={addressOf('/keys/{id}', { id: key.id })}>
                  Open
                </Menu.Item>
                {!isOver && <Menu.Item onClick={() => setDeed('rotate')}>Rotate key…</Menu.Item>}
                {isOperator && key.state === 'suspended' && (
                  <Menu.Item onClick={() => setDeed('reinstate')}>Reinstate…</Menu.Item>
                )}
                <Menu.Divider />
                {isOperator && !isOver && key.state !== 'suspended' && (
                  <Menu.Item color="red" onClick={() => setDeed('suspend')}>
                    Suspend…
                  </Menu.Item>
                )}
                {!isOver && (
                  <Menu.Item color="red" onClick={() => setDeed('revoke')}>
                    Revoke…
                  </Menu.Item>
                )}
                <Menu.Item color="red" onClick={() => setDeed('delete')}>
                  Delete…
                </Menu.Item>
              </>
            )}
          </ActionMenu>
        </ForChangers>
        <OnceOpened isOpen={deed !== null}>
          {(isOpen) => (
            <KeyConfirmation
              apiKey={key}
              deed={isOpen ? deed : null}
              onClose={() => setDeed(null)}
            />
          )}
        </OnceOpened>
      </td>
    </tr>
  );
}

function PermissionChips({ permissions }: { permissions: readonly string[] }) {
  const [first] = permissions;
  if (permissions.length === permissionLines.length) return <span className="chip">all</span>;
  return (
    <span title={permissions.join(', ')}>
      <span className="chip">{first}</span>{' '}
      {permissions.length > 1 && <span className="chip">+{permissions.length - 1}</span>}
    </span>
  );
}
