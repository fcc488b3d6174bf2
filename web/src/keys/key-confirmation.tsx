import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { activeCampaignsQuery } from '../api/campaign-queries.ts';
import { endpointsQuery, keyMappingsQuery, keyUsageQuery } from '../api/key-queries.ts';
import { keySuspensionLimits } from '../api/limits/key-suspension.ts';
import type { ApiKey } from '../api/types.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Notice } from '../parts/notice.tsx';
import { counted } from '../parts/numbers.ts';
import { since } from '../parts/times.ts';
import { campaignWords, deletedWords, eventWords, isStop } from './deed-effects.ts';
import { type KeyDeed, useKeyDeed } from './key-changes.ts';
import { overlaps, proposedOverlap, rotateWords } from './overlaps.ts';
import { SecretDialog } from './secret-dialog.tsx';

interface Words {
  readonly verb: string;
  readonly text: string;
}

/** What each action does, when it takes effect, to what, and what stays. */
const words: Readonly<Record<KeyDeed, Words>> = {
  revoke: {
    verb: 'Revoke',
    text: 'Its requests get REVOKED_API_KEY from now on, permanently. Messages already accepted are still sent, and its history stays.',
  },
  delete: {
    verb: 'Delete',
    text: 'Its requests get INVALID_API_KEY from now on, permanently. Its messages stay, and you can reuse its name.',
  },
  suspend: {
    verb: 'Suspend',
    text: 'Its requests get SUSPENDED_API_KEY until an operator reinstates it. Its settings and history stay.',
  },
  reinstate: {
    verb: 'Reinstate',
    text: 'It works again at once, with its previous settings.',
  },
  'switch-off': {
    verb: 'Switch off',
    text: 'Its requests are refused from now on, until you switch it on. What is queued is still sent; scheduled messages that come due meanwhile are not. Its webhooks go on for what it sent; replies go to other keys that are active.',
  },
  rotate: {
    verb: 'Rotate',
    text: 'Creates a new key, shown only once. Name, permissions, limits and mappings stay.',
  },
};

