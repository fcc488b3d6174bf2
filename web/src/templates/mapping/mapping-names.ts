import type { TemplateParameter } from '../../api/types.ts';
import { type DraftLine, unfillable } from './mapping-draft.ts';

const buttonWords: Readonly<Record<string, string>> = { url_suffix: 'url', coupon_code: 'code' };

/** `customer` for a named parameter, else `body_1`, `header_image`, `button_1_url`. */
export function whatsAppName(parameter: TemplateParameter): string {
  const { component, position, parameter_name: name, button_index: button, kind } = parameter;
  if (name) return name;
  if (component === 'button') return `button_${(button ?? 0) + 1}_${buttonWords[kind] ?? kind}`;
  return `${component}_${kind === 'text' ? position : kind}`;
}

/** The lines with WhatsApp's names where a variable has none yet. */
export function withWhatsAppNames(lines: readonly DraftLine[]): DraftLine[] {
  const taken = new Set(lines.map(({ name }) => name.trim()));
  const closed = unfillable(lines);
  return lines.map((line) => {
    if (line.name.trim() !== '' || closed.includes(line)) return line;
    const name = freeName(whatsAppName(line.parameter), taken);
    taken.add(name);
    return { ...line, name };
  });
}

/** The name, or `name_2` and so on where another variable has it. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  return free;
}
