import { type MessageKind, to } from './message-kind.ts';
import { objectsAt, type Payload, textAt, valueAt } from './payloads.ts';

const interactive = (type: string, payload: Payload, action: Payload): Payload => ({
  type: 'interactive',
  interactive: {
    type,
    header:
      typeof payload.header === 'string' ? { type: 'text', text: payload.header } : payload.header,
    body: { text: textAt(payload, ['body']) },
    footer: { text: textAt(payload, ['footer']) },
    action,
  },
});

/** What all interactive messages have around their action. */
const framed = (sent: Payload): Payload => ({
  header: valueAt(sent, ['interactive', 'header']),
  body: textAt(sent, ['interactive', 'body', 'text']),
  footer: textAt(sent, ['interactive', 'footer', 'text']) || undefined,
});

const actionOf = (sent: Payload) => valueAt(sent, ['interactive', 'action']);

const linkAction = (button: unknown): Payload => ({
  name: 'cta_url',
  parameters: { display_text: textAt(button, ['text']), url: textAt(button, ['url']) },
});

const linkButton = (action: unknown): Payload => ({
  text: textAt(action, ['parameters', 'display_text']),
  url: textAt(action, ['parameters', 'url']),
});

/** A message that has a body alone: its button is WhatsApp's own. */
const request = (path: string, body: string, type: string, name: string): MessageKind => ({
  path,
  fields: ['body'],
  sample: { to, body, reference: 'order-58213' },
  shape: (payload) => interactive(type, payload, { name }),
  read: framed,
});

const list: MessageKind = {
  path: 'interactive/list',
  fields: ['header', 'body', 'footer', 'button', 'sections'],
  sample: {
    to,
    header: 'Your next delivery',
    body: 'Hi Priya, when should we deliver order *#58213*? Pick a slot below, or answer with a time that suits you.',
    footer: 'Free until 8 pm today',
    button: 'See slots',
    sections: [
      {
        title: 'Tomorrow',
        rows: [
          { id: 'slot_08', title: '08:00 – 10:00', description: 'Quiet morning round' },
          { id: 'slot_11', title: '11:00 – 13:00' },
        ],
      },
      {
        title: 'Later',
        rows: [{ id: 'pickup', title: 'I’ll pick it up', description: 'At the shop, from 9 am' }],
      },
    ],
    reference: 'order-58213',
  },
  shape: (payload) =>
    interactive('list', payload, {
      button: textAt(payload, ['button']),
      sections: valueAt(payload, ['sections']),
    }),
  read: (sent) => ({
    ...framed(sent),
    // A list has a text in its header, and nothing else.
    header: textAt(sent, ['interactive', 'header', 'text']) || undefined,
    button: textAt(actionOf(sent), ['button']),
    sections: valueAt(actionOf(sent), ['sections']),
  }),
};

const button: MessageKind = {
  path: 'interactive/button',
  fields: ['header', 'body', 'footer', 'buttons'],
  sample: {
    to,
    body: 'Your order *#58213* is on its way. We’ll be there around 11:20.',
    footer: 'Fernhill Market',
    buttons: [
      { id: 'track', title: 'Track the van' },
      { id: 'leave', title: 'Leave at the door' },
    ],
    reference: 'order-58213',
  },
  shape: (payload) =>
    interactive('button', payload, {
      buttons: objectsAt(payload, ['buttons']).map((reply) => ({ reply })),
    }),
  read: (sent) => ({
    ...framed(sent),
    buttons: objectsAt(actionOf(sent), ['buttons']).map(({ reply }) => reply),
  }),
};

const ctaUrl: MessageKind = {
  path: 'interactive/cta-url',
  fields: ['header', 'body', 'footer', 'button'],
  sample: {
    to,
    header: { type: 'text', text: 'Order #58213' },
    body: 'Your order is on its way. Follow the van to your door.',
    footer: 'Fernhill Market',
    button: { text: 'Track the van', url: 'https://example.com/van/58213' },
    reference: 'order-58213',
  },
  shape: (payload) => interactive('cta_url', payload, linkAction(payload.button)),
  read: (sent) => ({ ...framed(sent), button: linkButton(actionOf(sent)) }),
};

