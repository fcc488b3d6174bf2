import { Link } from '@tanstack/react-router';
import type { MessageDetails, MessageError } from '../api/types.ts';
import { knownTextOf } from '../parts/failure-meanings.ts';
import { failureText } from '../parts/failure-text.ts';
import { platformText } from '../parts/platform-text.ts';
import { usePlace } from '../session/session.tsx';
import { failureAdvice, headline, maySendAgain, unconfirmedAdvice } from './failure-advice.ts';

const fallbackReasons: Readonly<Record<string, string>> = {
  too_late: 'the refusal came more than an hour later',
  key_not_allowed: 'the key may not send templates any more',
  template_not_approved: 'the template is no longer approved',
  opted_out: 'the recipient has opted out',
};

interface FailedStepProps {
  readonly message: MessageDetails;
  readonly error: MessageError;
}

/** What an unconfirmed message is, and what to do. */
export function UnconfirmedStep({ message }: Pick<FailedStepProps, 'message'>) {
  const { mayChange } = usePlace();
  return (
    <div className="story-reason" data-tone="amber">
      {unconfirmedAdvice(mayChange && maySendAgain(message))}
    </div>
  );
}

/** Why a message failed, what that means, and what to do. */
export function FailedStep({ message, error }: FailedStepProps) {
  const { mayChange } = usePlace();
  const code = String(error.whatsapp_error_code ?? error.reason);
  const known = knownTextOf(code, message.type);
  // The API says of templates, too, what the code means for free-form messages.
  const general = knownTextOf(code, 'text')?.meaning;
  const title = known
    ? headline(error.message, general, known.meaning)
    : failureText(error, message.type);
  const text = platformText(error.whatsapp_error_message ?? '');
  return (
    <div className="story-reason" data-tone="red">
      <b>
        {error.whatsapp_error_code !== undefined && <code>{error.whatsapp_error_code} </code>}
        {title}
      </b>
      <div>
        {error.fallback_message_id ? (
          <>
            A template took its place:{' '}
            <Link to="/messages/$messageId" params={{ messageId: error.fallback_message_id }}>
              its fallback
            </Link>
            .
          </>
        ) : (
          failureAdvice({
            retryable: error.retryable,
            isOffered: mayChange && maySendAgain(message),
            known: known?.advice,
          })
        )}
        {error.fallback_reason &&
          ` No fallback was sent: ${fallbackReasons[error.fallback_reason] ?? error.fallback_reason}.`}
      </div>
      {text && !title.startsWith(text) && <div className="small">WhatsApp’s text: {text}</div>}
    </div>
  );
}
