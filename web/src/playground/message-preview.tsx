import { useState } from 'react';
import { ListSheet } from '../phone/list-sheet.tsx';
import { MessageBubble } from '../phone/message-bubble.tsx';
import { Phone } from '../phone/phone.tsx';
import { shownMessage } from '../phone/shown-message.ts';
import { usePlace } from '../session/session.tsx';
import type { TemplateFilling } from './message-kind.ts';
import type { Payload } from './payloads.ts';
import { isTemplate, kindOf, type PlaygroundType } from './playground-types.ts';

interface MessagePreviewProps {
  readonly type: PlaygroundType;
  readonly payload: Payload;
  readonly filling: TemplateFilling;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The message as the recipient sees it; its list can be opened. */
export function MessagePreview({ type, payload, filling }: MessagePreviewProps) {
  const { account } = usePlace();
  const [isOpen, setIsOpen] = useState(false);
  const shown = shownMessage(kindOf[type].shape(payload, filling), filling.template);
  const close = () => setIsOpen(false);
  return (
    <>
      <Phone
        name="Preview on a phone"
        business={account?.name ?? 'Your business'}
        sheet={
          isOpen && shown.list && <ListSheet list={shown.list} onClose={close} onSend={close} />
        }
      >
        <span className="phone-day">Today</span>
        {isTemplate(type) && !filling.template ? (
          <span className="phone-note">Choose a template to see it here.</span>
        ) : (
          <MessageBubble
            message={shown}
            time={clock.format(new Date())}
            onList={() => setIsOpen(true)}
          />
        )}
      </Phone>
      <p className="small try-hint">
        {shown.list
          ? 'Press the button to open the list.'
          : 'A preview. Real phones differ a little.'}
      </p>
    </>
  );
}
