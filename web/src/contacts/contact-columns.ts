import type { ContactRow } from '../api/types.ts';
import { contactName } from '../parts/contact-name.ts';

/** Which columns some row of the list fills: a contact without a name is called by their number, which is not repeated. */
export const columnsOf = (rows: readonly ContactRow[]) => ({
  hasPhone: rows.some((row) => contactName(row) !== row.phone),
  hasUsername: rows.some(({ username }) => username !== null),
});
