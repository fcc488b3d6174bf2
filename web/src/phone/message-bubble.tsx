import {
  IconArrowBackUp,
  IconCheck,
  IconChecks,
  IconCopy,
  IconExternalLink,
  IconList,
  IconMapPin,
  IconPhone,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MediaHeader } from './media-header.tsx';
import { plainText, RichText } from './rich-text.tsx';
import { peopleText, type ShownButton, type ShownMessage } from './shown-message.ts';

interface MessageBubbleProps {
  readonly message: ShownMessage;
  readonly time: string;
  /** Its buttons cannot be pressed any more. */
  readonly isAnswered?: boolean;
  /** The first in a row has a tail. */
  readonly isFirst?: boolean;
  /** Emojis about it. */
  readonly reactions?: readonly string[] | undefined;
  /** Without it the buttons are a picture. */
  readonly onTap?: ((button: ShownButton) => void) | undefined;
  readonly onList?: (() => void) | undefined;
  /** What stands beside it, such as a button. */
  readonly aside?: ReactNode;
}

/** A message of the business: header, body, footer, time, buttons, and the cards below. */
export function MessageBubble(props: MessageBubbleProps) {
  const { message, time, isAnswered = false, isFirst = true, reactions } = props;
  const { onTap, onList, aside } = props;
  const { header, buttons, list, cards, people, reaction } = message;
  if (reaction) return <ReactionAlone emoji={reaction.emoji} />;
  const isWide =
    buttons.length > 0 ||
    list !== null ||
    people.length > 0 ||
    (header !== null && header.kind !== 'text');
  const buttonProps = { isAnswered, onTap };
  return (
    <>
      <div className="bubble" data-side="in" data-first={isFirst} data-wide={isWide}>
        <Content message={message} time={time} />
        <Buttons buttons={buttons} {...buttonProps} />
        {list && (
          <BubbleButton icon={IconList} title={list.button || 'Menu button'} onPress={onList} />
        )}
        <Reactions emojis={reactions} />
        {aside}
      </div>
      {cards.length > 0 && (
        // A region that scrolls has to be reachable by keyboard.
        <div className="bubble-cards" tabIndex={0} role="region" aria-label="Cards">
          {cards.map((card, index) => (
            <div key={`${index}`} className="bubble" data-side="in">
              <Content message={card} />
              <Buttons buttons={card.buttons} {...buttonProps} />
            </div>
          ))}
        </div>
      )}
    </>
  );
}

/** What a message or a card says, above its buttons. */
function Content({ message, time }: { message: ShownMessage; time?: string }) {
  const { header, body, footer, people } = message;
  const hasText = body !== '' || footer !== null || header?.kind === 'text';
  return (
    <>
      {header && header.kind !== 'text' && <MediaHeader header={header} />}
      {people.length > 0 && <People people={people} time={time} />}
      {(hasText || (time !== undefined && people.length === 0)) && (
        <div className="bubble-text" dir="auto">
          {header?.kind === 'text' && (
            <div className="bubble-header">
              <RichText text={header.text} />
            </div>
          )}
          {header?.kind === 'location' && (
            <>
              {header.name && <div className="bubble-link">{header.name}</div>}
              {header.address && <div className="bubble-footer">{header.address}</div>}
            </>
          )}
          {body !== '' && (
            <div>
              <RichText text={body} />
            </div>
          )}
          {footer && <div className="bubble-footer">{footer}</div>}
          {time !== undefined && <div className="bubble-time">{time}</div>}
        </div>
      )}
    </>
  );
}

interface ButtonsProps {
  readonly buttons: readonly ShownButton[];
  readonly isAnswered: boolean;
  readonly onTap: MessageBubbleProps['onTap'];
}

/** What the user can do on the phone itself; the others lead out of the conversation. */
const tapped: ReadonlySet<ShownButton['kind']> = new Set(['reply', 'location', 'contact', 'flow']);

