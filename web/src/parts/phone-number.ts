/** A number as people write it, without what only makes it readable. */
export const plainNumber = (text: string) => text.replaceAll(/[\s().\-‐‑–]/g, '');
