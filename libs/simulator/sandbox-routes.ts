import { isObject, type JsonObject, textOf } from './checks.js';
import {
  ControlError,
  type ControlRequest,
  jsonBody,
  objectWith,
  wholeNumber,
} from './control-request.js';
import type { BusinessNumber } from './numbers.js';
import { replyTo } from './replies.js';
import type { SimulatorState } from './state.js';
import { templateKey } from './templates.js';
import { changeContent, contactContent, locationContent, referralOf } from './user-content.js';

/** `POST /_simulator/messages/:wamid/reply`: the user taps what a message offers, answers or reacts. */
export const handleReply = (state: SimulatorState, request: ControlRequest): unknown => {
  // An id may hold slashes, and not every caller escapes them.
  const [, wamid] = /^(.+)\/reply$/.exec((request.params as { '*': string })['*']) ?? [];
  if (wamid === undefined) throw new ControlError('there is only /messages/:wamid/reply', 404);
  const entry = state.ledger.find(wamid);
  if (entry === null) throw new ControlError(`there is no message ${wamid}`, 404);
  const number = state.numbers.get(entry.phoneNumberId);
  const sent: unknown = JSON.parse(entry.raw);
  const template =
    isObject(sent) && isObject(sent.template)
      ? state.templates.find(number.business_account_id, ...templateKey(sent.template))
      : null;
  const reply = replyTo(entry, number.display_phone_number, template, jsonBody(request));
  const isToUserId = isObject(sent) && typeof sent.to !== 'string';
  const id = state.conversations.receive({
    number,
    user: isToUserId ? state.users.byUserId(entry.to ?? '') : state.users.byPhone(entry.digits),
    message: reply,
  });
  return { id };
};

const inboundKeys = [
  'from',
  'user_id',
  'text',
  'phone_number_id',
  'type',
  'message',
  'location',
  'contact',
  'voice',
  'name',
  'timestamp',
  'edit',
  'revoke',
  'referral',
];

/** `POST /_simulator/inbound`: the user writes of their own accord, anything the platform knows. */
export const handleInbound = (state: SimulatorState, request: ControlRequest): unknown => {
  const body = jsonBody(request);
  if (!isObject(body)) throw new ControlError('an inbound message must be a JSON object');
  for (const key of Object.keys(body)) {
    if (!inboundKeys.includes(key)) {
      throw new ControlError(`inbound takes ${inboundKeys.join(', ')}, not "${key}"`);
    }
  }
  const from = typeof body.from === 'string' ? body.from.replaceAll(/\D/g, '') : '';
  if (body.user_id === undefined && !/^\d{5,15}$/.test(from)) {
    throw new ControlError('from must be a phone number');
  }
  const user =
    typeof body.user_id === 'string'
      ? state.users.byUserId(body.user_id)
      : state.users.byPhone(from);
  const id = state.conversations.receive({
    number: numberIn(state, body, user.phone ?? ''),
    user: typeof body.name === 'string' ? { ...user, name: body.name } : user,
    message: {
      ...inboundContent(state, body, `http://${request.host}`),
      ...(body.referral === undefined ? {} : { referral: referralOf(body.referral) }),
    },
    ...(body.timestamp === undefined ? {} : { atMs: millisecondsOf(body.timestamp) }),
  });
  return { id };
};

/** `POST /_simulator/echoes`: the business writes, edits or revokes in the app on its owner's phone. */
export const handleEcho = (state: SimulatorState, request: ControlRequest): unknown => {
  const body = objectWith(jsonBody(request), ['to', 'phone_number_id', 'text', 'edit', 'revoke']);
  const to = typeof body.to === 'string' ? body.to.replaceAll(/\D/g, '') : '';
  if (!/^\d{5,15}$/.test(to)) throw new ControlError('to must be a phone number');
  const { text, edit, revoke } = body;
  if ([text, edit, revoke].filter((part) => part !== undefined).length !== 1) {
    throw new ControlError('an echo takes one of text, edit, revoke');
  }
  const message = () => {
    if (edit !== undefined) return changeContent('edit', edit);
    if (revoke !== undefined) return changeContent('revoke', revoke);
    if (typeof text !== 'string' || text === '') throw new ControlError('text must be a text');
    return { type: 'text', text: { body: text } };
  };
  const id = state.conversations.echo(
    numberIn(state, body, to),
    state.users.byPhone(to),
    message(),
  );
  return { id };
};

/** A time in unix seconds, so that a test can have a user who wrote yesterday. */
const millisecondsOf = (timestamp: unknown): number => {
  if (!/^\d{9,10}$/.test(String(timestamp))) {
    throw new ControlError('timestamp must be in unix seconds');
  }
  return Number(timestamp) * 1000;
};

/** The business number that a request names, else the one that the user spoke with last, or the newest. */
const numberIn = (
  state: SimulatorState,
  { phone_number_id: given }: JsonObject,
  digits: string,
): BusinessNumber => {
  const id =
    typeof given === 'string'
      ? given
      : (state.conversations.numberOf(digits) ?? state.numbers.list().at(-1)?.phone_number_id);
  if (id === undefined || !/^\d+$/.test(id)) {
    throw new ControlError('phone_number_id is required: no business number is known yet');
  }
  return state.numbers.get(id);
};

