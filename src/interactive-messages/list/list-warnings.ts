import type { ListMessageDto } from './list-message.dto.js';

/** WhatsApp counts rows over all sections; the limit of each section alone does not say so. */
const rowsMax = 10;

/** What WhatsApp will refuse of a list message that is valid here; each text names the field. */
export function listWarnings({ sections }: ListMessageDto): string[] {
  const warnings: string[] = [];
  const rows = sections.reduce((sum, section) => sum + section.rows.length, 0);
  if (rows > rowsMax) {
    warnings.push(
      `sections: WhatsApp allows at most ${rowsMax} rows over all sections; this has ${rows}.`,
    );
  }
  if (sections.length > 1) {
    for (const [index, section] of sections.entries()) {
      if (section.title) continue;
      warnings.push(
        `sections[${index}].title: WhatsApp requires a title for each section if there is more than one.`,
      );
    }
  }
  return warnings;
}
