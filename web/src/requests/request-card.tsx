import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { minuteMs } from '../../../libs/durations/index.ts';
import { requestCountQuery, requestQuery } from '../api/request-queries.ts';
import type { ApiRequest } from '../api/types.ts';
import { Fact } from '../parts/facts.tsx';
import { HttpCode } from '../parts/http-code.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { amount, counted } from '../parts/numbers.ts';
import { QueryState } from '../parts/query-state.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { ModeBadge } from '../parts/status-badge.tsx';
import { duration } from '../parts/times.ts';
import { usePlace } from '../session/session.tsx';
import { KeptBody } from './kept-body.tsx';
import { codeMeaning, refusalEffect } from './request-words.ts';

interface RequestCardProps {
  readonly id: string;
  /** The request, where the list has it; else it is asked for. */
  readonly listed: ApiRequest | undefined;
  /** Opens the row above or below; absent at the end of the list. */
  readonly onNewer: (() => void) | undefined;
  readonly onOlder: (() => void) | undefined;
  readonly onClose: () => void;
}

/** One request: how it ended and why, and what it was about. */
export function RequestCard({ id, listed, onNewer, onOlder, onClose }: RequestCardProps) {
  const asked = useQuery({ ...requestQuery(id), enabled: listed === undefined });
  const request = listed ?? asked.data;
  const isRefused = request?.code !== null;
  return (
    <section className="card request-card" aria-label="Request">
      <div className="card-head">
        <div className="row" aria-live="polite">
          {request && <HttpCode status={request.status} />}
          <h2>{request ? `Request ${isRefused ? 'refused' : 'accepted'}` : 'Request'}</h2>
        </div>
        <div className="row request-moves">
          <button
            type="button"
            className="icon-button"
            aria-label="Newer request"
            title="Newer request (↑)"
            disabled={!onNewer}
            onClick={onNewer}
          >
            <IconChevronUp size={18} aria-hidden="true" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Older request"
            title="Older request (↓)"
            disabled={!onOlder}
            onClick={onOlder}
          >
            <IconChevronDown size={18} aria-hidden="true" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Close the request"
            title="Close"
            onClick={onClose}
          >
            <IconX size={18} aria-hidden="true" />
          </button>
        </div>
      </div>
      {request ? (
        <RequestBody request={request} id={id} />
      ) : (
        <QueryState query={asked}>
          {() => (
            <p className="card-body secondary" role="status">
              The log has no request <code>{id}</code>. It is older than the log, another account’s,
              of the dashboard itself, or came without a known key. A request just answered is here
              in a second or two.
            </p>
          )}
        </QueryState>
      )}
    </section>
  );
}

function RequestBody({ request, id }: { request: ApiRequest; id: string }) {
  const { code, fields } = request;
  return (
    <>
      <div className="card-body request-body">
        <p className="request-call">
          <span className="quiet">{request.method}</span> {request.route ?? 'unknown route'}
        </p>
        {code && (
          <Notice tone="red">
            <b className="request-code">{code}</b>
            <br />
            {codeMeaning(code)} {refusalEffect(request)}
          </Notice>
        )}
        {fields.length > 0 && (
          <div>
            <h3>{fields.length === 1 ? 'Violated field' : `${fields.length} violated fields`}</h3>
            <ul className="request-fields">
              {fields.map((field) => (
                <li key={field}>
                  <code>{field}</code>
                </li>
              ))}
            </ul>
            <p className="small">
              The answer said what is wrong with {fields.length === 1 ? 'it' : 'each'}. That may
              quote values, so it is not kept.
            </p>
          </div>
        )}
        <OfTemplate request={request} />
        {request.body_kept_until !== null && <KeptBody id={id} />}
        <RequestFacts request={request} id={id} />
      </div>
      <div className="request-foot">
        {code && request.api_key_id !== null && (
          <Alike id={id} keyId={request.api_key_id} code={code} />
        )}
        {request.api_key_id !== null && (
          <Link to="/requests" search={aroundSearch(request, request.api_key_id, id)}>
            Show what this key asked a minute before and after
          </Link>
        )}
      </div>
    </>
  );
}

/** The log has no bodies, and so no names of templates: where to look for what was missing. */
function OfTemplate({ request: { code, api_key_id: key, body_kept_until: kept } }: RequestProps) {
  const isOfMapping = code === 'TEMPLATE_NOT_CONFIGURED';
  if (key === null || !(isOfMapping || code === 'TEMPLATE_NOT_FOUND')) return null;
  return (
    <div>
      <p>
        <Link to="/templates" search={{ key }}>
          {isOfMapping ? 'Mappings of this key' : 'Templates that this key can send'}
        </Link>
      </p>
      <p className="small">
        {kept === null
          ? 'The answer named the template. To see it here, keep the bodies of this key for a while, on its page.'
          : 'The body names the template.'}
      </p>
    </div>
  );
}

interface RequestProps {
  readonly request: ApiRequest;
}

/** The requests of a key around one of them, with that one still open. */
function aroundSearch({ at }: ApiRequest, key: string, id: string): LinkProps['search'] {
  const minutes = (count: number) => new Date(Date.parse(at) + count * minuteMs).toISOString();
  return { key, from: minutes(-1), to: minutes(1), request_id: id };
}

function RequestFacts({ request, id }: { request: ApiRequest; id: string }) {
  const { session, account, accounts } = usePlace();
  const own = accounts.find((each) => each.id === request.account_id) ?? account;
  return (
    <dl className="facts">
      <Fact name="Request id">
        <ShortId id={id} name="request id" />
      </Fact>
      <Fact name="Time">
        <Moment at={request.at} to="millisecond" />
      </Fact>
      <Fact name="Key">
        <span className="row wrap">
          {request.api_key_name !== null && request.api_key_id !== null ? (
            <Link to="/keys/$keyId" params={{ keyId: request.api_key_id }}>
              {request.api_key_name}
            </Link>
          ) : (
            'Deleted'
          )}
          {request.mode && <ModeBadge mode={request.mode} always />}
        </span>
      </Fact>
      <Fact name="Account">
        {own && session.user.role === 'operator' ? (
          <Link to="/accounts/$accountId" params={{ accountId: own.id }}>
            {own.name}
          </Link>
        ) : (
          own?.name
        )}
      </Fact>
      <Fact name="Address">{request.address}</Fact>
      <Fact name="Latency">{request.latency_ms !== null && duration(request.latency_ms)}</Fact>
      <Fact name="Message">
        {request.message_id === null ? (
          'None was made'
        ) : (
          <Link to="/messages/$messageId" params={{ messageId: request.message_id }}>
            Open the message
          </Link>
        )}
      </Fact>
    </dl>
  );
}

/** How many requests of a key were refused with the same code. */
function Alike({ id, keyId, code }: { id: string; keyId: string; code: string }) {
  const found = useQuery(requestCountQuery(null, { key_id: keyId, code })).data;
  if (!found) return null;
  const count = found.isExact
    ? counted(found.total, 'request')
    : `${amount(found.total)}+ requests`;
  return (
    <div className="spread wrap">
      <span className="secondary">
        {count} of this key {found.total === 1 ? 'was' : 'were'} refused like this
      </span>
      <Button
        size="xs"
        renderRoot={(props) => (
          <Link to="/requests" search={{ key: keyId, code, request_id: id }} {...props} />
        )}
      >
        Show them
      </Button>
    </div>
  );
}
