import { meaningOf } from '../parts/failure-meanings.ts';

/** What a code of WhatsApp means. */
export const CodeMeaning = ({ code }: { code: string }) => `: ${meaningOf(code)}`;
