import { describe, expect, it } from '@jest/globals';
import type { ApiRequest } from '../api/types.ts';
import {
  codeMeaning,
  loggedCodes,
  refusalEffect,
  statusChoices,
  strangersOrigin,
  strangersTitle,
} from './request-words.ts';

const requestWith = (change: Partial<ApiRequest>): ApiRequest => ({
  request_id: null,
  at: '2026-11-23T09:11:00.000Z',
  method: null,
  route: null,
  status: 401,
  code: 'INVALID_API_KEY',
  fields: [],
  api_key_id: null,
  api_key_name: null,
  account_id: null,
  mode: null,
  address: '192.0.2.200',
  latency_ms: null,
  message_id: null,
  calls: 1,
  body_kept_until: null,
  ...change,
});

describe('the words for requests', () => {
  it('say what a code means, and nothing of one that is not known', () => {
    expect(codeMeaning('VALIDATION_ERROR')).toBe('The request is not valid.');
    expect(codeMeaning('NEW_IN_ANOTHER_VERSION')).toBeUndefined();
    expect(codeMeaning('toString')).toBeUndefined();
  });

  it('say what a refusal left behind', () => {
    const effect = (change: Partial<ApiRequest>) => refusalEffect(requestWith(change));
    expect(effect({ status: 400, code: 'VALIDATION_ERROR' })).toBe('No message was made.');
    expect(effect({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })).toBe(
      'No message was made. Repeated later, it can succeed.',
    );
    expect(effect({ status: 400, code: 'MESSAGE_SEND_FAILED', message_id: 'an id' })).toBe('');
  });

  it('count requests without a known key', () => {
    expect(strangersTitle(requestWith({ calls: 42 }))).toBe('42 calls, unknown key');
    expect(strangersTitle(requestWith({}))).toBe('1 call, unknown key');
    expect(strangersTitle(requestWith({ code: 'NOT_FOUND' }))).toBe('1 call, unknown route');
    expect(strangersOrigin(requestWith({}))).toBe('from 192.0.2.200, in one minute');
    expect(strangersOrigin(requestWith({ address: null }))).toBe(
      'from an unknown address, in one minute',
    );
  });

  it('offer the codes and statuses of the external API', () => {
    expect(loggedCodes).toEqual(expect.arrayContaining(['INVALID_API_KEY', 'WINDOW_CLOSED']));
    expect(loggedCodes).not.toContain('UNAUTHENTICATED');
    expect(statusChoices.slice(0, 4)).toEqual(['2xx', '4xx', '5xx', '400']);
    expect(new Set(statusChoices).size).toBe(statusChoices.length);
  });
});
