import { isUUID } from 'class-validator';
import { newId } from './ids.js';

describe('an id', () => {
  it('is a UUIDv7 that begins with its time', () => {
    const id = newId(0x0123456789ab);
    expect(isUUID(id, '7')).toBe(true);
    expect(id.startsWith('01234567-89ab-7')).toBe(true);
  });

  it('sorts by time and is never the same twice', () => {
    expect(newId(1_000) < newId(1_001)).toBe(true);
    const ids = new Set(Array.from({ length: 10_000 }, () => newId(1_000)));
    expect(ids.size).toBe(10_000);
  });
});
