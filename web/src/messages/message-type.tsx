import {
  type Icon,
  IconHandClick,
  IconListDetails,
  IconMessage,
  IconPaperclip,
  IconTemplate,
} from '@tabler/icons-react';
import type { MessageType as TypeName } from '../api/types.ts';

export const typeNames: Readonly<Record<TypeName, string>> = {
  list: 'List',
  button: 'Buttons',
  text: 'Text',
  media: 'Media',
  template: 'Template',
};

const signs: Readonly<Record<TypeName, Icon>> = {
  list: IconListDetails,
  button: IconHandClick,
  text: IconMessage,
  media: IconPaperclip,
  template: IconTemplate,
};

/** What kind of message it is. */
export function MessageType({ type }: { type: TypeName }) {
  const Sign = signs[type];
  return (
    <span className="row">
      <Sign size={16} stroke={1.65} color="var(--text-3)" aria-hidden="true" />
      {typeNames[type]}
    </span>
  );
}
