import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FileField, type FormProps, PayloadField, setAt } from './payload-field.tsx';
import { objectsAt, type Path, pathText, textAt } from './payloads.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface ChoiceFieldProps {
  readonly label: string;
  readonly isOptional?: boolean;
  readonly data: readonly Choice[];
  readonly value: string;
  readonly fault?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** One of a few, all of them in sight. */
export function ChoiceField({ label, isOptional, data, value, fault, onChange }: ChoiceFieldProps) {
  return (
    <div>
      <div className="field-name">
        {label}
        {isOptional && <span className="quiet"> optional</span>}
      </div>
      <SegmentedControl
        aria-label={label}
        fullWidth
        size="xs"
        data={[...data]}
        value={value}
        onChange={onChange}
      />
      {fault && <div className="small wrong">{fault}</div>}
    </div>
  );
}

interface HeaderFieldsProps {
  readonly form: FormProps;
  readonly path: Path;
  readonly kinds: readonly Choice[];
}

/** What is above the body; it is optional if one of the kinds is `none`. */
export function HeaderFields({ form, path, kinds }: HeaderFieldsProps) {
  const kind = textAt(form.payload, [...path, 'type']) || 'none';
  const [link = '', mediaId = ''] = ['link', 'media_id'].map((name) =>
    textAt(form.payload, [...path, kind, name]),
  );
  const file = mediaId === '' ? { link } : { media_id: mediaId };
  const emptyHeaders: Readonly<Record<string, unknown>> = {
    text: { type: 'text', text: '' },
    image: { type: 'image', image: file },
    video: { type: 'video', video: file },
    document: { type: 'document', document: file },
  };
  return (
    <div className="fields-inner">
      <ChoiceField
        label="Header"
        isOptional={kinds.some(({ value }) => value === 'none')}
        data={kinds}
        value={kind}
        fault={form.faults[pathText([...path, 'type'])]}
        onChange={(next) => setAt(form, path, emptyHeaders[next])}
      />
      {kind === 'text' ? (
        <PayloadField form={form} path={[...path, 'text']} label="Header text" />
      ) : (
        kind !== 'none' && (
          <FileField form={form} path={[...path, kind]} label="Header link or upload" />
        )
      )}
      {kind === 'document' && (
        <PayloadField
          form={form}
          path={[...path, 'document', 'filename']}
          label="File name"
          isOptional
        />
      )}
    </div>
  );
}

/** A button that opens a page. */
export function LinkButtonFields({ form, path }: { form: FormProps; path: Path }) {
  return (
    <>
      <PayloadField form={form} path={[...path, 'text']} label="Button text" />
      <PayloadField
        form={form}
        path={[...path, 'url']}
        label="Button link"
        placeholder="https://"
      />
    </>
  );
}

/** Changes the list at a path. */
export function useList(form: FormProps, path: Path) {
  const items = objectsAt(form.payload, path);
  const set = (next: unknown[]) => setAt(form, path, next);
  return {
    items,
    set,
    add: (item: object) => set([...items, item]),
    remove: (index: number) => set(items.filter((_, at) => at !== index)),
  };
}

/** An id that no other of the list has yet. */
export function freeId(prefix: string, taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) {
    if (!taken.includes(`${prefix}_${number}`)) return `${prefix}_${number}`;
  }
}

interface AddButtonProps {
  readonly children: string;
  readonly isFull: boolean;
  readonly onClick: () => void;
}

export function AddButton({ children, isFull, onClick }: AddButtonProps) {
  return (
    <Button
      size="xs"
      variant="subtle"
      leftSection={<IconPlus size={14} />}
      disabled={isFull}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

interface FormSectionProps {
  readonly name: string;
  /** Instead of the name. */
  readonly head?: ReactNode;
  readonly isWrong?: boolean;
  /** It cannot be removed. */
  readonly isNeeded?: boolean;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

/** A part of a message that there may be several of, such as a card. */
export function FormSection(props: FormSectionProps) {
  const { name, head, isWrong = false, isNeeded = false, onRemove, children } = props;
  return (
    <fieldset className="section" aria-label={name}>
      <div className="section-head row" data-wrong={isWrong}>
        {head ?? <b>{name}</b>}
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove ${name.toLowerCase()}`}
          disabled={isNeeded}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </button>
      </div>
      {children}
    </fieldset>
  );
}
