import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { Notice } from '../parts/notice.tsx';
import { Question } from '../parts/question.tsx';
import { timeUntil } from '../parts/times.ts';
import { WrongLine } from '../parts/wrong-line.tsx';
import { ForChangers } from '../session/changers.tsx';
import { useKeptBodies } from './key-changes.ts';

/** That the bodies of a key's requests are kept at present, where they are, and how that ends. */
export function KeptBodiesNotice({ apiKey: key }: { apiKey: ApiKey }) {
  const change = useKeptBodies(key.id);
  if (key.bodies_kept_until === null) return null;
  return (
    <Notice tone="amber" icon={IconEye} role="status" style={{ marginBottom: 16 }}>
      <b>Bodies of its requests are kept,</b> redacted and encrypted. That ends{' '}
      {timeUntil(key.bodies_kept_until)}.
      <div className="row wrap" style={{ marginTop: 8 }}>
        <ForChangers>
          <Button size="xs" loading={change.isPending} onClick={() => change.mutate('DELETE')}>
            Keep no more bodies
          </Button>
        </ForChangers>
        <Link to="/requests" search={{ key: key.id }}>
          Show its requests
        </Link>
      </div>
      <WrongLine error={change.error} isSmall effect="Bodies are still kept." />
    </Notice>
  );
}

/** Has the bodies of a key's requests kept, once it is asked what that means. */
export function KeepBodiesLine({ apiKey: key }: { apiKey: ApiKey }) {
  const [isAsked, setIsAsked] = useState(false);
  const change = useKeptBodies(key.id);
  const close = () => {
    setIsAsked(false);
    change.reset();
  };
  return (
    <div className="danger spread">
      <div>
        <div className="strong">Keep bodies for an hour</div>
        <div className="secondary">
          To see which field of a request is wrong. The request log has them, redacted.
        </div>
      </div>
      <Button style={{ flex: 'none' }} onClick={() => setIsAsked(true)}>
        Keep bodies…
      </Button>
      <Question
        isAsked={isAsked}
        title={`Keep the bodies of “${key.name}”?`}
        go="Keep bodies for an hour"
        isPending={change.isPending}
        error={change.error}
        effect="No bodies are kept."
        onKeep={close}
        onGo={() => change.mutate('POST', { onSuccess: close })}
      >
        <p>
          For an hour from now, the request log keeps the JSON that this key sends: fields, types,
          small numbers, names of templates and variables. Phone numbers keep two digits at each
          end, links their origin, texts only their length.
        </p>
        <p className="secondary">
          Bodies are stored encrypted, and each is deleted after an hour. Administrators of the
          account and operators see them. The audit log says that you switched this on.
        </p>
      </Question>
    </div>
  );
}
