/** Of this client; a test compares it with its package. */
export const version = '0.1.0';
