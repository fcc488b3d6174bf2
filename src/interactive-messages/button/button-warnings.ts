import type { ReplyButtonDto } from './button-message.dto.js';

/**
 * What WhatsApp will refuse of reply buttons that are valid here; each text names the field.
 * @param field where the buttons stand in the request.
 */
export function buttonWarnings(buttons: readonly ReplyButtonDto[], field = 'buttons'): string[] {
  const warnings: string[] = [];
  const titles = new Set<string>();
  for (const [index, { id, title }] of buttons.entries()) {
    if (id !== id.trim()) {
      warnings.push(
        `${field}[${index}].id: WhatsApp allows no spaces at the beginning or end of an id.`,
      );
    }
    // WhatsApp has refused titles that differed only in case.
    const folded = title.toLowerCase();
    if (titles.has(folded)) {
      warnings.push(
        `${field}[${index}].title: WhatsApp requires different titles, ignoring upper and lower case.`,
      );
    }
    titles.add(folded);
  }
  return warnings;
}
