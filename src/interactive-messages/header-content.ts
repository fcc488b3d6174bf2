import { fileNameMaxLength, isBlank } from '../http/validation/rules.js';
import { fileSource } from '../uploads/file-source.dto.js';
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
      const { link } = source;
      const name = filename ?? (link ? fileNameIn(link) : 'document');
      return { type, document: { ...fileSource(source), filename: name } };
    }
  }
}

/** The last part of a link's path, without characters that a file name cannot have. */
function fileNameIn(link: string): string {
  const part = new URL(link).pathname.split('/').findLast((segment) => segment !== '') ?? '';
  const name = decoded(part).replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, '');
  // The end of a long name is kept: it says what kind of file it is.
  return isBlank(name) ? 'document' : Array.from(name).slice(-fileNameMaxLength).join('');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
