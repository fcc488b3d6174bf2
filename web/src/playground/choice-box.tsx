import { IconX } from '@tabler/icons-react';
import { lengthFault } from './counted-field.tsx';

interface ChoiceBoxProps {
  readonly name: string;
  readonly title: string;
  readonly id: string;
  readonly titleMax: number;
  readonly idMax: number;
  /** Rows have one, buttons do not. */
  readonly description?: string;
  readonly faults: readonly (string | undefined)[];
  readonly onChange: (change: { title?: string; id?: string; description?: string }) => void;
  readonly onRemove: () => void;
}

/** Title and id of a row or button in one box; the description below. */
export function ChoiceBox(props: ChoiceBoxProps) {
  const { name, title, id, titleMax, idMax, description, onChange } = props;
  const fault = [
    lengthFault(title, titleMax),
    lengthFault(id, idMax),
    lengthFault(description ?? '', 72),
    ...props.faults,
  ].find((each) => each !== undefined);
  return (
    <div className="choice">
      <div className="grow">
        <div className="choice-box" data-wrong={fault !== undefined}>
          <div className="choice-pair">
            <input
              aria-label={`Title of ${name}`}
              placeholder="Title"
              value={title}
              onChange={(event) => onChange({ title: event.currentTarget.value })}
            />
            <input
              aria-label={`Id of ${name}`}
              className="mono"
              placeholder="id"
              value={id}
              onChange={(event) => onChange({ id: event.currentTarget.value })}
            />
          </div>
          {description !== undefined && (
            <input
              aria-label={`Description of ${name}`}
              placeholder="Description, optional"
              value={description}
              onChange={(event) => onChange({ description: event.currentTarget.value })}
            />
          )}
        </div>
        {fault && <div className="small wrong">{fault}</div>}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={`Remove ${name}`}
        onClick={props.onRemove}
      >
        <IconX size={16} />
      </button>
    </div>
  );
}
