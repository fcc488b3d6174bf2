import type { ReactNode } from 'react';
import { characters } from '../parts/limit-faults.ts';
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
import { limitOf } from './length-faults.ts';
import { Correlation, type FormProps, PayloadField, setAt, TypedField } from './payload-field.tsx';
import {
  objectsAt,
  type Path,
  type Payload,
  parsePayload,
  pathText,
  printed,
  textAt,
  valueAt,
} from './payloads.ts';
import { RecipientField } from './recipient-field.tsx';

const headerKinds: readonly Choice[] = [
  { value: 'none', label: 'None' },
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'document', label: 'File' },
];

interface FramedProps {
  readonly form: FormProps;
  readonly header?: ReactNode;
  readonly children: ReactNode;
}

/** What most interactive messages have around the part that is their own. */
function Framed({ form, header, children }: FramedProps) {
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        {header ?? <HeaderFields form={form} path={['header']} kinds={headerKinds} />}
        <PayloadField form={form} path={['body']} label="Body" isLong />
        <PayloadField form={form} path={['footer']} label="Footer" isOptional />
      </div>
      <div className="fields">{children}</div>
      <Correlation form={form} />
    </>
  );
}

/** The form of a list. */
export function ListFields({ form }: { form: FormProps }) {
  const header = <PayloadField form={form} path={['header']} label="Header" isOptional />;
  return (
    <Framed form={form} header={header}>
      <Sections form={form} />
    </Framed>
  );
}

/** The form of a message with reply buttons. */
export function ButtonFields({ form }: { form: FormProps }) {
  return (
    <Framed form={form}>
      <Buttons form={form} />
    </Framed>
  );
}

/** The form of a message with a button that opens a page. */
export function CtaUrlFields({ form }: { form: FormProps }) {
  return (
    <Framed form={form}>
      <LinkButtonFields form={form} path={['button']} />
    </Framed>
  );
}

/** The form of a message whose button is WhatsApp's own. */
export function RequestFields({ form }: { form: FormProps }) {
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        <PayloadField form={form} path={['body']} label="Body" isLong />
      </div>
      <Correlation form={form} />
    </>
  );
}

const flowNames: readonly Choice[] = [
  { value: 'id', label: 'Id' },
  { value: 'name', label: 'Name' },
];
const flowModes: readonly Choice[] = [
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Draft' },
];
const flowActions: readonly Choice[] = [
  { value: 'navigate', label: 'Show a screen' },
  { value: 'data_exchange', label: 'Ask your server' },
];

/** The form of a message that opens a flow. */
export function FlowFields({ form }: { form: FormProps }) {
  const flow = (valueAt(form.payload, ['flow']) ?? {}) as Payload;
  const { id, name, screen, data, ...others } = flow;
  const isNamed = name !== undefined;
  const isExchange = flow.action === 'data_exchange';
  return (
    <Framed form={form}>
      <ChoiceField
        label="Which flow"
        data={flowNames}
        value={isNamed ? 'name' : 'id'}
        onChange={(next) => setAt(form, ['flow'], { [next]: '', ...others, screen, data })}
      />
      <PayloadField
        form={form}
        path={['flow', isNamed ? 'name' : 'id']}
        label={isNamed ? 'Flow name' : 'Flow id'}
      />
      <PayloadField form={form} path={['flow', 'cta']} label="Button text" />
      <ChoiceField
        label="Mode"
        data={flowModes}
        value={flow.mode === 'draft' ? 'draft' : 'published'}
        fault={form.faults['flow.mode']}
        onChange={(next) => setAt(form, ['flow', 'mode'], next === 'published' ? undefined : next)}
      />
      <ChoiceField
        label="Beginning"
        data={flowActions}
        value={isExchange ? 'data_exchange' : 'navigate'}
        fault={form.faults['flow.action']}
        onChange={(action) =>
          // Your server says which screen it is, and what is on it.
          setAt(
            form,
            ['flow'],
            action === 'data_exchange'
              ? { id, name, ...others, action }
              : { ...flow, action: undefined },
          )
        }
      />
      {!isExchange && (
        <>
          <PayloadField form={form} path={['flow', 'screen']} label="First screen" isOptional />
          <TypedField
            form={form}
            path={['flow', 'data']}
            label="Data of the first screen"
            isOptional
            isLong
            read={(text) => parsePayload(text) ?? undefined}
            write={printed}
            wrong="Must be a JSON object"
          />
        </>
      )}
    </Framed>
  );
}

