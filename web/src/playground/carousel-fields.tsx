import { ChoiceBox } from './choice-box.tsx';
import {
  AddButton,
  type Choice,
  ChoiceField,
  FormSection,
  freeId,
  HeaderFields,
  LinkButtonFields,
  useList,
} from './interactive-parts.tsx';
import { Correlation, type FormProps, PayloadField } from './payload-field.tsx';
import { objectsAt, type Path, type Payload, pathText, textAt, valueAt } from './payloads.ts';
import { RecipientField } from './recipient-field.tsx';

const buttonKinds: readonly Choice[] = [
  { value: '0', label: 'Link' },
  { value: '1', label: '1 reply' },
  { value: '2', label: '2 replies' },
  { value: '3', label: '3 replies' },
];

const headerKinds: readonly Choice[] = [
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
];

/** How many reply buttons the first card has; 0 for a button that opens a page. */
const repliesOf = ([card]: readonly Payload[]) => Math.min(objectsAt(card, ['buttons']).length, 3);

const idsOf = (cards: readonly Payload[]) =>
  cards.flatMap((card) => objectsAt(card, ['buttons']).map(({ id }) => String(id)));

/** The card with so many reply buttons, or with a button that opens a page; what fits stays. */
function withReplies(card: Payload, count: number, taken: string[]): Payload {
  const { button, buttons: _, ...others } = card;
  const given = objectsAt(card, ['buttons']);
  if (count === 0) {
    return { ...others, button: button ?? { text: textAt(given[0], ['title']), url: '' } };
  }
  const buttons = Array.from({ length: count }, (__, index) => {
    const known = given[index];
    if (known) return known;
    const id = freeId('button', taken);
    taken.push(id);
    return { id, title: index === 0 ? textAt(button, ['text']) : '' };
  });
  return { ...others, buttons };
}

/** The form of a carousel: all cards have the same kind and number of buttons. */
export function CarouselFields({ form }: { form: FormProps }) {
  const { items, set, add, remove } = useList(form, ['cards']);
  const replies = repliesOf(items);
  const emptyCard = { header: { type: 'image', image: { link: '' } }, body: '' };
  const withAll = (count: number) => {
    const taken = idsOf(items);
    set(items.map((card) => withReplies(card, count, taken)));
  };
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        <PayloadField form={form} path={['body']} label="Body" isLong />
        <ChoiceField
          label="Buttons of each card"
          data={buttonKinds}
          value={String(replies)}
          onChange={(count) => withAll(Number(count))}
        />
      </div>
      <div className="fields">
        {items.map((_, index) => (
          <Card
            key={`${index}`}
            form={form}
            index={index}
            isNeeded={items.length <= 2}
            onRemove={() => remove(index)}
          />
        ))}
        {form.faults.cards && <div className="small wrong">{form.faults.cards}</div>}
        <div className="spread">
          <AddButton
            isFull={items.length >= 10}
            onClick={() => add(withReplies(emptyCard, replies, idsOf(items)))}
          >
            Card
          </AddButton>
          <span className="small">{items.length} / 10 cards</span>
        </div>
      </div>
      <Correlation form={form} />
    </>
  );
}

interface CardProps {
  readonly form: FormProps;
  readonly index: number;
  readonly isNeeded: boolean;
  readonly onRemove: () => void;
}

function Card({ form, index, isNeeded, onRemove }: CardProps) {
  const path: Path = ['cards', index];
  const name = `Card ${index + 1}`;
  const fault = form.faults[pathText([...path, 'buttons'])];
  return (
    <FormSection name={name} isNeeded={isNeeded} onRemove={onRemove}>
      <div className="section-body">
        <HeaderFields form={form} path={[...path, 'header']} kinds={headerKinds} />
        <PayloadField form={form} path={[...path, 'body']} label="Body" isOptional isLong />
        {valueAt(form.payload, [...path, 'buttons']) === undefined ? (
          <LinkButtonFields form={form} path={[...path, 'button']} />
        ) : (
          objectsAt(form.payload, [...path, 'buttons']).map((_, at) => (
            <ChoiceBox
              key={`${at}`}
              form={form}
              path={[...path, 'buttons', at]}
              name={`button ${at + 1} of card ${index + 1}`}
            />
          ))
        )}
        {fault && <div className="small wrong">{fault}</div>}
      </div>
    </FormSection>
  );
}
