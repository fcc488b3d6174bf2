import {
  IconArrowBackUp,
  IconCheck,
  IconChecks,
  IconCopy,
  IconExternalLink,
  IconFileTypePdf,
  IconList,
  IconMapPin,
  IconMicrophone,
  IconPhone,
  IconPhoto,
  IconPlayerPlayFilled,
  IconSticker,
} from '@tabler/icons-react';
import { plainText, RichText } from './rich-text.tsx';
import type { ShownButton, ShownHeader, ShownMessage } from './shown-message.ts';

interface MessageBubbleProps {
  readonly message: ShownMessage;
  readonly time: string;
  /** Its buttons cannot be pressed any more. */
  readonly isAnswered?: boolean;
  /** The first in a row has a tail. */
  readonly isFirst?: boolean;
  /** Without it the buttons are a picture. */
  readonly onTap?: ((button: ShownButton) => void) | undefined;
  readonly onList?: (() => void) | undefined;
}

/** A message of the business: header, body, footer, time, buttons. */
export function MessageBubble(props: MessageBubbleProps) {
  const { message, time, isAnswered = false, isFirst = true, onTap, onList } = props;
  const { header, body, footer, buttons, list } = message;
  const isWide = buttons.length > 0 || list !== null || (header !== null && header.kind !== 'text');
  return (
    <div className="bubble" data-side="in" data-first={isFirst} data-wide={isWide}>
      {header && header.kind !== 'text' && <MediaHeader header={header} />}
      <div className="bubble-text" dir="auto">
        {header?.kind === 'text' && (
          <div className="bubble-header">
            <RichText text={header.text} />
          </div>
        )}
        {body !== '' && (
          <div>
            <RichText text={body} />
          </div>
        )}
        {footer && <div className="bubble-footer">{footer}</div>}
        <div className="bubble-time">{time}</div>
      </div>
      {buttons.map((button, index) => (
        <BubbleButton
          key={`${index}`}
          icon={icons[button.kind]}
          title={button.title || 'Button'}
          isOff={isAnswered && button.kind === 'reply'}
          onPress={button.kind === 'reply' && onTap ? () => onTap(button) : undefined}
        />
      ))}
      {list && (
        <BubbleButton
          icon={IconList}
          title={list.button || 'Menu button'}
          isOff={false}
          onPress={onList}
        />
      )}
    </div>
  );
}

const icons = {
  reply: IconArrowBackUp,
  link: IconExternalLink,
  call: IconPhone,
  copy: IconCopy,
} as const;

interface BubbleButtonProps {
  readonly icon: typeof IconList;
  readonly title: string;
  readonly isOff: boolean;
  readonly onPress: (() => void) | undefined;
}

function BubbleButton({ icon: Sign, title, isOff, onPress }: BubbleButtonProps) {
  const face = (
    <>
      <Sign size={17} stroke={1.9} aria-hidden="true" />
      <span>{title}</span>
    </>
  );
  return onPress ? (
    <button type="button" className="bubble-button" disabled={isOff} onClick={onPress}>
      {face}
    </button>
  ) : (
    <div className="bubble-button" data-off={isOff}>
      {face}
    </div>
  );
}

const mediaIcons = { image: IconPhoto, sticker: IconSticker, location: IconMapPin } as const;

/** The policy of the page fetches nothing from other hosts: a plate says what would be there. */
function MediaHeader({ header }: { header: Exclude<ShownHeader, { kind: 'text' }> }) {
  const { kind, link } = header;
  const url = URL.canParse(link) ? new URL(link) : null;
  const file = header.filename || url?.pathname.split('/').at(-1) || '';
  if (kind === 'document') {
    return (
      <div className="bubble-document row">
        <IconFileTypePdf size={28} stroke={1.5} aria-hidden="true" />
        <span>
          <span className="cut">{file || 'Document'}</span>
          <small>{url?.host ?? 'no link yet'}</small>
        </span>
      </div>
    );
  }
  if (kind === 'audio') {
    return (
      <div className="bubble-document row">
        <IconMicrophone size={24} stroke={1.65} aria-hidden="true" />
        <span>
          <span className="cut">{file || 'Audio'}</span>
          <small>{url?.host ?? 'no link yet'}</small>
        </span>
      </div>
    );
  }
  const Sign = kind === 'video' ? IconPlayerPlayFilled : mediaIcons[kind];
  return (
    <div className="bubble-media" data-kind={kind}>
      <Sign size={28} stroke={1.5} aria-hidden="true" />
      <small className="cut">
        {url?.host ?? (kind === 'location' ? 'a place' : 'no link yet')}
      </small>
      {file && <small className="cut">{file}</small>}
    </div>
  );
}

/** How far the user's own message has come: ✓ left the phone, ✓✓ with Parley, blue: with its endpoint. */
export type ReplyTicks = 'gone' | 'taken' | 'delivered';

const tickNames: Readonly<Record<ReplyTicks, string>> = {
  gone: 'Left the phone',
  taken: 'Parley took it',
  delivered: 'Your endpoint accepted it',
};

interface ReplyBubbleProps {
  readonly text: string;
  readonly time: string;
  readonly ticks: ReplyTicks;
  readonly isFirst: boolean;
  /** The message that it answers. */
  readonly quoted: { readonly name: string; readonly text: string } | null;
}

/** A message of the user. */
export function ReplyBubble({ text, time, ticks, isFirst, quoted }: ReplyBubbleProps) {
  const Tick = ticks === 'gone' ? IconCheck : IconChecks;
  return (
    <div className="bubble" data-side="out" data-first={isFirst}>
      {quoted && (
        <div className="bubble-quote">
          <b>{quoted.name}</b>
          <span dir="auto">{plainText(quoted.text)}</span>
        </div>
      )}
      <div className="bubble-text" dir="auto">
        <span>
          <RichText text={text} />
        </span>
        <div className="bubble-time">
          {time}
          <Tick
            size={15}
            stroke={2}
            className={ticks === 'delivered' ? 'bubble-read' : undefined}
            role="img"
            aria-label={tickNames[ticks]}
          />
        </div>
      </div>
    </div>
  );
}
