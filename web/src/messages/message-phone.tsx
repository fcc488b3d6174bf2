import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { templateNamedQuery } from '../api/template-queries.ts';
import type { Delivery, MessageDetails } from '../api/types.ts';
import { chatDay } from '../phone/chat-day.ts';
import { ListSheet } from '../phone/list-sheet.tsx';
import { MessageBubble, ReplyBubble } from '../phone/message-bubble.tsx';
import { Phone } from '../phone/phone.tsx';
import { shownMessage, summaryOf } from '../phone/shown-message.ts';
import { usePlace } from '../session/session.tsx';
import { templateNameOf } from './template-name.ts';

interface MessagePhoneProps {
  readonly message: MessageDetails;
  readonly payload: Record<string, unknown>;
  /** The events about the answers, newest first. */
  readonly answers: readonly Delivery[];
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const timeOf = (iso: string) => clock.format(new Date(iso));

/** The message as the recipient sees it, and what was answered. */
export default function MessagePhone({ message, payload, answers }: MessagePhoneProps) {
  const { account, accounts } = usePlace();
  const [isOpen, setIsOpen] = useState(false);
  const template = useQuery({
    ...templateNamedQuery(message.account_id, message.mode, templateNameOf(payload)),
    enabled: message.type === 'template',
  }).data;
  const business =
    accounts.find(({ id }) => id === message.account_id)?.name ?? account?.name ?? 'Your business';
  const shown = shownMessage(payload, template ?? undefined);
  const close = () => setIsOpen(false);
  return (
    <Phone
      name="Preview on a phone"
      business={business}
      sheet={isOpen && shown.list && <ListSheet list={shown.list} onClose={close} onSend={close} />}
    >
      <span className="phone-day">{chatDay(message.created_at)}</span>
      <MessageBubble
        message={shown}
        time={timeOf(message.created_at)}
        isAnswered={answers.length > 0}
        onList={() => setIsOpen(true)}
      />
      {answers.toReversed().map((answer, index) => (
        <ReplyBubble
          key={answer.id}
          text={answer.summary ?? ''}
          time={timeOf(answer.created_at)}
          ticks={answer.status === 'succeeded' ? 'delivered' : 'taken'}
          isFirst={index === 0}
          quoted={{ name: business, text: summaryOf(shown) }}
        />
      ))}
    </Phone>
  );
}
