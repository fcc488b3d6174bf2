import { IconPlus } from '@tabler/icons-react';
import type { SimulatorPhone } from '../api/types.ts';
import { Moment } from '../parts/moment.tsx';
import { plainText } from '../phone/rich-text.tsx';
import { shownMessage, summaryOf } from '../phone/shown-message.ts';
import { replyText } from './reply-text.ts';

interface PhonesCardProps {
  readonly phones: readonly SimulatorPhone[];
  readonly chosen: string | undefined;
  readonly onChoose: (phone: string) => void;
  readonly onAdd: () => void;
}

/** The phones that have a conversation, the latest first. */
export function PhonesCard({ phones, chosen, onChoose, onAdd }: PhonesCardProps) {
  const isNew = chosen !== undefined && !phones.some(({ phone }) => phone === chosen);
  return (
    <section className="card phones" aria-label="Phones">
      <div className="card-head">
        <h2>Phones</h2>
        <button type="button" className="icon-button" aria-label="Add phone" onClick={onAdd}>
          <IconPlus size={17} />
        </button>
      </div>
      <ul>
        {isNew && (
          <li>
            <button type="button" className="phones-entry" aria-current="true">
              <span className="strong">{chosen}</span>
              <span className="secondary">Nothing written yet</span>
            </button>
          </li>
        )}
        {phones.map(({ phone, last_at: lastAt, last }) => (
          <li key={phone}>
            <button
              type="button"
              className="phones-entry"
              aria-current={phone === chosen}
              onClick={() => onChoose(phone)}
            >
              <span className="spread">
                <span className="strong">{phone}</span>
                <span className="small">
                  <Moment at={lastAt} />
                </span>
              </span>
              <span className="secondary cut">
                {last.direction === 'in'
                  ? `You: ${replyText(last.message)}`
                  : plainText(summaryOf(shownMessage(last.message)))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="phones-note small">
        Phones of the simulator. Nothing leaves this machine, nothing is charged.
      </p>
    </section>
  );
}
