import { ListSheet } from '../phone/list-sheet.tsx';
import type { ShownButton, ShownList } from '../phone/shown-message.ts';
import { ContactSheet } from './contact-sheet.tsx';
import { FlowSheet } from './flow-sheet.tsx';
import { PlaceSheet } from './place-sheet.tsx';
import type { Said } from './use-say.ts';

/** What is open on the phone; `to` is the message that it answers, if it answers one. */
export type OpenSheet =
  | { readonly kind: 'list'; readonly to: string; readonly list: ShownList }
  | { readonly kind: 'flow'; readonly to: string; readonly title: string }
  | { readonly kind: 'location'; readonly to: string | null }
  | { readonly kind: 'contact' };

interface UserSheetProps {
  readonly open: OpenSheet;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onSay: (said: Said) => Promise<unknown>;
}

/** The form or list that the user has opened. It closes when what they send has gone. */
export function UserSheet({ open, isBusy, onClose, onSay }: UserSheetProps) {
  // What was filled in stays otherwise; the page says why it did not go.
  const say = (said: Said) => void onSay(said).then(onClose, () => undefined);
  const sheet = { isBusy, onClose };
  switch (open.kind) {
    case 'list':
      return (
        <ListSheet
          list={open.list}
          onClose={onClose}
          onSend={({ id }) => say({ to: open.to, body: { row_id: id } })}
        />
      );
    case 'flow':
      return (
        <FlowSheet
          {...sheet}
          title={open.title}
          onSend={(flow) => say({ to: open.to, body: { flow } })}
        />
      );
    case 'location':
      return (
        <PlaceSheet
          {...sheet}
          onSend={(location) =>
            say(open.to === null ? { own: { location } } : { to: open.to, body: { location } })
          }
        />
      );
    case 'contact':
      return <ContactSheet {...sheet} onSend={(contact) => say({ own: { contact } })} />;
  }
}

/** What a tap of a button does: it opens a form, or it answers at once. @param name how the user calls themselves */
export function tapOf(
  { kind, id, title }: ShownButton,
  to: string,
  own: { readonly name: string; readonly phone: string },
): { readonly open: OpenSheet } | { readonly say: Said } {
  if (kind === 'flow') return { open: { kind, to, title } };
  if (kind === 'location') return { open: { kind, to } };
  return { say: { to, body: kind === 'contact' ? { contact: own } : { button_id: id } } };
}
