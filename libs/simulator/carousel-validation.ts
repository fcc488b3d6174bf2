import {
  assertArray,
  assertObject,
  fieldPath,
  isAbsent,
  type JsonObject,
  refuseUnknownKeys,
  requiredObject,
} from './checks.js';
import { invalidParameter, invalidValue, missingParameter, notOneOf } from './errors.js';
import { ButtonSet, checkHeader, checkLinkAction, checkTextPart } from './interactive-parts.js';
import type { Strictness } from './options.js';

const actionKeys = new Set(['cards']);
const cardKeys = new Set(['card_index', 'type', 'header', 'body', 'action']);
const buttonActionKeys = new Set(['buttons']);
const buttonKeys = new Set(['type', 'quick_reply']);
const cardHeaders = ['image', 'video'];
const cardsMin = 2;
const cardsMax = 10;
const lineBreaksMax = 2;
/** The documents say "one or more"; a message with buttons has three at most. */
const buttonsMax = 3;

/** Checks the action of a media carousel. */
export const checkCarousel = (action: JsonObject, path: string, strictness: Strictness): void => {
  refuseUnknownKeys(action, actionKeys, path);
  const { cards } = action;
  const cardsPath = fieldPath(path, 'cards');
  if (isAbsent(cards)) throw missingParameter('Carousel cards are required');
  assertArray(cards, cardsPath);
  if (cards.length < cardsMin || cards.length > cardsMax) {
    throw invalidValue(
      `Invalid cards count. Min allowed cards: ${cardsMin}, Max allowed cards: ${cardsMax}`,
    );
  }
  const kinds = new Set<string>();
  for (const [index, card] of cards.entries()) {
    kinds.add(checkCard(card, index, fieldPath(cardsPath, index), strictness));
  }
  if (kinds.size > 1) {
    throw invalidValue('Button types and numbers must match across all cards');
  }
};

/** Checks a card; returns what kind of buttons it has and how many. */
const checkCard = (card: unknown, index: number, path: string, strictness: Strictness): string => {
  assertObject(card, path);
  refuseUnknownKeys(card, cardKeys, path);
  checkIndex(card.card_index, index, fieldPath(path, 'card_index'));
  if (isAbsent(card.header)) throw missingParameter('Card header is required');
  assertObject(card.header, fieldPath(path, 'header'));
  checkHeader(card.header, fieldPath(path, 'header'), cardHeaders, 'carousel', strictness);
  const body = checkTextPart(card, 'body', path, 160, strictness);
  if (body !== null && body.split(/\r\n|\n|\r/).length > lineBreaksMax + 1) {
    throw invalidValue(`Card body can have at most ${lineBreaksMax} line breaks`);
  }
  const action = requiredObject(card, 'action', path);
  const actionPath = fieldPath(path, 'action');
  const isLink = isAbsent(action.buttons);
  // Clients leave the type out on cards with reply buttons; on the others it is required.
  if ((isLink || !isAbsent(card.type)) && card.type !== 'cta_url') {
    throw notOneOf(fieldPath(path, 'type'), ['cta_url'], card.type);
  }
  if (isLink) {
    checkLinkAction(action, actionPath, strictness);
    return 'cta_url';
  }
  return `quick_reply ${checkButtons(action, actionPath, strictness)}`;
};

const checkIndex = (given: unknown, index: number, path: string): void => {
  if (isAbsent(given)) throw invalidParameter(`The parameter ${path} is required.`);
  if (!Number.isInteger(given)) throw invalidParameter(`Param ${path} must be an integer.`);
  if (given !== index) {
    throw invalidValue('card_index must be unique and count the cards in order, from 0');
  }
};

const checkButtons = (action: JsonObject, path: string, strictness: Strictness): number => {
  refuseUnknownKeys(action, buttonActionKeys, path);
  const { buttons } = action;
  const buttonsPath = fieldPath(path, 'buttons');
  assertArray(buttons, buttonsPath);
  if (buttons.length < 1 || buttons.length > buttonsMax) {
    throw invalidValue(
      `Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: ${buttonsMax}`,
    );
  }
  const replies = new ButtonSet();
  for (const [index, button] of buttons.entries()) {
    const buttonPath = fieldPath(buttonsPath, index);
    assertObject(button, buttonPath);
    refuseUnknownKeys(button, buttonKeys, buttonPath);
    if (button.type !== 'quick_reply') {
      throw notOneOf(fieldPath(buttonPath, 'type'), ['quick_reply'], button.type);
    }
    const reply = requiredObject(button, 'quick_reply', buttonPath);
    replies.add(reply, fieldPath(buttonPath, 'quick_reply'), strictness);
  }
  return buttons.length;
};