function Buttons({ form }: { form: FormProps }) {
  const { items, add, remove } = useList(form, ['buttons']);
  const ids = items.map(({ id }) => String(id));
  return (
    <fieldset className="choices">
      <legend>
        <span className="spread">
          Buttons <span className="small">{items.length} / 3</span>
        </span>
      </legend>
      {items.map((_, index) => (
        <ChoiceBox
          // A button has no identity beyond its place: its id is what is being edited.
          key={`${index}`}
          form={form}
          path={['buttons', index]}
          name={`button ${index + 1}`}
          onRemove={() => remove(index)}
        />
      ))}
      {form.faults.buttons && <div className="small wrong">{form.faults.buttons}</div>}
      <AddButton
        isFull={items.length >= 3}
        onClick={() => add({ id: freeId('button', ids), title: '' })}
      >
        Button
      </AddButton>
    </fieldset>
  );
}

function Sections({ form }: { form: FormProps }) {
  const { items, add, remove } = useList(form, ['sections']);
  const rowIds = items.flatMap((section) =>
    objectsAt(section, ['rows']).map(({ id }) => String(id)),
  );
  return (
    <>
      <PayloadField form={form} path={['button']} label="Menu button" />
      {items.map((_, index) => (
        <Section
          key={`${index}`}
          form={form}
          index={index}
          rowIds={rowIds}
          onRemove={() => remove(index)}
        />
      ))}
      {form.faults.sections && <div className="small wrong">{form.faults.sections}</div>}
      <div className="spread">
        <AddButton
          isFull={items.length >= 10}
          onClick={() => add({ title: '', rows: [{ id: freeId('row', rowIds), title: '' }] })}
        >
          Section
        </AddButton>
        <span className="small">{rowIds.length} / 10 rows</span>
      </div>
    </>
  );
}

interface SectionProps {
  readonly form: FormProps;
  readonly index: number;
  readonly rowIds: readonly string[];
  readonly onRemove: () => void;
}

function Section({ form, index, rowIds, onRemove }: SectionProps) {
  const path: Path = ['sections', index];
  const rows = useList(form, [...path, 'rows']);
  const title = textAt(form.payload, [...path, 'title']);
  const fault = form.faults[pathText([...path, 'title'])];
  const rowsFault = form.faults[pathText([...path, 'rows'])];
  return (
    <FormSection
      name={`Section ${index + 1}`}
      isWrong={fault !== undefined}
      onRemove={onRemove}
      head={
        <>
          <input
            aria-label={`Title of section ${index + 1}`}
            aria-invalid={fault !== undefined}
            placeholder="Section title, optional"
            value={title}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setAt(form, [...path, 'title'], value === '' ? undefined : value);
            }}
          />
          <span className="small">
            {characters(title)} / {limitOf(form.type, [...path, 'title'])}
          </span>
        </>
      }
    >
      {fault && <div className="section-fault small wrong">{fault}</div>}
      {rows.items.map((_, row) => (
        <ChoiceBox
          key={`${row}`}
          form={form}
          path={[...path, 'rows', row]}
          name={`row ${row + 1} of section ${index + 1}`}
          hasDescription
          onRemove={() => rows.remove(row)}
        />
      ))}
      {rowsFault && <div className="section-fault small wrong">{rowsFault}</div>}
      <AddButton
        isFull={rows.items.length >= 10}
        onClick={() => rows.add({ id: freeId('row', rowIds), title: '' })}
      >
        Row
      </AddButton>
    </FormSection>
  );
}
