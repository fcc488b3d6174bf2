import { messageTypeNames } from '../../../src/audit/subject-words.ts';
import type { KnownMessageType as TypeName } from '../api/types.ts';

export const typeNames: Readonly<Record<TypeName, string>> = messageTypeNames;

export const isKnownType = (type: string): type is TypeName => Object.hasOwn(typeNames, type);

/** In words. What came in the form of WhatsApp's own API may have a type that Parley does not know. */
export const typeNameOf = (type: string): string =>
  isKnownType(type) ? typeNames[type] : `WhatsApp’s ${type.replace(/^graph:/, '')}`;
