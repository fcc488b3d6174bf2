import { lengthFault } from '../parts/limit-faults.ts';
import { type Path, type Payload, pathText } from './payloads.ts';
import type { PlaygroundType } from './playground-types.ts';

const linkMax = 2_048;
const urlMax = 2_000;
const buttonMax = 20;
const buttonIdMax = 256;

/** How long each text may be, by its path without the numbers of places. */
const limits: Readonly<Record<string, number>> = {
  header: 60,
  'header.text': 60,
  'header.image.link': linkMax,
  'header.video.link': linkMax,
  'header.document.link': linkMax,
  'header.document.filename': 240,
  body: 1_024,
  footer: 60,
  button: buttonMax,
  'button.text': buttonMax,
  'button.url': urlMax,
  'buttons.id': buttonIdMax,
  'buttons.title': buttonMax,
  'sections.title': 24,
  'sections.rows.id': 200,
  'sections.rows.title': 24,
  'sections.rows.description': 72,
  'flow.id': 128,
  'flow.name': 200,
  'flow.cta': buttonMax,
  'flow.screen': 200,
  'cards.header.image.link': linkMax,
  'cards.header.video.link': linkMax,
  'cards.body': 160,
  'cards.button.text': buttonMax,
  'cards.button.url': urlMax,
  'cards.buttons.id': buttonIdMax,
  'cards.buttons.title': buttonMax,
  caption: 1_024,
  filename: 240,
  link: linkMax,
  name: 1_000,
  address: 1_000,
  reference: 100,
};

/** A path without the numbers of places. */
const nameOf = (path: Path) => path.filter((step) => typeof step === 'string').join('.');

/** The most characters that a text may have; undefined where there is no limit. */
export function limitOf(type: PlaygroundType, path: Path): number | undefined {
  if (path[0] === 'variables') return 1_024;
  if (path[0] === 'contacts') return 1_000;
  const name = nameOf(path);
  return type === 'text' && name === 'body' ? 4_096 : limits[name];
}

/** Of the body of a card. */
const lineBreaksMax = 2;

/** What is too long, at once and without asking the API: path → what is wrong. */
export function lengthFaults(type: PlaygroundType, payload: Payload): Record<string, string> {
  const faults: Record<string, string> = {};
  const look = (value: unknown, path: Path) => {
    if (typeof value === 'string') {
      const maxLength = limitOf(type, path);
      const fault = maxLength === undefined ? undefined : lengthFault(value, { maxLength }, '');
      if (fault) faults[pathText(path)] = fault;
      const breaks = value.match(/\r\n|\n|\r/g)?.length ?? 0;
      if (nameOf(path) === 'cards.body' && breaks > lineBreaksMax) {
        faults[pathText(path)] = `At most ${lineBreaksMax} line breaks; this has ${breaks}`;
      }
    } else if (Array.isArray(value)) {
      for (const [index, each] of value.entries()) look(each, [...path, index]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) look(each, [...path, name]);
    }
  };
  look(payload, []);
  return faults;
}