function Buttons({ buttons, isAnswered, onTap }: ButtonsProps) {
  return buttons.map((button, index) => (
    <BubbleButton
      key={`${index}`}
      icon={icons[button.kind]}
      title={button.title || 'Button'}
      isOff={isAnswered && button.kind === 'reply'}
      onPress={onTap && tapped.has(button.kind) ? () => onTap(button) : undefined}
    />
  ));
}

interface PeopleProps {
  readonly people: ShownMessage['people'];
  readonly time: string | undefined;
}

/** Contact cards: the first one's name, and what a phone offers to do with them. */
function People({ people, time }: PeopleProps) {
  const [first] = people;
  const isOne = people.length === 1;
  return (
    <>
      <div className="bubble-person">
        <span className="phone-avatar" aria-hidden="true">
          {isOne ? (
            (first?.name.charAt(0) || '?').toUpperCase()
          ) : (
            <IconUsers size={19} stroke={1.65} />
          )}
        </span>
        <span>
          <span dir="auto">{peopleText(people)}</span>
          {isOne && first?.company && <small dir="auto">{first.company}</small>}
        </span>
        <div className="bubble-time">{time}</div>
      </div>
      <div className="bubble-pair">
        {isOne ? (
          <>
            {first?.isOnWhatsApp && <BubbleButton title="Message" />}
            <BubbleButton title="Save contact" />
          </>
        ) : (
          <BubbleButton title="View all" />
        )}
      </div>
    </>
  );
}

/** Emojis at the lower edge of the bubble that they are about. */
function Reactions({ emojis = [] }: { emojis?: readonly string[] | undefined }) {
  if (emojis.length === 0) return null;
  return (
    <span className="bubble-reactions" role="img" aria-label={`Reactions: ${emojis.join(' ')}`}>
      {emojis.join('')}
    </span>
  );
}

/** A reaction to a message that is not here. */
function ReactionAlone({ emoji }: { emoji: string }) {
  return (
    <>
      <div className="bubble" data-side="out" data-first="true" data-blank="true">
        <div className="bubble-text">
          <span>The message that it is about</span>
        </div>
        <Reactions emojis={emoji === '' ? [] : [emoji]} />
      </div>
      {emoji === '' && <span className="phone-note">The reaction is taken back.</span>}
    </>
  );
}

const icons = {
  reply: IconArrowBackUp,
  link: IconExternalLink,
  call: IconPhone,
  copy: IconCopy,
  location: IconMapPin,
  contact: IconUser,
  flow: undefined,
} as const;

interface BubbleButtonProps {
  readonly icon?: typeof IconList | undefined;
  readonly title: string;
  readonly isOff?: boolean;
  readonly onPress?: (() => void) | undefined;
}

function BubbleButton({ icon: Sign, title, isOff = false, onPress }: BubbleButtonProps) {
  const face = (
    <>
      {Sign && <Sign size={17} stroke={1.9} aria-hidden="true" />}
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

/** How far the user's own message has come: ✓ left the phone, ✓✓ with Parley or its endpoint, blue: read. */
export type ReplyTicks = 'gone' | 'taken' | 'delivered' | 'read';

const tickNames: Readonly<Record<ReplyTicks, string>> = {
  gone: 'Left the phone',
  taken: 'Parley took it',
  delivered: 'Your endpoint accepted it',
  read: 'The business has read it',
};

interface ReplyBubbleProps {
  readonly text: string;
  readonly time: string;
  readonly ticks: ReplyTicks;
  readonly isFirst: boolean;
  /** The message that it answers. */
  readonly quoted: { readonly name: string; readonly text: string } | null;
  /** Emojis about it. */
  readonly reactions?: readonly string[] | undefined;
  /** What stands beside it, such as a button. */
  readonly aside?: ReactNode;
}

/** A message of the user. */
export function ReplyBubble(props: ReplyBubbleProps) {
  const { text, time, ticks, isFirst, quoted, reactions, aside } = props;
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
            className={ticks === 'read' ? 'bubble-read' : undefined}
            role="img"
            aria-label={tickNames[ticks]}
          />
        </div>
      </div>
      <Reactions emojis={reactions} />
      {aside}
    </div>
  );
}
