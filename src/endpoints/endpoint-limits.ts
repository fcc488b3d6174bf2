/** Attempts at one endpoint at once, if it names no other number. */
export const defaultMaxInFlight = 64;
