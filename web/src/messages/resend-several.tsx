import { IconSend } from '@tabler/icons-react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Message } from '../api/types.ts';
import { BulkButton } from '../lists/bulk-button.tsx';
import type { Selection } from '../lists/selection.tsx';
import { counted } from '../parts/numbers.ts';
import { destinationOf } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';
import { objection } from './failure-advice.ts';

/** Sends those of the chosen messages again that failed or are unconfirmed. */
export function ResendSeveral({ selection }: { selection: Selection<Message> }) {
  const { session } = usePlace();
  const reread = useReread();
  const able = selection.chosen.filter(
    ({ status, error }) =>
      ['failed', 'unconfirmed'].includes(status) && error?.fallback_message_id === undefined,
  );
  const unconfirmed = able.filter(({ status }) => status === 'unconfirmed').length;
  const hopeless = able.filter((message) => objection(message) !== null).length;
  const isCharged = able.some(({ mode }) => destinationOf(mode, session) === 'whatsapp');
  return (
    <BulkButton
      icon={IconSend}
      verb="Send again"
      done="sent again"
      noun="message"
      rows={able}
      whyNot="None of these has failed or is unconfirmed."
      run={({ message_id: id }) => call('POST', '/messages/{uuid}/resend', { uuid: id })}
      onEnd={() => {
        selection.clear();
        void reread(['messages']);
      }}
    >
      <p>
        Sends each as a new message with the same content, with the key that sent it
        {isCharged ? '; charges apply.' : ', to the simulator.'} Those that were sent again before
        are refused.
      </p>
      {hopeless > 0 && (
        <p className="wrong">
          {counted(hopeless, 'message')} of these failed for a reason that another try most likely
          cannot help; each message’s page says which.
        </p>
      )}
      {unconfirmed > 0 && (
        <p>
          {counted(unconfirmed, 'message')} of these may have arrived: their recipients can get them
          twice.
        </p>
      )}
    </BulkButton>
  );
}
