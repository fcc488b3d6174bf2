import { IconMicrophone, IconMoodSmile, IconSend2 } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Fragment, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { conversationQuery, sendableTemplatesQuery } from '../api/queries.ts';
import { useReread } from '../api/reread.ts';
import type { DeliveryAnswer, SimulatorTurn, Template } from '../api/types.ts';
import { QueryState } from '../parts/query-state.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { chatDay } from '../phone/chat-day.ts';
import { ListSheet } from '../phone/list-sheet.tsx';
import { MessageBubble, ReplyBubble, type ReplyTicks } from '../phone/message-bubble.tsx';
import { Phone } from '../phone/phone.tsx';
import { type ShownMessage, shownMessage, summaryOf } from '../phone/shown-message.ts';
import { usePlace } from '../session/session.tsx';
import { reactionsOf } from './reactions-of.ts';
import { answeredId, replyText } from './reply-text.ts';
import { useSimulatorUser, useUserChange } from './use-user-change.ts';
import { noteCount, UserNotes } from './user-notes.tsx';

/** What the user does: answers a message, or writes. */
type Reply =
  | { readonly to: string; readonly body: { button_id: string } | { row_id: string } }
  | { readonly text: string; readonly numberId: string | undefined };

/** One phone's conversation, in which the user can answer. */
export function Conversation({ phone }: { phone: string }) {
  const { accountId, account } = usePlace();
  const reread = useReread();
  const query = useQuery(conversationQuery(accountId, phone));
  const templates = useTemplateLooks(query.data?.messages ?? []);
  const [openList, setOpenList] = useState<{ id: string; message: ShownMessage } | null>(null);
  const chat = useRef<HTMLDivElement>(null);
  const reply = useMutation({
    mutationFn: (given: Reply) =>
      'to' in given
        ? call('POST', `/simulator/messages/${encodeURIComponent(given.to)}/reply`, given.body)
        : call('POST', '/simulator/inbound', {
            from: phone,
            text: given.text,
            ...(given.numberId && { phone_number_id: given.numberId }),
          }),
    onSuccess: () => reread(['conversation'], ['phones']),
  });
  const { query: userQuery, numberId } = useSimulatorUser(phone);
  const change = useUserChange(phone, numberId);
  const user = userQuery.data;
  const turns = query.data?.messages ?? [];
  const count = turns.length + noteCount(user);
  useEffect(() => {
    // Users look for the latest message.
    if (chat.current && count > 0) chat.current.scrollTop = chat.current.scrollHeight;
  }, [count]);
  if (!query.data) return <QueryState query={query} isCard />;
  const business = account?.name ?? 'Your business';
  const shown = new Map(
    turns.map((turn) => [turn.id, shownMessage(turn.message, templates(turn))]),
  );
  const { turns: bubbles, reactions } = reactionsOf(turns);
  const answered = new Set(turns.map(({ message }) => answeredId(message)));
  return (
    <>
      <Phone
        name={`Phone ${phone}`}
        business={business}
        isWide
        chatRef={chat}
        composer={
          <Composer
            isBusy={reply.isPending}
            onWrite={(text) => reply.mutateAsync({ text, numberId })}
          />
        }
        sheet={
          openList?.message.list && (
            <ListSheet
              list={openList.message.list}
              onClose={() => setOpenList(null)}
              onSend={({ id }) => {
                reply.mutate({ to: openList.id, body: { row_id: id } });
                setOpenList(null);
              }}
            />
          )
        }
      >
        <span className="phone-note">
          Simulated chat. Replies reach Parley the way WhatsApp sends them.
        </span>
        {bubbles.map((turn, index) => {
          const message = shown.get(turn.id);
          const before = bubbles[index - 1];
          const isFirst = before?.direction !== turn.direction;
          const day = chatDay(turn.at);
          const quotedId = answeredId(turn.message);
          const quoted = quotedId === null ? undefined : shown.get(quotedId);
          return (
            <Fragment key={turn.id}>
              {(!before || chatDay(before.at) !== day) && <span className="phone-day">{day}</span>}
              {turn.status === 'failed' ? (
                <span className="phone-note">{notArrived(message)}</span>
              ) : turn.direction === 'in' || !message ? (
                <ReplyBubble
                  text={replyText(turn.message)}
                  time={clock.format(new Date(turn.at))}
                  ticks={ticksOf(turn, query.data.deliveries)}
                  isFirst={isFirst}
                  reactions={reactions.get(turn.id)}
                  quoted={quoted ? { name: business, text: summaryOf(quoted) } : null}
                />
              ) : (
                <MessageBubble
                  message={message}
                  time={clock.format(new Date(turn.at))}
                  isFirst={isFirst}
                  isAnswered={answered.has(turn.id)}
                  reactions={reactions.get(turn.id)}
                  onTap={({ id }) => reply.mutate({ to: turn.id, body: { button_id: id } })}
                  onList={() => setOpenList({ id: turn.id, message })}
                />
              )}
            </Fragment>
          );
        })}
        {user && (
          <UserNotes
            user={user}
            isBusy={change.isPending}
            onResume={() => change.mutate({ stopped_marketing: false })}
          />
        )}
      </Phone>
      <WrongLine
        error={reply.error}
        className="sandbox-fault"
        isSmall
        effect="Nothing was answered."
      />
      <WrongLine
        error={change.error}
        className="sandbox-fault"
        isSmall
        effect="Nothing was changed."
      />
    </>
  );
}

