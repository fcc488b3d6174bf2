/** How a search compares names and references, for people whom it finds nothing. */
export const comparedWords =
  'names by the beginnings of their words; references from their first character, as they are written';

/** The numbers that it does not find by their last digits. */
export const lastDigitsWords =
  'By its last digits, a number that is no contact is found only in the latest 4,000 messages and in those that failed or are unconfirmed';
