import type { ButtonMessageDto } from './button-message.dto.js';

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
