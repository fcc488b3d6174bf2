import { Textarea, TextInput } from '@mantine/core';
import { characters, limitOf } from './length-faults.ts';
import {
  changed,
  type Path,
  type Payload,
  type PlaygroundType,
  pathText,
  textAt,
} from './payloads.ts';

/** What every part of the form reads and changes. */
export interface FormProps {
  readonly type: PlaygroundType;
  readonly payload: Payload;
  /** By the API's paths. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (payload: Payload) => void;
}

interface PayloadFieldProps {
  readonly form: FormProps;
  readonly path: Path;
  readonly label: string;
  /** An empty one is left out of the body. */
  readonly isOptional?: boolean;
  readonly isLong?: boolean;
  readonly placeholder?: string;
  readonly description?: string;
}

/** A text of the payload, with its count at the right of the label. */
export function PayloadField(props: PayloadFieldProps) {
  const { form, path, label, isOptional = false, isLong, placeholder, description } = props;
  const { type, payload, faults, onChange } = form;
  const value = textAt(payload, path);
  const max = limitOf(type, path);
  const Field = isLong ? Textarea : TextInput;
  const isCode = path.at(-1) === 'link' || path.at(-1) === 'reference' || path[0] === 'reply_to';
  return (
    <Field
      label={
        <span className="spread">
          <span>
            {label}
            {isOptional && <span className="quiet"> optional</span>}
          </span>
          {max && max <= 4_096 && path.at(-1) !== 'link' && (
            // Part of the label by place, not of its name.
            <span className="small" aria-hidden="true">
              {characters(value)} / {max}
            </span>
          )}
        </span>
      }
      labelProps={{ className: 'field-label' }}
      {...(isLong && { autosize: true, minRows: 2, maxRows: 8 })}
      {...(placeholder !== undefined && { placeholder })}
      {...(description !== undefined && { description })}
      {...(isCode && { className: 'field-code' })}
      value={value}
      error={faults[pathText(path)]}
      onChange={(event: { currentTarget: { value: string } }) => {
        const { value: next } = event.currentTarget;
        onChange(changed(type, payload, path, isOptional && next === '' ? undefined : next));
      }}
    />
  );
}

/** No phone number begins with letters. */
const userIdStart = /^[A-Z]{2}\./;

/** Whom the message is for: what looks like a user id goes into `to_user_id`, everything else into `to`. */
export function RecipientField({ form }: { form: FormProps }) {
  const { type, payload, faults, onChange } = form;
  const value = textAt(payload, ['to']) || textAt(payload, ['to_user_id']);
  return (
    <TextInput
      label="To"
      labelProps={{ className: 'field-label' }}
      placeholder="A phone number or a user id"
      value={value}
      error={faults.to ?? faults.to_user_id}
      onChange={(event) => {
        const { value: next } = event.currentTarget;
        const [field, other] = userIdStart.test(next) ? ['to_user_id', 'to'] : ['to', 'to_user_id'];
        onChange(changed(type, changed(type, payload, [other], undefined), [field], next));
      }}
    />
  );
}
