import { type Path, type Payload, type PlaygroundType, pathText } from './payloads.ts';

/** How long each text may be, by its path without the numbers of places. */
const limits: Readonly<Record<string, number>> = {
  header: 60,
  'header.text': 60,
  'header.document.filename': 240,
  body: 1_024,
  footer: 60,
  button: 20,
  'buttons.id': 256,
  'buttons.title': 20,
  'sections.title': 24,
  'sections.rows.id': 200,
  'sections.rows.title': 24,
  'sections.rows.description': 72,
  caption: 1_024,
  filename: 240,
  link: 2_048,
  reference: 100,
};

/** Characters as the API counts them: an emoji is one. */
export const characters = (text: string) => Array.from(text).length;

/** The most characters that a text may have; undefined where there is no limit. */
export function limitOf(type: PlaygroundType, path: Path): number | undefined {
  if (path[0] === 'variables') return 1_024;
  const name = path.filter((step) => typeof step === 'string').join('.');
  return type === 'text' && name === 'body' ? 4_096 : limits[name];
}

/** What is too long, at once and without asking the API: path → what is wrong. */
export function lengthFaults(type: PlaygroundType, payload: Payload): Record<string, string> {
  const faults: Record<string, string> = {};
  const look = (value: unknown, path: Path) => {
    if (typeof value === 'string') {
      const max = limitOf(type, path);
      const length = characters(value);
      if (max !== undefined && length > max) {
        faults[pathText(path)] =
          `At most ${max.toLocaleString('en')} characters; this has ${length.toLocaleString('en')}`;
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
