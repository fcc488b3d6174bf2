import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { CampaignDetails, Template } from '../../api/types.ts';
import { MessageBubble } from '../../phone/message-bubble.tsx';
import { Phone } from '../../phone/phone.tsx';
import { shownMessage } from '../../phone/shown-message.ts';
import { componentsOf } from '../../phone/template-parameters.ts';
import { usePlace } from '../../session/session.tsx';
import { type DraftLine, shownValue } from '../../templates/mapping/mapping-draft.ts';

/** A recipient whose message can be shown. */
export interface Sample {
  /** What the recipient is called in the list: `Line 3`. */
  readonly place: string;
  readonly to?: string | null | undefined;
  readonly to_user_id?: string | null | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Those of a draft that are first. */
export const firstOf = ({ first_recipients: first }: CampaignDetails): Sample[] =>
  first.map((recipient, index) => ({ ...recipient, place: `Recipient ${index + 1}` }));

interface RecipientPhoneProps {
  readonly template: Template;
  readonly lines: readonly DraftLine[];
  /** Without them, the phone shows examples. */
  readonly samples: readonly Sample[];
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** What fills a place for a recipient; a file that is given by anything but its link is shown as the example. */
function valueOf(line: DraftLine, { variables }: Sample): string {
  const value = variables[line.name] ?? line.byDefault;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const { link } = (value ?? {}) as { link?: unknown };
  return typeof link === 'string' ? link : shownValue(line);
}

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
      value: sample ? valueOf(line, sample) : shownValue(line),
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
            {sample.place}: {sample.to ?? sample.to_user_id}
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
