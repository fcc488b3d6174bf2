import { describe, expect, it } from '@jest/globals';
import { auditActions } from '../../../src/audit/action-words.ts';
import { fieldLabels } from '../../../src/audit/field-labels.ts';
import { detailsOf } from './change-lines.ts';

const nothing = '';
const endpoint =
  'id name url format events statuses message_types scope max_in_flight fields has_verify_token';
const key =
  'id name description account_id mode active allowed_ips permissions expires_at revoked_at daily_limit rate_limit_per_minute require_signature webhook event_feed graph_access bodies_kept_until created_at';
const limits = 'keys endpoints rate_limit_per_minute daily_limit';
const campaign = 'api_key_id mode recipients retry_of';

/** The fields that the details of each action may have, as the API writes them. */
const knownFields: Readonly<Record<string, string>> = {
  'account.created': `phone_number_id limits ${limits}`,
  'account.updated': `name phone_number_id business_account_id display_phone_number active messages_per_second keywords keyword_scope limits access_token app_secret ${limits}`,
  'account.resumed': 'hold_kind hold_code',
  'account.app_subscribed': 'business_account_id',
  'account.number_registered': 'phone_number_id',
  'alert.resolved': nothing,
  'alert.updated': 'owner muted_until',
  'api_key.created': `${key} shown`,
  'api_key.updated': key,
  'api_key.rotated': 'overlap_seconds shown',
  'api_key.signing_secret_rotated': 'overlap_seconds shown',
  'api_key.webhook_secret_rotated': 'overlap_seconds shown',
  'api_key.overlap_ended': 'ended',
  'api_key.endpoint_created': `${endpoint} shown`,
  'api_key.endpoint_updated': `endpoint_id ${endpoint}`,
  'api_key.endpoint_deleted': endpoint,
  'api_key.endpoint_enabled': 'endpoint_id',
  'api_key.endpoint_secret_rotated': 'endpoint_id shown',
  'api_key.webhook_disabled': 'endpoint_id reason',
  'api_key.webhook_enabled': 'webhook',
  'api_key.webhook_recovered': 'endpoint_id since recovered',
  'api_key.webhook_redelivered': 'endpoint_id delivery_id',
  'api_key.webhook_tested': 'endpoint_id',
  'api_key.bodies_kept': 'bodies_kept_until',
  'api_key.bodies_not_kept': 'bodies_kept_until',
  'api_key.suspended': 'active',
  'api_key.reinstated': 'active',
  'api_key.revoked': 'revoked_at active',
  'api_key.deleted': key,
  'contact.consent_set': 'scope state evidence',
  'contact.consents_imported': 'stored mode',
  'installation.secrets_rotated': 'sealed',
  'message.cancelled': 'api_key_id mode',
  'campaign.created': campaign,
  'campaign.changed': `${campaign} name send_at per_second message_events pause_on failure_rate`,
  'campaign.started': campaign,
  'campaign.paused': 'api_key_id mode',
  'campaign.resumed': 'api_key_id mode',
  'campaign.cancelled': 'api_key_id mode',
  'campaign.retried': campaign,
  'campaign.retried_with_rest': campaign,
  'campaign.sent_to_rest': campaign,
  'message.resent': 'status api_key_id mode',
  'job.started': 'filter total without_codes without_succeeded',
  'job.stopped': 'done failed total',
  'message.sent_from_playground': 'api_key_id mode',
  'notification.retried': nothing,
  'session.started': 'second_factor',
  'session.refused': 'second_factor',
  'session.ended': nothing,
  'session.ended_everywhere': nothing,
  'template_mapping.saved': 'template language variables',
  'template_mapping.deleted': 'template language variables',
  'user.created': 'role account_id invited',
  'user.updated': 'email role account_id active has_second_factor has_password password',
  'user.deleted': nothing,
  'user.password_changed': nothing,
  'user.password_reset': nothing,
  'user.reset_link_made': nothing,
  'user.second_factor_begun': nothing,
  'user.second_factor_on': nothing,
  'user.second_factor_off': nothing,
  'user.second_factor_removed': nothing,
  'user.operator_reset': 'second_factor active',
  'user.session_ended': nothing,
  'user.sessions_ended': 'sessions',
};

describe('the details of entries of the audit log', () => {
  it('are known for every action', () => {
    expect(Object.keys(knownFields).toSorted()).toEqual(Object.keys(auditActions).toSorted());
  });

  it.each(Object.entries(knownFields))('have words for every field of %s', (_, fields) => {
    for (const field of fields.split(' ').filter(Boolean)) {
      expect(Object.keys(fieldLabels)).toContain(field);
      // Each of their parts has its own label.
      if (field === 'filter' || field === 'variables') continue;
      const [detail] = detailsOf({ details: { [field]: { from: false, to: true } } });
      expect(detail).toEqual({ name: fieldLabels[field], text: 'no → yes' });
    }
  });
});
