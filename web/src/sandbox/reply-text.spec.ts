import { describe, expect, it } from '@jest/globals';
import { replyText } from './reply-text.ts';

const flow = { type: 'nfm_reply', nfm_reply: { response_json: '{}' } };

describe('what a message of the user says', () => {
  it.each([
    ['Hello', { type: 'text', text: { body: 'Hello' } }],
    ['Pier 4', { type: 'location', location: { latitude: 1, longitude: 2, name: 'Pier 4' } }],
    ['A location', { type: 'location', location: { latitude: 1, longitude: 2 } }],
    ['A contact card', { type: 'contacts', contacts: [{}] }],
    ['A recording', { type: 'audio', audio: { id: '1', voice: true } }],
    ['A picture', { type: 'image', image: { id: '1' } }],
    ['Edited a message', { type: 'edit', edit: { original_message_id: 'a' } }],
    ['Deleted a message', { type: 'revoke', revoke: { original_message_id: 'a' } }],
    ['Filled in the form', { type: 'interactive', interactive: flow }],
    ['Reacted 👍', { type: 'reaction', reaction: { message_id: 'a', emoji: '👍' } }],
    ['Took a reaction back', { type: 'reaction', reaction: { message_id: 'a' } }],
  ])('%s', (text, message) => {
    expect(replyText(message)).toBe(text);
  });
});
