/** How a search compares names and references, for people whom it finds nothing. */
export const comparedWords =
  'names by the beginnings of their words, references from their first character as they are written';
