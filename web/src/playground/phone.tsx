import '@fontsource/roboto/400.css';
import '@fontsource/roboto/500.css';
import '@fontsource/roboto/700.css';
import './phone.css';
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconList,
  IconMicrophone,
  IconX,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { MessageForm, PlaygroundType } from './payloads.ts';

interface PhoneProps {
  readonly type: PlaygroundType;
  readonly form: MessageForm;
  readonly business: string;
}

/** The message as the recipient sees it. */
export function Phone({ type, form, business }: PhoneProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <section className="phone" aria-label="Preview on a phone">
      <div className="phone-head">
        <IconArrowLeft size={20} aria-hidden="true" />
        <span className="phone-avatar" aria-hidden="true">
          {business.charAt(0)}
        </span>
        <span>
          <b>{business}</b>
          <small>Business account</small>
        </span>
      </div>
      <div className="phone-chat">
        <span className="phone-day">Today</span>
        <div className="bubble">
          <div className="bubble-text" dir="auto">
            {form.header && <div className="bubble-header">{form.header}</div>}
            <div>{styled(form.body)}</div>
            {form.footer && <div className="bubble-footer">{form.footer}</div>}
            <div className="bubble-time">10:43</div>
          </div>
          {type === 'list' ? (
            <button type="button" className="bubble-button" onClick={() => setIsOpen(true)}>
              <IconList size={17} aria-hidden="true" />
              {form.button || 'Menu button'}
            </button>
          ) : (
            form.buttons.map((button, index) => (
              <div key={`${index}`} className="bubble-button">
                <IconArrowBackUp size={17} aria-hidden="true" />
                {button.title || 'Button'}
              </div>
            ))
          )}
        </div>
      </div>
      <div className="phone-foot" aria-hidden="true">
        <span>Message</span>
        <i>
          <IconMicrophone size={19} />
        </i>
      </div>
      {isOpen && type === 'list' && (
        <div className="phone-dim">
          <div className="phone-sheet" role="group" aria-label={form.button}>
            <div className="sheet-head">
              <button type="button" aria-label="Close the list" onClick={() => setIsOpen(false)}>
                <IconX size={20} />
              </button>
              <b>{form.button}</b>
            </div>
            <div className="sheet-rows">
              {form.sections.map((section, at) => (
                <div key={`${at}`}>
                  {section.title && <div className="sheet-title">{section.title}</div>}
                  {section.rows.map((row, index) => (
                    <label key={`${index}`} className="sheet-row">
                      <span>
                        {row.title}
                        {row.description && <small>{row.description}</small>}
                      </span>
                      <input
                        type="radio"
                        name="phone-choice"
                        checked={chosen === `${at} ${index}`}
                        onChange={() => setChosen(`${at} ${index}`)}
                      />
                    </label>
                  ))}
                </div>
              ))}
            </div>
            <button
              type="button"
              className="sheet-send"
              disabled={chosen === null}
              onClick={() => setIsOpen(false)}
            >
              Send
            </button>
          </div>
        </div>
      )}
    </section>
  );
}

/** Bold, italic and struck text as WhatsApp shows it. */
function styled(text: string): ReactNode[] {
  return text.split(/(\*[^*\n]+\*|_[^_\n]+_|~[^~\n]+~)/).map((part, index) => {
    const inner = part.slice(1, -1);
    const key = `${index}`;
    if (/^\*.+\*$/.test(part)) return <b key={key}>{inner}</b>;
    if (/^_.+_$/.test(part)) return <em key={key}>{inner}</em>;
    if (/^~.+~$/.test(part)) return <s key={key}>{inner}</s>;
    return part;
  });
}
