import { Checkbox, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CsvForm } from '../../files/csv-form.ts';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { type ColumnPlan, planFault, type Variable } from './recipient-lines.ts';

interface ColumnsCardProps {
  readonly form: CsvForm;
  readonly variables: readonly Variable[];
  readonly plan: ColumnPlan;
  /** Why it cannot be changed; null: it can. */
  readonly locked: ReactNode;
  readonly onPlan: (plan: ColumnPlan) => void;
}

/** Which column of the file fills what. */
export function ColumnsCard(props: ColumnsCardProps) {
  const { form, variables, plan, locked, onPlan } = props;
  const fault = planFault(plan, variables);
  const line = (
    name: ReactNode,
    label: string,
    index: number | null,
    isOptional: boolean,
    set: (next: number | null) => ColumnPlan,
  ) => (
    <div className="draft-column" key={label}>
      <span>{name}</span>
      <Select
        aria-label={`Column for ${label}`}
        placeholder={isOptional ? 'None' : 'Choose a column'}
        clearable={isOptional}
        searchable={form.columns.length > 10}
        disabled={locked !== null}
        data={form.columns.map((column, at) => ({
          value: String(at),
          label: column === '' ? `Column ${at + 1}` : column,
        }))}
        value={index === null ? null : String(index)}
        onChange={(next) => onPlan(set(next === null ? null : Number(next)))}
      />
    </div>
  );
  return (
    <Card title="Columns and variables" aside={<span className="small">{locked}</span>}>
      {line('Recipient', 'the recipient', plan.recipient, false, (recipient) => ({
        ...plan,
        recipient,
      }))}
      {variables.map(({ name, place, isRequired }) =>
        line(
          <>
            <span className="chip">{place}</span> <span className="small">{name}</span>
          </>,
          place,
          plan.variables[name] ?? null,
          !isRequired,
          (index) => ({ ...plan, variables: { ...plan.variables, [name]: index } }),
        ),
      )}
      {line('Reference', 'the reference', plan.reference, true, (reference) => ({
        ...plan,
        reference,
      }))}
      <div className="card-body draft-codes">
        <Checkbox
          label="Numbers without + begin with their country code"
          description="Spreadsheets often leave out the +. Without this, such numbers are errors."
          disabled={locked !== null}
          checked={plan.hasBareCodes}
          onChange={(event) => onPlan({ ...plan, hasBareCodes: event.currentTarget.checked })}
        />
        {fault && (
          <Notice tone="amber" role="status" style={{ marginTop: 12 }}>
            {fault}
          </Notice>
        )}
      </div>
    </Card>
  );
}
