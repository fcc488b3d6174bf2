import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { Checklist, ChecklistItem } from '../../api/types.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ChecklistRow } from './checklist-row.tsx';
import { hiddenSecret } from './row-words.ts';

interface CallbackRowProps {
  readonly item: ChecklistItem;
  readonly checklist: Checklist;
}

/** What Meta's form for the webhook takes. */
export function CallbackRow({ item, checklist }: CallbackRowProps) {
  const { callback_url: url, verify_token: token } = checklist;
  const [isShown, setIsShown] = useState(false);
  const Eye = isShown ? IconEyeOff : IconEye;
  const label = isShown ? 'Hide the verify token' : 'Show the verify token';
  return (
    <ChecklistRow item={item}>
      <dl className="go-live-facts">
        <dt>Callback URL</dt>
        <dd className="row">
          <code className="go-live-code">{url}</code>
          <CopyButton value={url} label="Copy callback URL" />
        </dd>
        {token !== null && (
          <>
            <dt>Verify token</dt>
            <dd className="row">
              <code className="go-live-code">{isShown ? token : hiddenSecret(token)}</code>
              <button
                type="button"
                className="icon-button"
                aria-label={label}
                title={label}
                onClick={() => setIsShown(!isShown)}
              >
                <Eye size={15} />
              </button>
              <CopyButton value={token} label="Copy verify token" />
            </dd>
          </>
        )}
      </dl>
    </ChecklistRow>
  );
}
