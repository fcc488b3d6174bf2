/** Where this machine has a Chromium; undefined when it has none. */
export function findChromium(): string | undefined;
