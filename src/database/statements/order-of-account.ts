/**
 * The newest rows of the account `:accountId`, by an index of account and id. PostgreSQL would take "the account is X,
 * newest first" for reason to go through the rows of all accounts, where it believes that many are of this one; a
 * range of accounts that is in the order of that index is read from that index.
 */
export const rowsOfAccount = {
  where: 'account_id between :accountId and :accountId',
  newest: 'account_id desc, id desc',
} as const;
