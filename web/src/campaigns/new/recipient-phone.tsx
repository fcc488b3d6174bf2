import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { Template } from '../../api/types.ts';
import { amount } from '../../parts/numbers.ts';
import { MessageBubble } from '../../phone/message-bubble.tsx';
import { Phone } from '../../phone/phone.tsx';
import { shownMessage } from '../../phone/shown-message.ts';
import { componentsOf } from '../../phone/template-parameters.ts';
import { usePlace } from '../../session/session.tsx';
import { type DraftLine, shownValue } from '../../templates/mapping/mapping-draft.ts';
import type { FileReport } from './recipient-file.ts';

interface RecipientPhoneProps {
  readonly template: Template;
  readonly lines: readonly DraftLine[];
  /** Without them, the phone shows examples. */
  readonly samples: FileReport['samples'];
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The message as one of the first recipients gets it. */
export function RecipientPhone({ template, lines, samples }: RecipientPhoneProps) {
  const { account, accounts } = usePlace();
  const [at, setAt] = useState(0);
  const index = Math.min(at, Math.max(0, samples.length - 1));
  const sample = samples[index];
  const business =
    accounts.find(({ id }) => id === template.account_id)?.name ?? account?.name ?? 'Your business';
  const components = componentsOf(
    lines.map((line) => ({
      place: line.parameter,
      value: sample ? (sample.recipient.variables[line.name] ?? line.byDefault) : shownValue(line),
    })),
  );
  const message = shownMessage(
    { type: 'template', template: { name: template.name, components } },
    template,
  );
  return (
    <div className="draft-phone">
      <Phone name="Preview on a phone" business={business}>
        <span className="phone-day">Today</span>
        <MessageBubble message={message} time={clock.format(new Date())} />
      </Phone>
      {sample ? (
        <div className="row spread draft-phone-foot">
          <ActionIcon
            variant="default"
            aria-label="Recipient before"
            disabled={index === 0}
            onClick={() => setAt(index - 1)}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <span className="small" aria-live="polite">
            Line {amount(sample.line)}: {sample.recipient.to ?? sample.recipient.to_user_id}
          </span>
          <ActionIcon
            variant="default"
            aria-label="Next recipient"
            disabled={index >= samples.length - 1}
            onClick={() => setAt(index + 1)}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </div>
      ) : (
        <p className="small draft-phone-foot">Filled with examples.</p>
      )}
    </div>
  );
}
