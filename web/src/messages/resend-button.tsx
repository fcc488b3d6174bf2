import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure, call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { MessageDetails } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { Question } from '../parts/question.tsx';
import { destinationOf } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';
import { maySendAgain, objection } from './failure-advice.ts';

/** The new message that a refused send left behind, or null. */
function leftMessage(error: Error): string | null {
  if (!(error instanceof ApiFailure)) return null;
  const { error: body } = (error.body ?? {}) as {
    error?: { details?: { message_id?: string } };
  };
  return body?.details?.message_id ?? null;
}

/** Sends a message that failed or is unconfirmed again, as a new one; asks first. */
export function ResendButton({ message }: { message: MessageDetails }) {
  const { session } = usePlace();
  const reread = useReread();
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const open = async (messageId: string) => {
    setIsAsked(false);
    await reread(['message', message.message_id], ['messages']);
    await navigate({ to: '/messages/$messageId', params: { messageId } });
  };
  const resend = useGuardedMutation({
    mutationFn: async () =>
      (await call('POST', '/messages/{uuid}/resend', { uuid: message.message_id })).data.message_id,
    onSuccess: open,
    onError: (error) => {
      const left = leftMessage(error);
      if (left) void open(left);
    },
  });
  if (!maySendAgain(message)) return null;
  const against = objection(message);
  const isUnconfirmed = message.status === 'unconfirmed';
  return (
    <>
      <Button
        // It stands here, but is nothing that the page advises.
        variant={against ? 'subtle' : 'default'}
        leftSection={<IconSend size={16} />}
        onClick={() => setIsAsked(true)}
      >
        Send again…
      </Button>
      <Question
        isAsked={isAsked}
        title={`Send this to ${message.to ?? message.to_user_id} again?`}
        go="Send again"
        isPending={resend.isPending}
        error={resend.error}
        onKeep={() => setIsAsked(false)}
        onGo={() => resend.mutate()}
      >
        {against && <p className="wrong">{against}</p>}
        <p>
          {isUnconfirmed
            ? 'WhatsApp may have it already; then the recipient gets it twice. '
            : 'It failed, so the recipient has nothing yet. '}
          Sends a new message with the same content now, with the key that sent this one
          {destinationOf(message.mode, session) === 'whatsapp'
            ? '; charges apply.'
            : ', to the simulator.'}{' '}
          This one is not changed.
        </p>
      </Question>
    </>
  );
}
