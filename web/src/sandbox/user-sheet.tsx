import { ListSheet } from '../phone/list-sheet.tsx';
import { AdSheet } from './ad-sheet.tsx';
import { ContactSheet } from './contact-sheet.tsx';
import { FlowSheet } from './flow-sheet.tsx';
import { PlaceSheet } from './place-sheet.tsx';
import type { OpenSheet } from './tap-of.ts';
import { TextSheet } from './text-sheet.tsx';
import type { Said } from './use-say.ts';

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
    case 'ad':
      return <AdSheet {...sheet} onSend={(text, referral) => say({ own: { text, referral } })} />;
    case 'echo':
      return (
        <TextSheet
          {...sheet}
          title="Write in the Business app"
          send="Send"
          text=""
          onSend={(text) => say({ echo: { text } })}
        />
      );
    case 'edit':
      return (
        <TextSheet
          {...sheet}
          title="Edit message"
          send="Save"
          text={open.text}
          onSend={(text) => {
            const edit = { original_message_id: open.id, text };
            say(open.isEcho ? { echo: { edit } } : { own: { edit } });
          }}
        />
      );
  }
}
