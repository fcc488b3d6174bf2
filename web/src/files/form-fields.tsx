import { Select } from '@mantine/core';
import { type CsvForm, delimiters, type FormChoice } from './csv-form.ts';
import { type Encoding, encodings } from './encoding.ts';

interface FormFieldsProps {
  readonly form: Pick<CsvForm, 'encoding' | 'delimiter'>;
  readonly isOff: boolean;
  readonly onChoose: (choice: FormChoice) => void;
}

const names: Readonly<Record<string, string>> = {
  ';': 'Semicolons',
  ',': 'Commas',
  '\t': 'Tabs',
  '|': 'Vertical bars',
};

/** How a file is read: found out, and chosen where that was wrong. */
export function FormFields({ form, isOff, onChoose }: FormFieldsProps) {
  const known: readonly string[] = delimiters;
  const offered = known.includes(form.delimiter) ? known : [...known, form.delimiter];
  return (
    <div className="file-form">
      <Select
        label="Separated by"
        allowDeselect={false}
        disabled={isOff}
        data={offered.map((value) => ({ value, label: names[value] ?? value }))}
        value={form.delimiter}
        onChange={(delimiter) => delimiter !== null && onChoose({ delimiter })}
      />
      <Select
        label="Letters"
        allowDeselect={false}
        disabled={isOff}
        data={Object.entries(encodings).map(([value, label]) => ({ value, label }))}
        value={form.encoding}
        onChange={(value) => value !== null && onChoose({ encoding: value as Encoding })}
      />
    </div>
  );
}
