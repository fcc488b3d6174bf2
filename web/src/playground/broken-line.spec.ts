import { describe, expect, it } from '@jest/globals';
import { brokenLine } from './broken-line.ts';

describe('the line that breaks a JSON text', () => {
  it.each([
    ['a word that is none', '{\n  "to": "+12025550147",\n  "body": oh\n}', 2],
    ['a comma that is missing', '{\n  "to": "a"\n  "body": "b"\n}', 2],
    ['a comma too many', '{\n  "to": "a",\n}', 2],
    ['a text without its end', '{\n  "to": "a,\n  "body": "b"\n}', 1],
    ['a bracket of the other kind', '{\n  "sections": [\n    1\n  }\n}', 3],
    ['a number that is none', '{\n  "at": 01\n}', 1],
    ['an end that is missing', '{\n  "to": ', 1],
    ['an object that goes on', '{}\n{}', 1],
    ['what is JSON and no object', '[\n]', 0],
    ['nothing', '', 0],
  ])('is that of %s', (_, text, line) => {
    expect(brokenLine(text)).toBe(line);
  });
});
