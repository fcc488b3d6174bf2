import { Link } from '@tanstack/react-router';
import type { ListedEndpoint } from '../../api/types.ts';
import { nextTryWords } from './recovery-words.ts';

interface StillWaitsProps {
  readonly endpoint: ListedEndpoint;
  /** The link was followed. */
  readonly onLeave: () => void;
}

/** Events that are still on their way have not failed, so a recovery leaves them out. This leads to them. */
export function StillWaits({ endpoint, onLeave }: StillWaitsProps) {
  const words = nextTryWords(endpoint);
  return (
    words && (
      <p>
        {words} A recovery leaves {endpoint.retrying + endpoint.waiting === 1 ? 'it' : 'them'} out.{' '}
        <Link
          className="link"
          to="/webhooks"
          search={{ endpoint: endpoint.endpoint_id, status: 'waiting' }}
          onClick={onLeave}
        >
          Redeliver what waits
        </Link>
      </p>
    )
  );
}
