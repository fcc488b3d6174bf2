/** WhatsApp's own text without the code that it often begins with: `(#131026) Message undeliverable`. */
export const platformText = (text: string): string => text.replace(/^\(#\d+\)\s*/, '').trim();
