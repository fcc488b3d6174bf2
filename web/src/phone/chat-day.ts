const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

/** The chip above the messages of a day. */
export const chatDay = (iso: string) =>
  new Date(iso).toDateString() === new Date().toDateString() ? 'Today' : day.format(new Date(iso));
