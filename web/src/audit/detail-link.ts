import type { LinkProps } from '@tanstack/react-router';

/** The page of what a value names, and what to call it where its name is not known. */
export interface DetailLink {
  readonly to: Pick<LinkProps, 'to' | 'params' | 'search'>;
  /** What it is one of, for its name. */
  readonly kind: 'account' | 'key' | 'endpoint' | 'other';
  readonly id: string;
  readonly otherwise: string;
}

type Maker = (id: string) => Omit<DetailLink, 'id'>;

const makers: Readonly<Record<string, Maker>> = {
  account_id: (accountId) => ({
    to: { to: '/accounts/$accountId', params: { accountId } },
    kind: 'account',
    otherwise: 'An account',
  }),
  api_key_id: (keyId) => ({
    to: { to: '/keys/$keyId', params: { keyId } },
    kind: 'key',
    otherwise: 'A key',
  }),
  delivery_id: (deliveryId) => ({
    to: { to: '/webhooks/$deliveryId', params: { deliveryId } },
    kind: 'other',
    otherwise: 'Open the delivery',
  }),
  endpoint_id: (endpoint) => ({
    to: { to: '/webhooks', search: { endpoint } },
    kind: 'endpoint',
    otherwise: 'View its deliveries',
  }),
  key_id: (keyId) => ({
    to: { to: '/keys/$keyId', params: { keyId } },
    kind: 'key',
    otherwise: 'A key',
  }),
  message_id: (messageId) => ({
    to: { to: '/messages/$messageId', params: { messageId } },
    kind: 'other',
    otherwise: 'Open the message',
  }),
  retry_of: (campaignId) => ({
    to: { to: '/campaigns/$campaignId', params: { campaignId } },
    kind: 'other',
    otherwise: 'Open the campaign',
  }),
};

/** The link of a detail; undefined for what has no page. */
export function detailLink(field: string, value: unknown): DetailLink | undefined {
  const make = Object.hasOwn(makers, field) ? makers[field] : undefined;
  return make && typeof value === 'string' ? { ...make(value), id: value } : undefined;
}
