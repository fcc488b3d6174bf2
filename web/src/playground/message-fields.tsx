import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { ChoiceBox } from './choice-box.tsx';
import { CountedField } from './counted-field.tsx';
import type { MessageForm, PlaygroundType, SectionForm } from './payloads.ts';

interface MessageFieldsProps {
  readonly type: PlaygroundType;
  readonly form: MessageForm;
  /** By the API's paths. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (form: MessageForm) => void;
}

/** The form of a list or button message. */
export function MessageFields(props: MessageFieldsProps) {
  const { type, form, faults, onChange } = props;
  const set = (change: Partial<MessageForm>) => onChange({ ...form, ...change });
  return (
    <div className="card-body fields">
      <CountedField label="To" value={form.to} fault={faults.to} onChange={(to) => set({ to })} />
      <CountedField
        label="Header"
        isOptional
        max={60}
        value={form.header}
        fault={faults.header ?? faults['header.text']}
        onChange={(header) => set({ header })}
      />
      <CountedField
        label="Body"
        isLong
        max={1_024}
        value={form.body}
        fault={faults.body}
        onChange={(body) => set({ body })}
      />
      <CountedField
        label="Footer"
        isOptional
        max={60}
        value={form.footer}
        fault={faults.footer}
        onChange={(footer) => set({ footer })}
      />
      {type === 'list' ? <Sections {...props} /> : <Buttons {...props} />}
      <CountedField
        label="Reference"
        isOptional
        max={100}
        value={form.reference}
        fault={faults.reference}
        onChange={(reference) => set({ reference })}
      />
    </div>
  );
}

/** The list with one entry changed. */
const replaced = <T,>(list: readonly T[], index: number, change: Partial<T>): T[] =>
  list.map((each, at) => (at === index ? { ...each, ...change } : each));

const without = <T,>(list: readonly T[], index: number): T[] =>
  list.filter((_, at) => at !== index);

function Buttons({ form, faults, onChange }: MessageFieldsProps) {
  const { buttons } = form;
  const set = (next: MessageForm['buttons']) => onChange({ ...form, buttons: next });
  return (
    <fieldset className="choices">
      <legend className="spread">
        Buttons <span className="small">{buttons.length} / 3</span>
      </legend>
      {buttons.map((button, index) => (
        <ChoiceBox
          // A button has no identity beyond its place: its id is what is being edited.
          key={`${index}`}
          name={`button ${index + 1}`}
          title={button.title}
          id={button.id}
          titleMax={20}
          idMax={256}
          faults={[faults[`buttons[${index}].title`], faults[`buttons[${index}].id`]]}
          onChange={(change) => set(replaced(buttons, index, change))}
          onRemove={() => set(without(buttons, index))}
        />
      ))}
      {faults.buttons && <div className="small wrong">{faults.buttons}</div>}
      <Button
        size="xs"
        leftSection={<IconPlus size={14} />}
        disabled={buttons.length >= 3}
        onClick={() => set([...buttons, { id: `button_${buttons.length + 1}`, title: '' }])}
      >
        Button
      </Button>
    </fieldset>
  );
}

function Sections({ form, faults, onChange }: MessageFieldsProps) {
  const { sections } = form;
  const set = (next: SectionForm[]) => onChange({ ...form, sections: next });
  const rowCount = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <>
      <CountedField
        label="Menu button"
        max={20}
        value={form.button}
        fault={faults.button}
        onChange={(button) => onChange({ ...form, button })}
      />
      {sections.map((section, at) => {
        const path = `sections[${at}]`;
        const setRows = (rows: SectionForm['rows']) => set(replaced(sections, at, { rows }));
        return (
          <fieldset key={path} className="choices section">
            <legend className="unseen">Section {at + 1}</legend>
            <div className="row">
              <div className="grow">
                <CountedField
                  label={`Section ${at + 1}`}
                  isOptional
                  max={24}
                  value={section.title}
                  fault={faults[`${path}.title`]}
                  onChange={(title) => set(replaced(sections, at, { title }))}
                />
              </div>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove section ${at + 1}`}
                onClick={() => set(without(sections, at))}
              >
                <IconTrash size={16} />
              </button>
            </div>
            {section.rows.map((row, index) => (
              <ChoiceBox
                key={`${path} ${index}`}
                name={`row ${index + 1} of section ${at + 1}`}
                title={row.title}
                id={row.id}
                description={row.description}
                titleMax={24}
                idMax={200}
                faults={['title', 'id', 'description'].map(
                  (field) => faults[`${path}.rows[${index}].${field}`],
                )}
                onChange={(change) => setRows(replaced(section.rows, index, change))}
                onRemove={() => setRows(without(section.rows, index))}
              />
            ))}
            {faults[`${path}.rows`] && <div className="small wrong">{faults[`${path}.rows`]}</div>}
            <Button
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() =>
                setRows([
                  ...section.rows,
                  { id: `row_${rowCount + 1}`, title: '', description: '' },
                ])
              }
            >
              Row
            </Button>
          </fieldset>
        );
      })}
      {faults.sections && <div className="small wrong">{faults.sections}</div>}
      <div className="spread">
        <Button
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={sections.length >= 10}
          onClick={() => set([...sections, { title: '', rows: [] }])}
        >
          Section
        </Button>
        <span className="small">{rowCount} / 10 rows</span>
      </div>
    </>
  );
}
