import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { characters } from '../parts/limit-faults.ts';
import { limitOf } from './length-faults.ts';
import { type Path, type Payload, pathText, textAt, valueAt } from './payloads.ts';
import { changed, type PlaygroundType } from './playground-types.ts';

/** What every part of the form reads and changes. */
export interface FormProps {
  readonly type: PlaygroundType;
  readonly payload: Payload;
  /** By the API's paths. */
  readonly faults: Readonly<Record<string, string>>;
  /** Whether the simulator gets the message, which plays a recipient by the digits of their number. */
  readonly isSimulated: boolean;
  readonly onChange: (payload: Payload) => void;
}

/** Writes a value into the form's message; undefined takes the field away. */
export const setAt = ({ type, payload, onChange }: FormProps, path: Path, value: unknown) =>
  onChange(changed(type, payload, path, value));

interface PayloadFieldProps {
  readonly form: FormProps;
  readonly path: Path;
  readonly label: string;
  /** An empty one is left out of the body. */
  readonly isOptional?: boolean;
  /** What is left out with an empty one; itself if not given. */
  readonly leavesOut?: Path;
  readonly isLong?: boolean;
  readonly placeholder?: string;
  readonly description?: string;
}

/** A text of the payload, with its count at the right of the label. */
export function PayloadField(props: PayloadFieldProps) {
  const { form, path, label, isOptional = false, isLong, placeholder, description } = props;
  const { leavesOut = path } = props;
  const value = textAt(form.payload, path);
  const last = path.at(-1);
  const isAddress = last === 'url';
  const isCode =
    isAddress || last === 'reference' || last === 'message_id' || path[0] === 'reply_to';
  // A card has many short fields, and each may be long.
  const max = isAddress || path[0] === 'contacts' ? undefined : limitOf(form.type, path);
  const Field = isLong ? Textarea : TextInput;
  return (
    <Field
      label={
        <span className="spread">
          <span>
            {label}
            {isOptional && <span className="quiet"> optional</span>}
          </span>
          {max && (
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
      error={form.faults[pathText(path)]}
      onChange={(event: { currentTarget: { value: string } }) => {
        const { value: next } = event.currentTarget;
        if (isOptional && next === '') setAt(form, leavesOut, undefined);
        else setAt(form, path, next);
      }}
    />
  );
}

interface TypedFieldProps {
  readonly form: FormProps;
  readonly path: Path;
  readonly label: string;
  readonly isOptional?: boolean;
  readonly isLong?: boolean;
  readonly description?: string;
  /** What a text stands for; undefined for nothing of the kind. */
  readonly read: (text: string) => unknown;
  readonly write: (value: unknown) => string;
  /** What is wrong with a text that stands for nothing. */
  readonly wrong: string;
}

/** A value that is no text, as it is typed: `51.` is on its way to a number, and stays. */
export function TypedField(props: TypedFieldProps) {
  const { form, path, label, isOptional = false, isLong, description, read, write, wrong } = props;
  const value = valueAt(form.payload, path);
  const written = value === undefined ? '' : write(value);
  const [typed, setTyped] = useState(written);
  const meant = read(typed);
  const isCurrent = meant === undefined ? value === undefined : write(meant) === written;
  const text = isCurrent ? typed : written;
  const isWrong = text.trim() !== '' && read(text) === undefined;
  const Field = isLong ? Textarea : TextInput;
  return (
    <Field
      label={
        <>
          {label}
          {isOptional && <span className="quiet"> optional</span>}
        </>
      }
      className="field-code"
      {...(isLong && { autosize: true, minRows: 2, maxRows: 12 })}
      {...(description !== undefined && { description })}
      value={text}
      error={isWrong ? wrong : form.faults[pathText(path)]}
      onChange={(event: { currentTarget: { value: string } }) => {
        const { value: next } = event.currentTarget;
        setTyped(next);
        setAt(form, path, read(next));
      }}
    />
  );
}

const mediaIdForm = /^[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}$/;

interface FileFieldProps {
  readonly form: FormProps;
  /** Of the object that has `link` or `media_id`. */
  readonly path: Path;
  readonly label: string;
  readonly description?: string;
}

/** A file: what looks like the id of an upload goes into `media_id`, everything else into `link`. */
export function FileField({ form, path, label, description }: FileFieldProps) {
  const { type, payload, faults, onChange } = form;
  const [link, mediaId] = [
    [...path, 'link'],
    [...path, 'media_id'],
  ] as const;
  return (
    <TextInput
      label={label}
      labelProps={{ className: 'field-label' }}
      className="field-code"
      placeholder="https:// or a media_id"
      {...(description !== undefined && { description })}
      value={textAt(payload, link) || textAt(payload, mediaId)}
      error={faults[pathText(link)] ?? faults[pathText(mediaId)]}
      onChange={(event) => {
        const { value: next } = event.currentTarget;
        const [field, other] = mediaIdForm.test(next) ? [mediaId, link] : [link, mediaId];
        onChange(changed(type, changed(type, payload, other, undefined), field, next));
      }}
    />
  );
}

/** What ties a message to another one, and to whatever you call it. */
export function Correlation({ form }: { form: FormProps }) {
  return (
    <div className="fields">
      <PayloadField
        form={form}
        path={['reply_to']}
        label="Reply to"
        isOptional
        placeholder="Your message id, or WhatsApp’s id"
      />
      <PayloadField form={form} path={['reference']} label="Reference" isOptional />
    </div>
  );
}