/** `PUT /_simulator/users`: describes a user; numbers hear when the user stops or resumes their marketing. */
export const handleUser = (state: SimulatorState, request: ControlRequest): unknown => {
  const { before, after } = state.users.put(jsonBody(request));
  const tell = (ids: readonly string[], value: 'stop' | 'resume' | 'signup') => {
    for (const id of ids) state.conversations.tellPreference(state.numbers.get(id), after, value);
  };
  const { stopped_marketing: stopped } = after;
  tell(
    before.stopped_marketing.filter((id) => !stopped.includes(id)),
    'resume',
  );
  tell(
    stopped.filter((id) => !before.stopped_marketing.includes(id)),
    'stop',
  );
  tell(
    after.signed_up.filter((id) => !before.signed_up.includes(id)),
    'signup',
  );
  return after;
};

/** `POST /_simulator/users/change`: a user gets another number or another id, and the platform reports it. */
export const handleUserChange = (state: SimulatorState, request: ControlRequest): unknown => {
  const body = jsonBody(request);
  const change = state.users.change(body);
  const number = numberIn(state, isObject(body) ? body : {}, change.before.phone ?? '');
  const id = state.conversations.tellChange(number, change);
  return { id, user: change.after };
};

/**
 * `GET /_simulator/window`: what is set for all users; with `phone` and `phone_number_id`, what holds
 * for a user, and whether the window to that business number is open.
 */
export const handleWindow = (state: SimulatorState, { query }: ControlRequest): unknown => {
  const [user] = query.has('phone') ? state.users.list(query.get('phone')) : [];
  if (user === undefined) return state.windows.shown();
  const number = numberIn(
    state,
    { phone_number_id: query.get('phone_number_id') },
    user.phone ?? '',
  );
  return state.windows.shownOf(user, number.phone_number_id);
};

const inboundContent = (state: SimulatorState, body: JsonObject, baseUrl: string): JsonObject => {
  const { text, message, location, contact, voice, edit, revoke } = body;
  const parts = { message, location, contact, edit, revoke };
  if (Object.values(parts).filter((part) => part !== undefined).length > 1) {
    throw new ControlError(`inbound takes one of ${Object.keys(parts).join(', ')}`);
  }
  if (edit !== undefined) return changeContent('edit', edit);
  if (revoke !== undefined) return changeContent('revoke', revoke);
  if (location !== undefined || contact !== undefined) {
    const kind = location === undefined ? 'contacts' : 'location';
    if (text !== undefined || voice !== undefined || (body.type ?? kind) !== kind) {
      throw new ControlError(`a message of type ${kind} has no text, voice or other type`);
    }
    return kind === 'location' ? locationContent(location) : contactContent(contact);
  }
  const type = body.type ?? (isObject(message) ? message.type : undefined) ?? 'text';
  if (typeof type !== 'string') throw new ControlError('type must be a string');
  if (voice !== undefined && (typeof voice !== 'boolean' || type !== 'audio')) {
    throw new ControlError('voice is true or false, and only of type audio');
  }
  if (isObject(message)) return { type, ...message };
  if (type === 'text') {
    if (typeof text !== 'string' || text === '') {
      throw new ControlError('text is required, or a whole message under "message"');
    }
    return { type, text: { body: text } };
  }
  const file = state.media.storeInbound(type);
  if (file === null) {
    throw new ControlError(`a message of type ${type} must be given whole under "message"`);
  }
  const media = {
    id: file.id,
    mime_type: file.mimeType,
    sha256: file.sha256.toString('base64'),
    url: `${baseUrl}/_media/${file.id}`,
    ...(typeof text === 'string' ? { caption: text } : {}),
    ...(voice === true ? { voice } : {}),
  };
  return { type, [type]: media };
};

/**
 * `GET /_simulator/conversation`: one user's messages both ways, or who has any; with
 * `phone_number_id`, once or more, those of these business numbers only.
 */
export const handleConversation = (state: SimulatorState, { query }: ControlRequest): unknown => {
  const digits = query.get('to')?.replaceAll(/\D/g, '') ?? '';
  const limit = wholeNumber(query, 'limit', 100);
  const asked = query.getAll('phone_number_id');
  const numbers = asked.length > 0 ? asked : null;
  if (digits === '') return { phones: state.conversations.phones(numbers, limit) };
  return {
    phone: `+${digits}`,
    messages: state.conversations.of(digits, numbers, limit),
    typing_until: state.reads.typingUntil(digits, numbers),
  };
};

/** `PUT /_simulator/templates`: replaces an account's templates and reports changed statuses. */
export const handleTemplates = (state: SimulatorState, request: ControlRequest): unknown => {
  const body = jsonBody(request);
  if (!isObject(body)) throw new ControlError('the body must be a JSON object');
  const accountId = textOf(body.business_account_id);
  const changed = state.templates.replace(accountId, body.templates);
  for (const template of changed) {
    state.webhooks?.send({
      kind: 'value',
      accountId,
      field: 'message_template_status_update',
      atSeconds: Math.floor(Date.now() / 1000),
      value: {
        event: template.status,
        message_template_id: Number(template.id),
        message_template_name: template.name,
        message_template_language: template.language,
        message_template_category: template.category,
        reason: typeof template.rejected_reason === 'string' ? template.rejected_reason : 'NONE',
      },
    });
  }
  return {
    templates: state.templates.of(accountId),
    changed: changed.map(({ name, language, status }) => ({ name, language, status })),
  };
};
