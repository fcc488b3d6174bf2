import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { ChoiceBox } from './choice-box.tsx';
import { limitOf } from './length-faults.ts';
import { type FormProps, PayloadField, RecipientField } from './payload-field.tsx';
import { changed, objectsAt, type Path, pathText, textAt } from './payloads.ts';

/** The form of a list or button message. */
export function InteractiveFields({ form }: { form: FormProps }) {
  const isList = form.type === 'list';
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        {isList ? (
          <PayloadField form={form} path={['header']} label="Header" isOptional />
        ) : (
          <HeaderFields form={form} />
        )}
        <PayloadField form={form} path={['body']} label="Body" isLong />
        <PayloadField form={form} path={['footer']} label="Footer" isOptional />
      </div>
      <div className="fields">{isList ? <Sections form={form} /> : <Buttons form={form} />}</div>
      <div className="fields">
        <PayloadField form={form} path={['reference']} label="Reference" isOptional />
      </div>
    </>
  );
}

const headerKinds = [
  { value: 'none', label: 'None' },
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'document', label: 'File' },
];

const emptyHeaders: Readonly<Record<string, unknown>> = {
  text: { type: 'text', text: '' },
  image: { type: 'image', image: { link: '' } },
  video: { type: 'video', video: { link: '' } },
  document: { type: 'document', document: { link: '' } },
};

function HeaderFields({ form }: { form: FormProps }) {
  const kind = textAt(form.payload, ['header', 'type']) || 'none';
  const choose = (next: string) =>
    form.onChange(changed(form.type, form.payload, ['header'], emptyHeaders[next]));
  return (
    <div className="fields-inner">
      <div>
        <div className="field-name">
          Header<span className="quiet"> optional</span>
        </div>
        <SegmentedControl
          aria-label="Header"
          fullWidth
          size="xs"
          data={headerKinds}
          value={kind}
          onChange={choose}
        />
      </div>
      {form.faults['header.type'] && (
        <div className="small wrong">{form.faults['header.type']}</div>
      )}
      {kind === 'text' ? (
        <PayloadField form={form} path={['header', 'text']} label="Header text" />
      ) : (
        kind !== 'none' && (
          <PayloadField
            form={form}
            path={['header', kind, 'link']}
            label="Header link"
            placeholder="https://"
          />
        )
      )}
      {kind === 'document' && (
        <PayloadField
          form={form}
          path={['header', 'document', 'filename']}
          label="File name"
          isOptional
        />
      )}
    </div>
  );
}

/** Changes the list at a path. */
function useList(form: FormProps, path: Path) {
  const items = objectsAt(form.payload, path);
  const set = (next: unknown[]) => form.onChange(changed(form.type, form.payload, path, next));
  return {
    items,
    add: (item: object) => set([...items, item]),
    remove: (index: number) => set(items.filter((_, at) => at !== index)),
  };
}

/** An id that no other of the list has yet. */
function freeId(prefix: string, taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) {
    if (!taken.includes(`${prefix}_${number}`)) return `${prefix}_${number}`;
  }
}

function Buttons({ form }: { form: FormProps }) {
  const { items, add, remove } = useList(form, ['buttons']);
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
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconPlus size={14} />}
        disabled={items.length >= 3}
        onClick={() =>
          add({
            id: freeId(
              'button',
              items.map(({ id }) => String(id)),
            ),
            title: '',
          })
        }
      >
        Button
      </Button>
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
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          disabled={items.length >= 10}
          onClick={() => add({ title: '', rows: [{ id: freeId('row', rowIds), title: '' }] })}
        >
          Section
        </Button>
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
    <fieldset className="section" aria-label={`Section ${index + 1}`}>
      <div className="section-head row" data-wrong={fault !== undefined}>
        <input
          aria-label={`Title of section ${index + 1}`}
          aria-invalid={fault !== undefined}
          placeholder="Section title, optional"
          value={title}
          onChange={(event) => {
            const { value } = event.currentTarget;
            form.onChange(
              changed(
                form.type,
                form.payload,
                [...path, 'title'],
                value === '' ? undefined : value,
              ),
            );
          }}
        />
        <span className="small">
          {Array.from(title).length} / {limitOf(form.type, [...path, 'title'])}
        </span>
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove section ${index + 1}`}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </button>
      </div>
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
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconPlus size={14} />}
        disabled={rows.items.length >= 10}
        onClick={() => rows.add({ id: freeId('row', rowIds), title: '' })}
      >
        Row
      </Button>
    </fieldset>
  );
}
