import { documentSource, fileSource } from '../uploads/file-source.dto.js';
import type { MessageHeaderDto } from './message-header.dto.js';

/** A header as WhatsApp wants it. */
export function headerContent(given: MessageHeaderDto): object {
  const { type } = given;
  switch (type) {
    case 'text':
      return { type, text: given.text };
    case 'image':
    case 'video':
      return { type, [type]: fileSource(given[type] ?? {}) };
    case 'document': {
      const { filename, ...source } = given.document ?? {};
      return { type, document: documentSource(source, filename) };
    }
  }
}
