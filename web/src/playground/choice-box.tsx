import { IconX } from '@tabler/icons-react';
import { type FormProps, setAt } from './payload-field.tsx';
import { type Path, pathText, textAt } from './payloads.ts';

interface ChoiceBoxProps {
  readonly form: FormProps;
  /** Of the row or button. */
  readonly path: Path;
  readonly name: string;
  /** Rows have one, buttons do not. */
  readonly hasDescription?: boolean;
  /** Without it the box stays. */
  readonly onRemove?: () => void;
}

/** Title and id of a row or button in one box; the description below. */
export function ChoiceBox({ form, path, name, hasDescription, onRemove }: ChoiceBoxProps) {
  const fields = ['title', 'id', ...(hasDescription ? ['description'] : [])];
  const found = fields.flatMap((field) => {
    const fault = form.faults[pathText([...path, field])];
    return fault === undefined ? [] : [{ field, fault }];
  });
  const input = (field: string, label: string, placeholder: string) => (
    <input
      aria-label={`${label} of ${name}`}
      aria-invalid={found.some((each) => each.field === field)}
      placeholder={placeholder}
      className={field === 'id' ? 'mono' : undefined}
      value={textAt(form.payload, [...path, field])}
      onChange={(event) => {
        const { value } = event.currentTarget;
        const isLeftOut = field === 'description' && value === '';
        setAt(form, [...path, field], isLeftOut ? undefined : value);
      }}
    />
  );
  return (
    <div className="choice">
      <div className="grow">
        <div className="choice-box" data-wrong={found.length > 0}>
          <div className="choice-pair">
            {input('title', 'Title', 'Title')}
            <span className="choice-id">
              <span aria-hidden="true">id</span>
              {input('id', 'Id', 'id')}
            </span>
          </div>
          {hasDescription && input('description', 'Description', 'Description, optional')}
        </div>
        {found.map(({ field, fault }) => (
          <div key={field} className="small wrong">
            {field === 'title' ? fault : `${field}: ${fault}`}
          </div>
        ))}
      </div>
      {onRemove && (
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          <IconX size={16} />
        </button>
      )}
    </div>
  );
}
