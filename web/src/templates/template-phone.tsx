import type { Account, Template } from '../api/types.ts';
import { MessageBubble } from '../phone/message-bubble.tsx';
import { Phone } from '../phone/phone.tsx';
import { shownMessage } from '../phone/shown-message.ts';
import { componentsOf } from '../phone/template-parameters.ts';
import { usePlace } from '../session/session.tsx';
import { type DraftLine, shownValue } from './mapping/mapping-draft.ts';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The template as a phone shows it, with the values that the mapping's variables may have. */
export function TemplatePhone({
  template,
  lines,
}: {
  template: Template;
  lines: readonly DraftLine[];
}) {
  const { account, accounts } = usePlace();
  const owner: Pick<Account, 'name'> | undefined =
    accounts.find(({ id }) => id === template.account_id) ?? account ?? undefined;
  const components = componentsOf(
    lines.map((line) => ({ place: line.parameter, value: shownValue(line) })),
  );
  const message = shownMessage(
    { type: 'template', template: { name: template.name, components } },
    template,
  );
  return (
    <div className="template-phone">
      <Phone name="Preview on a phone" business={owner?.name ?? 'Your business'}>
        <span className="phone-day">Today</span>
        <MessageBubble message={message} time={clock.format(new Date())} />
      </Phone>
      {lines.length > 0 && (
        <p className="small" style={{ textAlign: 'center', marginTop: 8 }}>
          Colored words are variables. Amber ones have no name yet.
        </p>
      )}
    </div>
  );
}