interface KeyConfirmationProps {
  readonly apiKey: ApiKey;
  /** Null: nothing is asked. */
  readonly deed: KeyDeed | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** Asks before something is done to a key, in words that say what it does. */
export function KeyConfirmation({ apiKey, deed, onClose, onDeleted }: KeyConfirmationProps) {
  // The dialog keeps its words while it fades.
  const [shown, setShown] = useState<KeyDeed>(deed ?? 'rotate');
  if (deed !== null && deed !== shown) setShown(deed);
  const action = useKeyDeed(apiKey);
  return (
    <SecretDialog
      isOpen={deed !== null}
      question={`${words[shown].verb} “${apiKey.name}”?`}
      isPending={action.isPending}
      secret={
        action.data
          ? {
              title: `“${apiKey.name}” has a new key`,
              name: 'New API key',
              purpose: 'Shown only once. Send it in the header X-API-Key.',
              value: action.data.secret,
              old: action.data.old,
            }
          : null
      }
      onClose={onClose}
      onGone={action.reset}
    >
      <Question
        apiKey={apiKey}
        deed={shown}
        action={action}
        onClose={onClose}
        {...(onDeleted && { onDeleted })}
      />
    </SecretDialog>
  );
}

interface QuestionProps extends Omit<KeyConfirmationProps, 'deed'> {
  readonly deed: KeyDeed;
  readonly action: ReturnType<typeof useKeyDeed>;
}

function Question({ apiKey, deed, action, onClose, onDeleted }: QuestionProps) {
  const { verb, text } = words[deed];
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [overlap, setOverlap] = useState(proposedOverlap);
  const needsName = deed === 'revoke' || deed === 'delete';
  const isReady =
    (!needsName || typed === apiKey.name) && (deed !== 'suspend' || reason.trim() !== '');
  const go = (seconds = overlap) =>
    action.mutate(
      {
        deed,
        ...(deed === 'suspend' && { reason: reason.trim() }),
        ...(deed === 'rotate' && { overlapSeconds: Number(seconds) }),
      },
      {
        onSuccess: (rotated) => {
          if (rotated !== null) return;
          onClose();
          if (deed === 'delete') onDeleted?.();
        },
      },
    );
  return (
    <DialogForm
      go={deed === 'rotate' ? rotateWords('key', overlap, Date.now()) : `${verb} key`}
      isDestructive={isStop(deed)}
      isReady={isReady}
      isPending={action.isPending}
      isHeld={action.isPending}
      error={action.error}
      effect="The key was not changed."
      onKeep={onClose}
      onGo={() => go()}
    >
      <p>{text}</p>
      {isStop(deed) && <Effects apiKey={apiKey} deed={deed} />}
      <InUse apiKey={apiKey} deed={deed} />
      {needsName && (
        <TextInput
          label={`Type “${apiKey.name}” to confirm`}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {deed === 'suspend' && (
        <Textarea
          label="Reason"
          description="Administrators of the account see it"
          autosize
          minRows={2}
          maxLength={keySuspensionLimits.reason.maxLength}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {deed === 'rotate' && (
        <>
          <Select
            label="The old key keeps working for"
            data={overlaps}
            data-autofocus
            value={overlap}
            onChange={(value) => setOverlap(value ?? '0')}
          />
          <div className="row wrap">
            <span>Has somebody else got the key?</span>
            <Button
              size="xs"
              c="var(--red-text)"
              disabled={action.isPending}
              onClick={() => go('0')}
            >
              Rotate and end the old key now
            </Button>
          </div>
        </>
      )}
    </DialogForm>
  );
}

/** What stops, waits in vain or is deleted because of it. */
function Effects({ apiKey, deed }: { apiKey: ApiKey; deed: KeyDeed }) {
  const campaigns = useQuery(activeCampaignsQuery(apiKey));
  const endpoints = useQuery(endpointsQuery(apiKey.id));
  const mappings = useQuery({ ...keyMappingsQuery(apiKey.id), enabled: deed === 'delete' });
  if (campaigns.isLoadingError || endpoints.isLoadingError || mappings.isLoadingError) {
    return <p role="alert">What else it changes could not be read. Look before you go on.</p>;
  }
  if (!campaigns.data || !endpoints.data || (deed === 'delete' && !mappings.data)) {
    return <p className="secondary">Reading what else it changes …</p>;
  }
  const stopped = [campaignWords(deed, campaigns.data), eventWords(deed, endpoints.data)];
  const deleted =
    deed === 'delete' &&
    deletedWords({ mappings: mappings.data?.length ?? 0, endpoints: endpoints.data.length });
  return (
    <>
      {deleted && <p>{deleted}</p>}
      {stopped.some(Boolean) && (
        <Notice tone="amber">{stopped.map((text) => text && <div key={text}>{text}</div>)}</Notice>
      )}
    </>
  );
}

/** How busy the key is; what would stop its callers says so in amber. */
function InUse({ apiKey, deed }: { apiKey: ApiKey; deed: KeyDeed }) {
  const usage = useQuery(keyUsageQuery(apiKey.id)).data;
  // Its line is kept free, so that the dialog does not jump.
  if (!usage) return <p className="secondary">&nbsp;</p>;
  const { calls_last_24h: calls, last_used_at: last } = usage;
  if (calls === 0) return <p className="secondary">It made no call in 24 hours.</p>;
  const busy = `In use: ${last ? `last call ${since(last)}, ` : ''}${counted(calls, 'call')} in 24 h.`;
  if (!isStop(deed)) return <p className="secondary">{busy}</p>;
  return (
    <Notice tone="amber">
      {busy}
      {deed !== 'suspend' &&
        deed !== 'switch-off' &&
        ' To change the key without a gap, rotate it instead.'}
    </Notice>
  );
}
