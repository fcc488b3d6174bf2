import { Button } from '@mantine/core';
import { IconCircleOff } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { MessageDetails } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { Question } from '../parts/question.tsx';

/** Cancels a message that no worker has in hand; asks first. */
export function CancelButton({ message }: { message: MessageDetails }) {
  const reread = useReread();
  const [isAsked, setIsAsked] = useState(false);
  const cancel = useGuardedMutation({
    mutationFn: () => call('POST', '/messages/{uuid}/cancel', { uuid: message.message_id }),
    // Where it was refused, the message is on its way: the page shows it.
    onSettled: () => reread(['message', message.message_id], ['messages']),
    onSuccess: () => setIsAsked(false),
  });
  const isUnsent = message.status === 'scheduled' || message.status === 'queued';
  if (!isUnsent && !isAsked) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCircleOff size={16} />}
        onClick={() => setIsAsked(true)}
      >
        Cancel message…
      </Button>
      <Question
        isAsked={isAsked}
        title={`Cancel this message to ${message.to ?? message.to_user_id}?`}
        keep="Keep message"
        go="Cancel message"
        isPending={cancel.isPending}
        error={cancel.error}
        onKeep={() => setIsAsked(false)}
        onGo={() => cancel.mutate()}
      >
        <p>It is never sent then. A caller that waits for it is told that it was cancelled.</p>
      </Question>
    </>
  );
}
