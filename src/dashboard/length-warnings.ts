import type { ButtonMessageDto } from '../interactive-messages/button/button-message.dto.js';
import type { ListMessageDto } from '../interactive-messages/list/list-message.dto.js';

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

/** What WhatsApp will refuse of a button message that is valid here; each text names the field. */
export function buttonWarnings({ buttons }: ButtonMessageDto): string[] {
  const warnings: string[] = [];
  const titles = new Set<string>();
  for (const [index, { id, title }] of buttons.entries()) {
    if (id !== id.trim()) {
      warnings.push(
        `buttons[${index}].id: WhatsApp allows no spaces at the beginning or end of an id.`,
      );
    }
    // WhatsApp has refused titles that differed only in case.
    const folded = title.toLowerCase();
    if (titles.has(folded)) {
      warnings.push(
        `buttons[${index}].title: WhatsApp requires different titles, ignoring upper and lower case.`,
      );
    }
    titles.add(folded);
  }
  return warnings;
}
