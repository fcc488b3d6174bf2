import type { Role } from '../api/types.ts';

/** What a role is called, and what it is for. */
export const roleWords: Readonly<Record<Role, { readonly name: string; readonly text: string }>> = {
  operator: {
    name: 'Operator',
    text: 'Runs the installation: accounts, users and every key.',
  },
  administrator: {
    name: 'Administrator',
    text: 'Manages one account: its keys, mappings, messages and webhooks.',
  },
  viewer: {
    name: 'Viewer',
    text: 'Reads everything of one account and tries messages out with test keys. Changes nothing.',
  },
};
