import { useQuery } from '@tanstack/react-query';
import { endpointsQuery } from '../../api/key-queries.ts';
import type { ListedEndpoint } from '../../api/types.ts';
import { HttpCode } from '../../parts/http-code.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { errorText } from '../attempt-words.ts';
import { calledName } from './strip-words.ts';

/** So many are looked at, those that need attention first. */
const shownMax = 3;

/** Which endpoints do not work yet, before events are delivered to them again. */
export const StillFails = ({ endpoints }: { endpoints: readonly ListedEndpoint[] }) =>
  endpoints
    .slice(0, shownMax)
    .map((endpoint) => <EndpointFails key={endpoint.endpoint_id} endpoint={endpoint} />);

function EndpointFails({ endpoint }: { endpoint: ListedEndpoint }) {
  const { api_key_id: keyId, endpoint_id: id, health, last_success_at: success } = endpoint;
  const failure = useQuery(endpointsQuery(keyId)).data?.find((each) => each.id === id)?.health
    .last_failure;
  const isOff = health === 'disabled';
  const failedLast = failure && (success === null || Date.parse(failure.at) > Date.parse(success));
  if (health === 'healthy' && !failedLast) return null;
  const why = failure && errorText(failure.error);
  return (
    <Notice tone="amber" role="status">
      <b>
        {isOff
          ? `“${calledName(endpoint)}” is switched off.`
          : `“${calledName(endpoint)}” still fails.`}
      </b>{' '}
      {failure && (
        <>
          Its last failed attempt was <Moment at={failure.at} ago />:{' '}
          {failure.status_code === null ? (
            (why ?? 'no answer')
          ) : (
            <HttpCode status={failure.status_code} />
          )}
          .{' '}
        </>
      )}
      {isOff
        ? 'Enable it first; until then, its events fail.'
        : 'Send it a test event first, to see whether it works again.'}
    </Notice>
  );
}