const flow: MessageKind = {
  path: 'interactive/flow',
  fields: ['header', 'body', 'footer', 'flow'],
  sample: {
    to,
    body: 'Our autumn tasting is on Saturday. Book a place for you and a friend.',
    footer: 'Fernhill Market',
    flow: {
      id: '1084427763340251',
      cta: 'Book a place',
      screen: 'CHOOSE_TIME',
      data: { guest: 'Priya', places: 2 },
    },
    reference: 'tasting-1042',
  },
  shape: (payload) => {
    const { id, name, cta, mode, action, screen, data } = (payload.flow ?? {}) as Payload;
    const parameters = {
      ...(id !== undefined && { flow_id: id }),
      ...(name !== undefined && { flow_name: name }),
      flow_cta: cta,
      ...(mode !== undefined && { mode }),
      ...((action ?? screen) !== undefined && { flow_action: action ?? 'navigate' }),
      ...(screen !== undefined && { flow_action_payload: { screen, data } }),
    };
    return interactive('flow', payload, { name: 'flow', parameters });
  },
  read: (sent) => {
    const parameters = valueAt(actionOf(sent), ['parameters']);
    const action = textAt(parameters, ['flow_action']);
    return {
      ...framed(sent),
      flow: {
        id: valueAt(parameters, ['flow_id']),
        name: valueAt(parameters, ['flow_name']),
        cta: valueAt(parameters, ['flow_cta']),
        mode: valueAt(parameters, ['mode']),
        // The other action is the default.
        action: action === 'data_exchange' ? action : undefined,
        screen: valueAt(parameters, ['flow_action_payload', 'screen']),
        data: valueAt(parameters, ['flow_action_payload', 'data']),
      },
    };
  },
};

const carousel: MessageKind = {
  path: 'interactive/carousel',
  fields: ['body', 'cards'],
  sample: {
    to,
    body: 'New at Fernhill Market this week. What may we put in your box?',
    cards: [
      {
        header: { type: 'image', image: { link: 'https://example.com/week/honey.jpg' } },
        body: '*Heather honey*\n£6.50, from the moor',
        buttons: [{ id: 'honey', title: 'Add honey' }],
      },
      {
        header: { type: 'image', image: { link: 'https://example.com/week/apples.jpg' } },
        body: '*Russet apples*\n£3.20 a kilo',
        buttons: [{ id: 'apples', title: 'Add apples' }],
      },
      {
        header: { type: 'image', image: { link: 'https://example.com/week/bread.jpg' } },
        body: '*Rye bread*\n£4.10, baked today',
        buttons: [{ id: 'bread', title: 'Add bread' }],
      },
    ],
    reference: 'box-week-41',
  },
  shape: (payload) =>
    interactive('carousel', payload, {
      cards: objectsAt(payload, ['cards']).map((card) => ({
        header: card.header,
        ...(textAt(card, ['body']) && { body: { text: card.body } }),
        action: card.button
          ? linkAction(card.button)
          : {
              buttons: objectsAt(card, ['buttons']).map((reply) => ({
                type: 'quick_reply',
                quick_reply: reply,
              })),
            },
      })),
    }),
  read: (sent) => ({
    ...framed(sent),
    cards: objectsAt(actionOf(sent), ['cards']).map(({ header, body, action }) => ({
      header,
      body: valueAt(body, ['text']),
      ...(valueAt(action, ['name']) === 'cta_url'
        ? { button: linkButton(action) }
        : { buttons: objectsAt(action, ['buttons']).map((each) => each.quick_reply) }),
    })),
  }),
};

/** What users can tap. */
export const interactiveKinds = {
  list,
  button,
  cta_url: ctaUrl,
  location_request: request(
    'interactive/location-request',
    'Where shall we bring order *#58213*? Share your location, and the driver finds you.',
    'location_request_message',
    'send_location',
  ),
  contact_request: request(
    'interactive/contact-request',
    'May the driver call you about order *#58213*? Share your contact card with us.',
    'request_contact_info',
    'request_contact_info',
  ),
  flow,
  carousel,
};