/** What stands in place of a message that failed. */
function notArrived(message: ShownMessage | undefined): string {
  const summary = message ? summaryOf(message) : '';
  return summary ? `Not delivered: “${summary}”` : 'A message was not delivered.';
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
/** ✓ left the phone, ✓✓ Parley reported it, blue: an endpoint answered 2xx. */
function ticksOf(turn: SimulatorTurn, deliveries: readonly DeliveryAnswer[]): ReplyTicks {
  const own = deliveries.filter(
    ({ delivery, body }) => delivery.event === 'message.received' && idOf(body) === turn.id,
  );
  if (own.some(({ delivery }) => delivery.status === 'succeeded')) return 'delivered';
  return own.length > 0 ? 'taken' : 'gone';
}

const idOf = (body: string) =>
  (JSON.parse(body) as { data: { message_id?: string } }).data.message_id;

/** Finds what the templates of a conversation look like. */
function useTemplateLooks(turns: readonly SimulatorTurn[]) {
  const { accountId, accounts } = usePlace();
  const ofAccount = accountId ?? accounts[0]?.id ?? '';
  const enabled = ofAccount !== '' && turns.some(({ type }) => type === 'template');
  const live = useQuery({ ...sendableTemplatesQuery(ofAccount, 'live'), enabled }).data ?? [];
  const test = useQuery({ ...sendableTemplatesQuery(ofAccount, 'test'), enabled }).data ?? [];
  return ({ type, message }: SimulatorTurn): Template | undefined => {
    if (type !== 'template') return undefined;
    const sent = message.template as { name?: string; language?: { code?: string } } | undefined;
    return [...live, ...test].find(
      ({ name, language }) => name === sent?.name && language === sent.language?.code,
    );
  };
}

interface ComposerProps {
  readonly isBusy: boolean;
  readonly onWrite: (text: string) => Promise<unknown>;
}

function Composer({ isBusy, onWrite }: ComposerProps) {
  const [text, setText] = useState('');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    onWrite(text).then(
      () => setText(''),
      // What was written stays; the page says why it did not go.
      () => undefined,
    );
  };
  return (
    <form className="phone-foot row" onSubmit={submit}>
      <span className="phone-pill row">
        <IconMoodSmile size={20} stroke={1.65} aria-hidden="true" />
        <input
          aria-label="Message"
          placeholder="Message"
          maxLength={4_096}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </span>
      {text.trim() === '' ? (
        <span className="phone-mic" aria-hidden="true">
          <IconMicrophone size={20} />
        </span>
      ) : (
        <button type="submit" className="phone-mic" aria-label="Send" disabled={isBusy}>
          <IconSend2 size={19} />
        </button>
      )}
    </form>
  );
}
