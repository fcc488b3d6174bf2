/**
 * Every number that means the same user as a number, with the number itself, as an SQL array: by the plans of countries
 * (`phone_forms`), and as the platform has told (`number_forms`). Numbers are compared by it alone.
 * @param owner the name of a row with `account_id` and `mode`; or conditions on the rows `known`, each with its `and`.
 * @param phone the number, as an SQL expression.
 */
export const formsOf = (owner: string | { readonly where: string }, phone: string) => {
  const where =
    typeof owner === 'string'
      ? `known.account_id = ${owner}.account_id and known.mode = ${owner}.mode and`
      : owner.where;
  return `(phone_forms(${phone})
    || array(select known.form from number_forms known where ${where} known.phone = ${phone}))`;
};

/** Whether a number ends with one of some digits, as an SQL condition. @param ends a parameter with these digits. */
export const endsSo = (number: string, ends: string) =>
  `exists (select from unnest(${ends}::text[]) as e (digits) where right(${number}, length(e.digits)) = e.digits)`;
