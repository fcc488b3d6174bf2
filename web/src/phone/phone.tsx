import '@fontsource/roboto/400.css';
import '@fontsource/roboto/500.css';
import '@fontsource/roboto/700.css';
import './phone.css';
import {
  IconArrowLeft,
  IconBattery3,
  IconDotsVertical,
  IconMicrophone,
  IconMoodSmile,
  IconPaperclip,
  IconVideo,
  IconWifi,
} from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';

interface PhoneProps {
  readonly name: string;
  readonly business: string;
  readonly children: ReactNode;
  /** What lies over the conversation, such as a list. */
  readonly sheet?: ReactNode;
  /** Where the user writes; a picture of it without. */
  readonly composer?: ReactNode;
  readonly chatRef?: RefObject<HTMLDivElement | null>;
  readonly isWide?: boolean;
  readonly isTyping?: boolean;
}

/** The end user's phone with a conversation on it. */
export function Phone(props: PhoneProps) {
  const { name, business, children, sheet, composer, chatRef, isWide = false } = props;
  const { isTyping = false } = props;
  return (
    <section className="phone" aria-label={name} data-wide={isWide}>
      <div className="phone-status" aria-hidden="true">
        <b>{clock.format(new Date())}</b>
        <span>
          <IconWifi size={15} stroke={2} />
          <IconBattery3 size={17} stroke={1.65} />
        </span>
      </div>
      <div className="phone-head row">
        <IconArrowLeft size={20} aria-hidden="true" />
        <span className="phone-avatar" aria-hidden="true">
          {business.charAt(0).toUpperCase()}
        </span>
        <span className="phone-business">
          <b className="cut">{business}</b>
          {!isTyping && <small>Business account</small>}
          {/* Only what comes into a region that is already there is read out. */}
          <small aria-live="polite">{isTyping && <i>typing…</i>}</small>
        </span>
        <IconVideo size={20} stroke={1.65} aria-hidden="true" />
        <IconDotsVertical size={20} stroke={1.65} aria-hidden="true" />
      </div>
      <div className="phone-wall" aria-hidden="true" />
      {/* A region that scrolls has to be reachable by keyboard. */}
      <div
        className="phone-chat"
        ref={chatRef}
        tabIndex={0}
        role="region"
        aria-label="Conversation"
      >
        <div className="phone-turns">{children}</div>
      </div>
      {composer ?? <DrawnComposer />}
      {sheet}
    </section>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function DrawnComposer() {
  return (
    <div className="phone-foot row" aria-hidden="true">
      <span className="phone-pill row">
        <IconMoodSmile size={20} stroke={1.65} />
        <span>Message</span>
        <IconPaperclip size={19} stroke={1.65} />
      </span>
      <span className="phone-mic">
        <IconMicrophone size={20} />
      </span>
    </div>
  );
}
