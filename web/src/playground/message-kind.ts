import type { MappedVariable, Template } from '../api/types.ts';
import type { Payload } from './payloads.ts';

/** What a template message is filled by. */
export interface TemplateFilling {
  readonly template: Template | undefined;
  readonly variables: Readonly<Record<string, MappedVariable>> | undefined;
}

/** What the playground knows of a type of message, beside its form. */
export interface MessageKind {
  /** Of its route. */
  readonly path: string;
  /** Its own fields, in the order in which people read them. */
  readonly fields: readonly string[];
  readonly sample: Payload;
  /**
   * Roughly what would go to WhatsApp, for the preview while the user types. What would go there
   * exactly is up to the API.
   */
  readonly shape: (payload: Payload, filling: TemplateFilling) => Payload;
  /** Its own fields, read from what went to WhatsApp. */
  readonly read: (sent: Payload) => Payload;
}

/** The recipient of all samples. */
export const to = '+14155550123';
