import { TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { plainNumber } from '../../../libs/phone-numbers/read-phone-number.ts';
import type { SimulatorPhone, SimulatorTurn } from '../api/types.ts';
import { useChosenInView } from '../parts/chosen-in-view.ts';
import { Moment } from '../parts/moment.tsx';
import { plainText } from '../phone/rich-text.tsx';
import { shownMessage, summaryOf } from '../phone/shown-message.ts';
import { replyText } from './reply-text.ts';

interface PhonesCardProps {
  readonly phones: readonly SimulatorPhone[];
  readonly chosen: string | undefined;
  /** The last of the chosen phone; null where nothing was written, undefined while that is not known. */
  readonly chosenLast: SimulatorTurn | null | undefined;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly onChoose: (phone: string) => void;
  readonly onAdd: () => void;
}

/** From this many on, a list needs a search. */
export const manyPhones = 12;

/** The phones that have a conversation, the latest first. */
export function PhonesCard(props: PhonesCardProps) {
  const { phones, chosen, chosenLast, search, onSearch, onChoose, onAdd } = props;
  const list = useChosenInView<HTMLUListElement>(chosen, true);
  // The phone is new, or its last message is too old for the list.
  const isBeside = chosen !== undefined && !phones.some(({ phone }) => phone === chosen);
  const shown = phones.filter(({ phone }) => phone.includes(plainNumber(search)));
  return (
    <section className="card phones" aria-label="Phones">
      <div className="card-head">
        <h2>Phones</h2>
        <button type="button" className="icon-button" aria-label="Add phone" onClick={onAdd}>
          <IconPlus size={17} />
        </button>
      </div>
      {(phones.length > manyPhones || search !== '') && (
        <div className="phones-search search">
          <TextInput
            aria-label="Search phones"
            placeholder={`Search ${phones.length} phones`}
            leftSection={<IconSearch size={16} />}
            value={search}
            onChange={(event) => onSearch(event.currentTarget.value)}
          />
        </div>
      )}
      <ul ref={list}>
        {isBeside && (
          <Entry phone={chosen} last={chosenLast} isChosen onChoose={() => onChoose(chosen)} />
        )}
        {shown.map(({ phone, last }) => (
          <Entry
            key={phone}
            phone={phone}
            last={last}
            isChosen={phone === chosen}
            onChoose={() => onChoose(phone)}
          />
        ))}
      </ul>
      {shown.length === 0 && phones.length > 0 && (
        <p className="phones-note secondary" role="status">
          No phone has “{search}” in its number.
        </p>
      )}
      <p className="phones-note small">
        Phones of the simulator. Nothing leaves this machine, and nothing is charged.
      </p>
    </section>
  );
}

interface EntryProps {
  readonly phone: string;
  readonly last: SimulatorTurn | null | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Entry({ phone, last, isChosen, onChoose }: EntryProps) {
  return (
    <li data-chosen={isChosen}>
      <button type="button" className="phones-entry" aria-current={isChosen} onClick={onChoose}>
        <span className="spread">
          <span className="strong">{phone}</span>
          {last && (
            <span className="small" style={{ whiteSpace: 'nowrap' }}>
              <Moment at={last.at} />
            </span>
          )}
        </span>
        <span className="secondary cut">
          {last === null
            ? 'Nothing written yet'
            : last?.direction === 'in'
              ? `You: ${replyText(last.message)}`
              : last && plainText(summaryOf(shownMessage(last.message)))}
        </span>
      </button>
    </li>
  );
}
