import { describe, expect, it } from '@jest/globals';
import type { ContactRow } from '../api/types.ts';
import { columnsOf } from './contact-columns.ts';

const row = { name: null, username: null, phone: '+447700900001' } as unknown as ContactRow;

describe('the columns of the contacts', () => {
  it('leave out phone and username where no row fills them', () => {
    expect(columnsOf([row, row])).toEqual({ hasPhone: false, hasUsername: false });
  });

  it('are there as soon as one row fills them', () => {
    const named = { ...row, username: 'priya' } as ContactRow;
    expect(columnsOf([row, named])).toEqual({ hasPhone: true, hasUsername: true });
  });
});
