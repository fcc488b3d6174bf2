import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { hurry } from '../api/conversation-pace.ts';
import { conversationQuery } from '../api/simulator-queries.ts';
import { sendableTemplatesQuery } from '../api/template-queries.ts';
import type { SimulatorTurn, Template } from '../api/types.ts';
import { QueryState } from '../parts/query-state.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { chatDay } from '../phone/chat-day.ts';
import { MessageBubble, ReplyBubble } from '../phone/message-bubble.tsx';
import { Phone } from '../phone/phone.tsx';
import { plainText } from '../phone/rich-text.tsx';
import { type ShownMessage, shownMessage, summaryOf } from '../phone/shown-message.ts';
import { usePlace } from '../session/session.tsx';
import { ChangeMenu } from './change-menu.tsx';
import { changesOf } from './changes-of.ts';
import { Composer } from './composer.tsx';
import { ReactMenu } from './react-menu.tsx';
import { reactionsOf } from './reactions-of.ts';
import { answeredId, replyText } from './reply-text.ts';
import { type OpenSheet, tapOf } from './tap-of.ts';
import { ticksOf } from './ticks-of.ts';
import { useIsAhead } from './use-is-ahead.ts';
import { useSay } from './use-say.ts';
import { useSimulatorUser, useUserChange } from './use-user-change.ts';
import { noteCount, UserNotes } from './user-notes.tsx';
import { UserSheet } from './user-sheet.tsx';

/** One phone's conversation, in which the user can answer. */
export function Conversation({ phone }: { phone: string }) {
  const { accountId, account } = usePlace();
  const query = useQuery(conversationQuery(accountId, phone));
  const templates = useTemplateLooks(query.data?.messages ?? []);
  const [open, setOpen] = useState<OpenSheet | null>(null);
  const chat = useRef<HTMLDivElement>(null);
  const { query: userQuery, numberId } = useSimulatorUser(phone);
  const say = useSay(phone, numberId);
  const change = useUserChange(phone, numberId);
  const user = userQuery.data;
  const { turns, changed } = changesOf(query.data?.messages ?? []);
  const { turns: bubbles, reactions, own } = reactionsOf(turns);
  const count = bubbles.length + noteCount(user);
  const isTyping = useIsAhead(query.data?.typing_until ?? null);
  // Who opens a phone has often just sent something to it.
  useEffect(hurry, []);
  useEffect(() => {
    // Users look for the latest message.
    if (chat.current && count > 0) chat.current.scrollTop = chat.current.scrollHeight;
  }, [count]);
  if (!query.data) return <QueryState query={query} isCard />;
  const business = account?.name ?? 'Your business';
  const shown = new Map(
    turns.map((turn) => [turn.id, shownMessage(turn.message, templates(turn))]),
  );
  const answered = new Set(turns.map(({ message }) => answeredId(message)));
  return (
    <>
      <Phone
        name={`Phone ${phone}`}
        business={business}
        isWide
        chatRef={chat}
        isTyping={isTyping}
        composer={
          <Composer
            isBusy={say.isPending}
            onWrite={(text) => say.mutateAsync({ own: { text } })}
            onAttach={(kind) => {
              if (kind === 'contact') setOpen({ kind });
              else if (kind === 'ad') setOpen({ kind });
              else if (kind === 'location') setOpen({ kind, to: null });
              else say.mutate({ own: kind === 'voice' ? { voice: true } : { image: true } });
            }}
            onEcho={() => setOpen({ kind: 'echo' })}
          />
        }
        sheet={
          open && (
            <UserSheet
              open={open}
              isBusy={say.isPending}
              onClose={() => setOpen(null)}
              onSay={say.mutateAsync}
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
          const done = changed.get(turn.id);
          const at = clock.format(new Date(turn.at));
          const time = done === 'edited' ? `Edited ${at}` : at;
          const isOwn = turn.direction === 'in' || turn.is_echo === true;
          const changeMenu = isOwn && done !== 'revoked' && isChangeable(turn) && (
            <ChangeMenu
              about={plainText(replyText(turn.message))}
              onEdit={
                turn.message.type === 'text'
                  ? () =>
                      setOpen({
                        kind: 'edit',
                        id: turn.id,
                        text: replyText(turn.message),
                        isEcho: turn.is_echo === true,
                      })
                  : null
              }
              onRevoke={() => {
                const revoke = { original_message_id: turn.id };
                say.mutate(turn.is_echo ? { echo: { revoke } } : { own: { revoke } });
              }}
            />
          );
          return (
            <Fragment key={turn.id}>
              {(!before || chatDay(before.at) !== day) && <span className="phone-day">{day}</span>}
              {turn.status === 'failed' ? (
                <span className="phone-note">{notArrived(message)}</span>
              ) : turn.direction === 'in' || !message ? (
                <ReplyBubble
                  text={replyText(turn.message)}
                  time={time}
                  ticks={ticksOf(turn, query.data.deliveries)}
                  isFirst={isFirst}
                  reactions={reactions.get(turn.id)}
                  quoted={quoted ? { name: business, text: summaryOf(quoted) } : null}
                  aside={changeMenu}
                />
              ) : (
                <MessageBubble
                  message={message}
                  time={time}
                  isFirst={isFirst}
                  isAnswered={answered.has(turn.id)}
                  reactions={reactions.get(turn.id)}
                  onTap={(button) => {
                    const tap = tapOf(button, turn.id, { name: user?.username ?? phone, phone });
                    if ('open' in tap) setOpen(tap.open);
                    else say.mutate(tap.say);
                  }}
                  onList={() =>
                    message.list && setOpen({ kind: 'list', to: turn.id, list: message.list })
                  }
                  aside={
                    turn.is_echo ? (
                      changeMenu
                    ) : (
                      <ReactMenu
                        about={plainText(summaryOf(message))}
                        own={own.get(turn.id) ?? ''}
                        onReact={(reaction) => say.mutate({ to: turn.id, body: { reaction } })}
                      />
                    )
                  }
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
      <WrongLine error={say.error} className="sandbox-fault" isSmall effect="Nothing was sent." />
      <WrongLine
        error={change.error}
        className="sandbox-fault"
        isSmall
        effect="Nothing was changed."
      />
    </>
  );
}

/** Taps stay, reactions are taken back in another way, and what changes a message cannot be changed itself. */
const isChangeable = ({ type }: SimulatorTurn) =>
  !['button', 'interactive', 'reaction', 'edit', 'revoke'].includes(type);

/** What stands in place of a message that failed. */
function notArrived(message: ShownMessage | undefined): string {
  const summary = message ? summaryOf(message) : '';
  return summary ? `Not delivered: “${summary}”` : 'A message was not delivered.';
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

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
